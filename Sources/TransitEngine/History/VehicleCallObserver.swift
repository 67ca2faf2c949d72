internal import TransitModel

/// Finds the calls that vehicles left between two messages, for a source that sends positions but no trip updates.
///
/// A vehicle that was at or before a call and is now on the way to the next one left in between. The middle of the two
/// measurements is taken for its departure, if they are at most ``maximumGap`` seconds apart.
struct VehicleCallObserver {
    /// The number of seconds between two measurements beyond which the departure is not known well enough.
    static let maximumGap = 150

    private let dataset: RealtimeDataset
    private let previous: RealtimeDataset
    private let timetable: any TimetableLookup

    init(_ dataset: RealtimeDataset, after previous: RealtimeDataset, in timetable: any TimetableLookup) {
        (self.dataset, self.previous, self.timetable) = (dataset, previous, timetable)
    }

    /// Calls `body` with each call that a vehicle left.
    ///
    /// - Throws: the errors of the timetable.
    func visit(_ body: (ObservedCall) throws -> Void) throws {
        for vehicle in dataset.vehicles {
            guard let key = vehicle.tripInstance, let progress = vehicle.progress,
                let known = previous.vehicle(of: key), let before = known.progress,
                before.call + 1 == progress.call, before.state != .between || (before.fraction ?? 0) > 0.5,
                let trip = vehicle.position.trip?.tripID,
                let place = try timetable.patternPositions(ofTrips: [trip]).first.flatMap({ $0 }),
                place.pattern.index == key.pattern, before.call < place.pattern.callCount,
                let observed = call(
                    key, place, before.call, between: measured(known, previous), and: measured(vehicle, dataset))
            else { continue }
            try body(observed)
        }
    }

    private func measured(_ vehicle: RealtimeVehicle, _ dataset: RealtimeDataset) -> Instant {
        vehicle.measured ?? dataset.time
    }

    private func call(
        _ key: TripInstanceKey, _ place: TripPatternPosition, _ position: Int, between start: Instant, and end: Instant
    ) -> ObservedCall? {
        let gap = start.seconds(to: end)
        guard gap > 0, gap <= Self.maximumGap else { return nil }
        let row = place.pattern.tripRange(ofTimingGroup: place.timingGroup).lowerBound + place.position
        let first = key.frequencyStart?.seconds ?? place.pattern.column(.starts)[row]
        let planned = first + place.pattern.times(timingGroup: place.timingGroup, call: position).departure
        let day = timetable.context.zone(of: place.pattern.route).serviceDayStart(key.serviceDate)
        let delay = Int32(clamping: day.advanced(by: Int(planned)).seconds(to: start.advanced(by: gap / 2)))
        guard CallObserver.possibleDelays.contains(delay) else { return nil }
        return ObservedCall(
            pattern: place.pattern, row: row, position: position, key: key, scheduled: planned,
            outcome: .served(delay: delay))
    }
}
