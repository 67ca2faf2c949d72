internal import TransitModel

/// Identifies the departures whose delays are collected in one sketch.
///
/// Routes and stops are hashes of the publisher's identifiers, so that a key outlasts a version of the timetable, and trips
/// that are only renumbered keep their history.
struct DelayKey: Hashable, Comparable, Sendable {
    /// How finely the departures are divided.
    enum Level: UInt32 {
        /// One departure: a route and direction, a stop, and a scheduled time.
        case departure = 0
        /// A route and direction, a quarter of its calls, and an hour.
        case group = 1
    }

    /// The hash of the route and direction.
    var line: UInt32
    /// The hash of the stop, or the quarter of the route.
    var place: UInt32
    /// From the highest bit: the level (2 bits), the kind of day (2 bits), and the time in seconds or hours.
    var slot: UInt32

    /// The bits of ``slot`` with the time.
    private static let timeMask: UInt32 = 0x0FFF_FFFF

    private init(_ level: Level, line: UInt32, place: UInt32, kind: UInt32, time: Int) {
        self.line = line
        self.place = place
        slot = level.rawValue << 30 | kind << 28 | UInt32(min(max(time, 0), Int(Self.timeMask)))
    }

    /// - Parameter time: The scheduled time in seconds of service time.
    static func departure(line: UInt32, stop: UInt32, _ kind: DayKind, time: Int) -> DelayKey {
        DelayKey(.departure, line: line, place: stop, kind: UInt32(kind.rawValue), time: time)
    }

    /// - Parameter time: The scheduled time in seconds of service time.
    static func group(line: UInt32, position: Int, of calls: Int, _ kind: DayKind, time: Int) -> DelayKey {
        DelayKey(
            .group, line: line, place: UInt32(4 * position / max(calls, 1)), kind: kind == .weekday ? 0 : 1,
            time: time / 3600)
    }

    init(line: UInt32, place: UInt32, slot: UInt32) {
        self.line = line
        self.place = place
        self.slot = slot
    }

    var isGroup: Bool { slot >> 30 == Level.group.rawValue }
    /// The kind of day of a departure.
    var dayKind: DayKind { DayKind(rawValue: UInt8(slot >> 28 & 3)) ?? .weekday }
    /// Seconds of service time of a departure, hours of a group.
    var time: Int { Int(slot & Self.timeMask) }

    /// Returns the key of the same departure on another kind of day.
    func on(_ kind: DayKind) -> DelayKey {
        DelayKey(line: line, place: place, slot: slot & ~(3 << 28) | UInt32(kind.rawValue) << 28)
    }

    /// Returns the key of a departure of the same route from the same stop at another time, in seconds of service time.
    func at(_ time: Int) -> DelayKey {
        DelayKey(line: line, place: place, slot: slot & ~Self.timeMask | UInt32(time))
    }

    /// Returns the hash of a route and direction.
    static func line(_ route: RouteID, _ direction: Direction?) -> UInt32 {
        let hash = IdentifierHash.of(route.rawValue) &+ UInt64(direction.map { $0.rawValue + 1 } ?? 0) &* 0x9E37_79B9
        return UInt32(truncatingIfNeeded: hash >> 32)
    }

    static func stop(_ stop: StopID) -> UInt32 { UInt32(truncatingIfNeeded: IdentifierHash.of(stop.rawValue) >> 32) }

    static func < (left: Self, right: Self) -> Bool {
        if left.line != right.line { return left.line < right.line }
        if left.place != right.place { return left.place < right.place }
        return left.slot < right.slot
    }
}

extension Pattern {
    /// Returns the scheduled time by which a call is identified and its delay is measured: the departure or, at the last call,
    /// the arrival, in seconds from the start of the trip.
    func learnedTime(ofTimingGroup timingGroup: Int, call: Int) -> Int32 {
        let times = times(timingGroup: timingGroup, call: call)
        return call == callCount - 1 ? times.arrival : times.departure
    }
}
