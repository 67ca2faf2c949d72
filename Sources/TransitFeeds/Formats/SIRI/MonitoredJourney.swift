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

/// A visit of a vehicle at a stop (SIRI, *MonitoredStopVisit*), converted to values of the model.
struct MonitoredVisit {
    var journey = JourneyReference()
    /// The time at which the vehicle reported its position (`RecordedAtTime`), or `nil` if it has not reported one.
    var observationTime: Instant?
    var stop: StopID?
    /// Whether the journey is monitored (`Monitored`). If the journey is not monitored, only scheduled times are known.
    var isMonitored = true
    /// Whether the visit is canceled according to `DepartureStatus` or `ArrivalStatus`.
    var isCanceled = false
    var arrival = AimedAndExpectedTime()
    var departure = AimedAndExpectedTime()
    var vehicle: VehicleID?
    /// The vehicle position (`VehicleLocation` and `Bearing`).
    var position = VehiclePositionBuilder()

    /// Whether the visit has only scheduled times. For a train without a vehicle, 511.org repeats the scheduled time as
    /// the expected time, which does not mean that the train is on time.
    var isScheduledOnly: Bool { !hasVehicle && departure.expected.map { $0 == departure.aimed } ?? false }

    /// Whether the visit has a vehicle or a position.
    var hasVehicle: Bool { vehicle != nil || position.latitude != nil || position.longitude != nil }

    /// The sort key of the visits in a journey, in seconds since 1970.
    var order: Int64 {
        (departure.aimed ?? arrival.aimed ?? departure.expected ?? arrival.expected)?.secondsSince1970 ?? .max
    }
}

/// The identity of a vehicle journey, which all its visits share.
struct JourneyReference: Hashable {
    /// The service date (`DataFrameRef`).
    var date: ServiceDate?
    /// The trip (`DatedVehicleJourneyRef`). At 511.org, it is the train number, which equals the `trip_id` in the
    /// timetable for the same period.
    var trip: TripID?
    /// The route (`LineRef`).
    var line: RouteID?
    /// The direction (`DirectionRef`) if it is 0 or 1. The meaning of letters and words differs between agencies.
    var direction: Direction?

    /// The entity identifier, such as "2026-07-01/112". Without a trip, the identifier contains the line and is not
    /// unique.
    var entity: EntityID {
        EntityID([date.map { "\($0)" }, trip?.rawValue ?? line?.rawValue].compactMap { $0 }.joined(separator: "/"))
    }
}

/// The scheduled and the expected time of an arrival or departure.
struct AimedAndExpectedTime {
    /// The scheduled time (`AimedArrivalTime` or `AimedDepartureTime`).
    var aimed: Instant?
    /// The predicted time (`ExpectedArrivalTime` or `ExpectedDepartureTime`).
    var expected: Instant?

    /// Returns the stop time event, or `nil` if it has no time.
    ///
    /// - Parameter isReliable: Whether to use the expected time.
    func event(_ isReliable: Bool) -> StopTimeEvent? {
        let time = isReliable ? expected : nil
        return time == nil && aimed == nil ? nil : StopTimeEvent(time: time, scheduledTime: aimed)
    }
}
