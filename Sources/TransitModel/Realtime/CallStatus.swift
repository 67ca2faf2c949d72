/// What happens to a call of a trip, as of one moment.
public enum CallStatus: UInt8, Hashable, Sendable, CaseIterable {
    case scheduled
    /// The whole trip is canceled.
    case canceled
    /// The trip runs but does not stop here.
    case skipped
    case added
    case unscheduled
    case duplicated
    case replaced
    /// The vehicle has left.
    case departed

    /// Whether the call takes place, as far as is known.
    public var isRunning: Bool { self != .canceled && self != .skipped }
}

/// The source of the time of a call.
public enum CallTimeSource: UInt8, Hashable, Sendable, CaseIterable {
    /// Stated by the publisher.
    case live
    /// From the timetable, or from a plan that the publisher sends instead of a prediction.
    case scheduled
    /// Computed from the position of the vehicle.
    case estimated
}

/// How reliable the time of a call is.
public enum CallConfidence: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    case low
    case medium
    case high

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What is known about the realtime data of a call.
public enum CallRealtimeState: Hashable, Sendable, CaseIterable {
    case fresh
    /// Older than it should be, but still used.
    case aging
    /// Too old to rely on.
    case expired
    /// The source should report the trip, but does not.
    case missing
    /// There is no realtime data, and none was expected.
    case notExpected
}
