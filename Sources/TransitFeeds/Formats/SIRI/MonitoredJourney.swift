internal import TransitModel

/// The visits of one vehicle journey in a StopMonitoring response.
struct MonitoredJourney {
    let id: EntityID
    let reference: JourneyReference
    /// The visits in the order of the journey. There is at least one.
    private(set) var visits: [MonitoredVisit]
    /// The time of the response.
    private let responseTime: Instant?

    /// Groups visits by journey. The journeys are in the order of their first visit in the response.
    static func journeys(of visits: [MonitoredVisit], responseTime: Instant?) -> [MonitoredJourney] {
        var journeys: [MonitoredJourney] = []
        var numbers: [JourneyReference: Int] = [:]
        for (number, visit) in visits.enumerated() {
            if visit.journey.trip != nil, let known = numbers[visit.journey] {
                journeys[known].visits.append(visit)
                continue
            }
            // Visits without a trip can belong to different journeys.
            let id = visit.journey.trip == nil ? EntityID("\(visit.journey.entity)#\(number)") : visit.journey.entity
            numbers[visit.journey] = journeys.count
            journeys.append(
                MonitoredJourney(id: id, reference: visit.journey, visits: [visit], responseTime: responseTime))
        }
        for number in journeys.indices { journeys[number].sort() }
        return journeys
    }

    /// Sorts the visits by time. The response is ordered by the time at each stop, not by journey.
    private mutating func sort() {
        let sorted = visits.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        visits = sorted.map(\.element)
    }

    var entities: [RealtimeEntity] {
        [.tripUpdate(update)] + (position.map { [.vehicle($0)] } ?? [])
    }

    private var descriptor: TripDescriptor {
        TripDescriptor(
            tripID: reference.trip, routeID: reference.line, direction: reference.direction, startDate: reference.date,
            relationship: visits.allSatisfy(\.isCanceled) ? .canceled : .scheduled)
    }

    private var vehicle: VehicleDescriptor? {
        visits.lazy.compactMap(\.vehicle).first.map { VehicleDescriptor(id: $0) }
    }

    /// The time of the latest vehicle observation, at most the time of the response. In 2019, the clocks of vehicles
    /// were up to 80 s ahead.
    private var measured: Instant? {
        let latest = visits.lazy.compactMap(\.observationTime).max()
        return latest.map { latest in responseTime.map { min(latest, $0) } ?? latest }
    }

    private var update: TripUpdate {
        let isScheduledOnly = isScheduledOnly
        return TripUpdate(
            id: id, trip: descriptor, vehicle: vehicle,
            updates: visits.map { call($0, isJourneyScheduledOnly: isScheduledOnly) },
            timestamp: measured, basis: isScheduledOnly ? .planned : .predicted)
    }

    /// Whether all visits of the journey have only scheduled times.
    private var isScheduledOnly: Bool {
        visits.allSatisfy { visit in
            visit.isScheduledOnly
                || !visit.hasVehicle && visit.departure.expected == nil && visit.arrival.expected == nil
        }
    }

    /// Returns the stop time update of a visit.
    ///
    /// The expected times of a journey without a vehicle repeat the schedule, but the expected arrivals are unreliable.
    /// In 2019, a train that was due to leave in an hour had an expected arrival at its second stop in two minutes.
    /// Without a vehicle, therefore, only expected departures are used.
    ///
    /// A visit that has only scheduled times has no prediction, even if other visits of the journey do.
    ///
    /// - Parameter isJourneyScheduledOnly: Whether the whole journey has only scheduled times. In that case, the times
    ///   are reported as planned.
    private func call(_ visit: MonitoredVisit, isJourneyScheduledOnly: Bool) -> StopTimeUpdate {
        let isPredicted = visit.isMonitored && (isJourneyScheduledOnly || !visit.isScheduledOnly)
        let relationship: StopScheduleRelationship = visit.isCanceled ? .skipped : isPredicted ? .scheduled : .noData
        return StopTimeUpdate(
            stopID: visit.stop, arrival: visit.arrival.event(isPredicted && vehicle != nil),
            departure: visit.departure.event(isPredicted), relationship: relationship)
    }

    /// The vehicle position. Every visit of a journey repeats the position. The most recent observation is used.
    private var position: VehiclePosition? {
        guard let vehicle else { return nil }
        let known = visits.filter { $0.position.latitude != nil && $0.position.longitude != nil }
        guard
            let latest = known.max(by: {
                ($0.observationTime?.secondsSince1970 ?? 0) < ($1.observationTime?.secondsSince1970 ?? 0)
            })
        else { return nil }
        // Problems of the position were already reported when it was read.
        var unused = ProblemLog()
        var position = latest.position.finished(id, &unused, at: 0)
        guard position.coordinate != nil else { return nil }
        position.trip = descriptor
        position.vehicle = vehicle
        position.timestamp = measured
        return position
    }
}
