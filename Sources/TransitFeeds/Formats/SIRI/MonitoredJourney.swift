internal import TransitModel

/// All that a reply tells of one journey.
struct MonitoredJourney {
    let id: EntityID
    let reference: JourneyReference
    /// In the order of the journey; at least one.
    private(set) var visits: [MonitoredVisit]
    /// When the reply was made.
    private let responded: Instant?

    /// Puts the visits of each journey together, in the order in which the reply names the journeys.
    static func journeys(of visits: [MonitoredVisit], responded: Instant?) -> [MonitoredJourney] {
        var journeys: [MonitoredJourney] = []
        var numbers: [JourneyReference: Int] = [:]
        for (number, visit) in visits.enumerated() {
            if visit.journey.trip != nil, let known = numbers[visit.journey] {
                journeys[known].visits.append(visit)
                continue
            }
            // Without a trip every visit may be one of another journey.
            let id = visit.journey.trip == nil ? EntityID("\(visit.journey.entity)#\(number)") : visit.journey.entity
            numbers[visit.journey] = journeys.count
            journeys.append(MonitoredJourney(id: id, reference: visit.journey, visits: [visit], responded: responded))
        }
        for number in journeys.indices { journeys[number].sort() }
        return journeys
    }

    /// Boards are in the order of time of each stop, not of the journey.
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
            relationship: visits.allSatisfy(\.isCancelled) ? .canceled : .scheduled)
    }

    private var vehicle: VehicleDescriptor? {
        visits.lazy.compactMap(\.vehicle).first.map { VehicleDescriptor(id: $0) }
    }

    /// When its progress was measured. In 2019 vehicles' clocks were up to 80 s ahead of the reply's, which cannot be.
    private var measured: Instant? {
        let latest = visits.lazy.compactMap(\.recorded).max()
        return latest.map { latest in responded.map { min(latest, $0) } ?? latest }
    }

    private var update: TripUpdate {
        let isPlan = isPlan
        return TripUpdate(
            id: id, trip: descriptor, vehicle: vehicle, updates: visits.map { call($0, isInPlan: isPlan) },
            timestamp: measured, basis: isPlan ? .planned : .predicted)
    }

    /// Whether all visits of the journey state only the plan.
    private var isPlan: Bool {
        visits.allSatisfy { visit in
            visit.isPlan || !visit.hasVehicle && visit.departure.expected == nil && visit.arrival.expected == nil
        }
    }

    /// What is expected of a journey without a vehicle is its plan, but for arrivals: a train of 2019 that was to leave in an
    /// hour "arrives" at its second stop in two minutes. So the departure alone is believed.
    ///
    /// A single visit that states only its plan has no prediction, regardless of the journey's other visits.
    ///
    /// - Parameter isInPlan: whether the whole journey states only its plan; its times are then reported as planned.
    private func call(_ visit: MonitoredVisit, isInPlan: Bool) -> StopTimeUpdate {
        let isPredicted = visit.isMonitored && (isInPlan || !visit.isPlan)
        let relationship: StopScheduleRelationship = visit.isCancelled ? .skipped : isPredicted ? .scheduled : .noData
        return StopTimeUpdate(
            stopID: visit.stop, arrival: visit.arrival.event(isPredicted && vehicle != nil),
            departure: visit.departure.event(isPredicted), relationship: relationship)
    }

    /// Every visit of a journey repeats where its vehicle is; the one that was measured last counts.
    private var position: VehiclePosition? {
        guard let vehicle else { return nil }
        let known = visits.filter { $0.position.latitude != nil && $0.position.longitude != nil }
        guard
            let latest = known.max(by: { ($0.recorded?.secondsSince1970 ?? 0) < ($1.recorded?.secondsSince1970 ?? 0) })
        else { return nil }
        // What is wrong with it was counted when it was read.
        var unused = ProblemLog()
        var position = latest.position.finished(id, &unused, at: 0)
        guard position.coordinate != nil else { return nil }
        position.trip = descriptor
        position.vehicle = vehicle
        position.timestamp = measured
        return position
    }
}
