internal import TransitModel

/// The place in a trip at which its times begin again at 00:00:00, although they continue on the next day.
struct MidnightRollover {
    /// The position of the first stop time with a time on the next day.
    let position: Int
    /// Whether midnight is between the arrival and the departure at ``position``.
    private let isBetweenTimes: Bool

    private static let day: Int32 = 86_400
    /// The maximum number of seconds between the times before and after midnight.
    static let maximumGap: Int32 = 3 * 3600

    /// Finds the rollover of a trip, or returns `nil` if the times do not decrease, or if 24 hours more from the first
    /// decrease to the end do not make them increase.
    ///
    /// A later time that is not below the time before the decrease continues from there, such as 23:50, 00:01, 24:05. Then
    /// only the times between them are wrong.
    ///
    /// - Parameter stopTimes: The stop times of the trip in order.
    init?(in stopTimes: [StopTime]) {
        var found: (position: Int, isBetweenTimes: Bool)?
        var previous: Int32?
        var beforeMidnight = Int32.max
        for (position, stopTime) in stopTimes.enumerated() {
            for (time, isDeparture) in [(stopTime.arrival, false), (stopTime.departure, true)] {
                guard var seconds = time?.seconds else { continue }
                guard found == nil || seconds < beforeMidnight else { return nil }
                if found != nil { seconds += Self.day }
                if let previous, seconds < previous {
                    guard found == nil, seconds + Self.day - previous <= Self.maximumGap else { return nil }
                    found = (position, isDeparture && stopTime.arrival != nil)
                    beforeMidnight = previous
                    seconds += Self.day
                    guard seconds >= previous else { return nil }
                }
                previous = seconds
            }
        }
        guard let found else { return nil }
        (position, isBetweenTimes) = found
    }

    /// Adds 24 hours to all times after midnight.
    func addDay(to stopTimes: inout [StopTime]) {
        for number in position..<stopTimes.count {
            if number > position || !isBetweenTimes { Self.addDay(to: &stopTimes[number].arrival) }
            Self.addDay(to: &stopTimes[number].departure)
        }
    }

    private static func addDay(to time: inout ServiceTime?) {
        if let before = time { time = ServiceTime(seconds: before.seconds + day) }
    }
}
