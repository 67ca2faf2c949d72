public import TransitModel

/// Judges whether a full message may withdraw the trips that it lacks.
///
/// A full message replaces all data of its source (*FeedHeader*, `incrementality`). But when a publisher's system
/// restarts, it sends valid messages without any trip, and to believe them would show canceled trips as running. If
/// nearly all trips that were reported and are not over disappear together, their data therefore stays in use like that
/// of a silent source until further messages confirm that they are gone.
public enum TripWithdrawal {
    /// The minimum number of trips that disappear together for a message to be doubted. With fewer, the end of service
    /// would raise doubts.
    public static let minimumTrips = 5
    /// The time in seconds for which trips must be gone before it is believed.
    public static let confirmationTime = 300
    /// The number of messages without the trips before it is believed.
    public static let confirmationMessages = 3
    /// The maximum number of groups of trips that are retained at the same time.
    static let maximumGroups = 3

    /// Returns whether a full message is doubted.
    ///
    /// - Parameters:
    ///   - reported: the number of trips in the previous message that are not over.
    ///   - gone: the number of those that the message lacks.
    public static func isDoubtful(reported: Int, gone: Int) -> Bool {
        gone >= minimumTrips && gone * 10 >= reported * 9
    }

    /// Returns whether it is believed that trips are gone, at the time of a message that lacks them.
    public static func isBelieved(_ retention: TripRetention, at now: Instant) -> Bool {
        retention.messages >= confirmationMessages && retention.missingSince.seconds(to: now) >= confirmationTime
    }
}

/// Trips that disappeared together from a source's full messages, and whose data stays in use for now.
public struct TripRetention: Hashable, Sendable {
    /// The time of the last message with the trips, which is the age of their data.
    public var reported: Instant
    /// The time at which the first message without the trips was received.
    public var missingSince: Instant
    /// The number of different messages without the trips.
    public var messages: Int

    public init(reported: Instant, missingSince: Instant, messages: Int = 1) {
        self.reported = reported
        self.missingSince = missingSince
        self.messages = messages
    }

    /// Returns the retention with its time on the present wall clock, so that a step of the clock neither confirms a
    /// withdrawal nor delays it. The time is never in the future, which it can be after a restart.
    ///
    /// - Parameter clockStep: the seconds by which the wall clock was set forward.
    public func adjusted(clockStep: Int, now: Instant) -> TripRetention {
        var adjusted = self
        adjusted.missingSince = min(missingSince.advanced(by: clockStep), now)
        return adjusted
    }
}

/// Trips that a source no longer reports, as several messages have confirmed.
public struct ConfirmedWithdrawal: Hashable, Sendable {
    /// The time at which the first message without the trips was received.
    public var since: Instant
    /// The time at which it was believed.
    public var confirmed: Instant
    public var trips: Int
    /// The number of trips that were canceled and no longer are.
    public var cancellations: Int
    /// The time at which the last of the trips is over.
    public var end: Instant

    public init(since: Instant, confirmed: Instant, trips: Int, cancellations: Int, end: Instant) {
        self.since = since
        self.confirmed = confirmed
        self.trips = trips
        self.cancellations = cancellations
        self.end = end
    }

    /// Returns whether the withdrawal still concerns riders: the trips are not over, and the source reports fewer than
    /// half as many.
    func isCurrent(at now: Instant, reported: Int) -> Bool { now < end && reported * 2 < trips }

    mutating func add(_ other: ConfirmedWithdrawal) {
        since = min(since, other.since)
        confirmed = max(confirmed, other.confirmed)
        trips += other.trips
        cancellations += other.cancellations
        end = max(end, other.end)
    }
}
