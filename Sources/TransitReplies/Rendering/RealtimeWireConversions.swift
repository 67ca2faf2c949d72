internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries

// Conversions of the engine's realtime types to wire types.

extension VehicleExclusionReason {
    init(_ exclusion: VehicleExclusion) {
        switch exclusion {
        case .withoutTrip: self = .noTrip
        case .unknownTrip: self = .unknownTrip
        case .withoutPosition: self = .noPosition
        case .undated: self = .noTimestamp
        case .old: self = .stale
        case .parked: self = .parked
        case .withoutPath: self = .unknownPath
        case .offRoute: self = .offRoute
        case .atEnd: self = .atLastStop
        }
    }
}

extension DepartureStatus {
    init(_ status: ExpectedCall.Status) {
        switch status {
        case .scheduled: self = .scheduled
        case .canceled: self = .canceled
        case .skipped: self = .skipped
        case .added: self = .added
        case .unscheduled: self = .unscheduled
        case .duplicated: self = .duplicated
        case .replaced: self = .replaced
        case .departed: self = .departed
        }
    }
}

extension DepartureSource {
    init(_ source: ExpectedCall.Source) {
        switch source {
        case .live: self = .live
        case .scheduled: self = .scheduled
        case .estimated: self = .estimated
        }
    }
}

extension Confidence {
    init(_ confidence: CallConfidence) {
        switch confidence {
        case .high: self = .high
        case .medium: self = .medium
        case .low: self = .low
        }
    }
}

extension RealtimeState {
    init(_ state: CallRealtimeState) {
        switch state {
        case .fresh: self = .fresh
        case .aging: self = .aging
        case .expired: self = .expired
        case .missing: self = .missing
        case .notExpected: self = .notExpected
        }
    }
}

extension OccupancyLevel {
    /// Returns `nil` if no data is available.
    init?(_ occupancy: Occupancy) {
        switch occupancy {
        case .empty: self = .empty
        case .manySeatsAvailable: self = .manySeats
        case .fewSeatsAvailable: self = .fewSeats
        case .standingRoomOnly: self = .standingRoom
        case .crushedStandingRoomOnly: self = .crushed
        case .full: self = .full
        case .notAcceptingPassengers: self = .notAccepting
        case .notBoardable: self = .notBoardable
        case .noDataAvailable: return nil
        }
    }
}

extension VehicleStatus {
    init(_ state: VehicleProgress.State) {
        switch state {
        case .atStop: self = .atStop
        case .approaching: self = .approaching
        case .between: self = .inTransit
        }
    }
}

extension DepartureVehicle {
    /// - Parameters:
    ///   - call: The position of the departure's call in its pattern.
    ///   - occupancy: The predicted occupancy after that departure; `nil` if none is predicted.
    init(_ vehicle: RealtimeVehicle, call: Int, occupancy: Occupancy?, realtime: RealtimeDatasets, now: Instant) {
        let position = vehicle.position
        self.init(
            id: position.vehicle?.id?.rawValue, label: position.vehicle?.label,
            status: vehicle.progress.map { VehicleStatus($0.state) },
            stopsAway: vehicle.progress.map { call - $0.call }, position: position.coordinate.map { Position($0) },
            occupancy: (occupancy ?? position.occupancy).flatMap { OccupancyLevel($0) },
            age: realtime.measured(vehicle).map { max(0, $0.seconds(to: now)) })
    }
}
