internal import TransitModel

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
