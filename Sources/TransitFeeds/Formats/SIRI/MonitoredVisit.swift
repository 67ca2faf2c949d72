internal import TransitModel

/// What one visit of a vehicle at a stop tells (SIRI, *MonitoredStopVisit*), in the terms of the model.
struct MonitoredVisit {
    var journey = JourneyReference()
    /// `RecordedAtTime`: when the vehicle told where it was; `nil` when it has not yet.
    var recorded: Instant?
    var stop: StopID?
    /// `Monitored`; false: nothing is known but the plan.
    var isMonitored = true
    /// `DepartureStatus` or `ArrivalStatus` says that it does not take place.
    var isCancelled = false
    var arrival = AimedAndExpectedTime()
    var departure = AimedAndExpectedTime()
    var vehicle: VehicleID?
    /// `VehicleLocation` and `Bearing`.
    var position = VehiclePositionBuilder()

    /// Whether the visit states only the plan. For a train without a vehicle, 511.org repeats the timetable's time as
    /// the expected time, which does not mean "on time".
    var isPlan: Bool { !hasVehicle && departure.expected.map { $0 == departure.aimed } ?? false }

    /// Whether the visit names a vehicle or its position.
    var hasVehicle: Bool { vehicle != nil || position.latitude != nil || position.longitude != nil }

    /// By which the calls of a journey are put in order: seconds since 1970.
    var order: Int64 {
        (departure.aimed ?? arrival.aimed ?? departure.expected ?? arrival.expected)?.secondsSince1970 ?? .max
    }
}

/// What visits of one journey have in common.
struct JourneyReference: Hashable {
    /// `DataFrameRef`: the service date.
    var date: ServiceDate?
    /// `DatedVehicleJourneyRef`: at 511.org the number of the train, which is `trip_id` in the timetable of the same time.
    var trip: TripID?
    /// `LineRef`.
    var line: RouteID?
    /// `DirectionRef` where it is 0 or 1; letters and words mean what each agency chooses.
    var direction: Direction?

    /// "2026-07-01/112"; without a trip the line is named, and visits cannot be told apart by it.
    var entity: EntityID {
        EntityID([date.map { "\($0)" }, trip?.rawValue ?? line?.rawValue].compactMap { $0 }.joined(separator: "/"))
    }
}

/// A moment as it was planned and as it is thought to become.
struct AimedAndExpectedTime {
    /// `AimedArrivalTime`, `AimedDepartureTime`.
    var aimed: Instant?
    /// `ExpectedArrivalTime`, `ExpectedDepartureTime`.
    var expected: Instant?

    /// - Parameter isExpected: whether what is expected can be believed.
    func event(_ isExpected: Bool) -> StopTimeEvent? {
        let time = isExpected ? expected : nil
        return time == nil && aimed == nil ? nil : StopTimeEvent(time: time, scheduledTime: aimed)
    }
}
