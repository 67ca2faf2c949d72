internal import TransitModel

/// A scheduled trip in the matcher's cache, as plain numbers. The cache lasts from one message to the next.
struct CachedTrip {
    var trip: TripIndex
    /// Index into ``TripMatcher/patterns``.
    var patternNumber: Int32
    var timingGroup: Int32
    var position: Int32
    /// The first departure, in service time.
    var start: Int32
    /// Seconds from the start to the last arrival.
    var duration: Int32
    var service: ServiceIndex
    /// Whether frequencies.txt repeats the trip.
    var isFrequencyBased: Bool
}

/// The trip instance to which a trip descriptor refers.
struct MatchedTrip {
    var known: CachedTrip
    var key: TripInstanceKey
    var start: Int32
    /// The start, in seconds since 1970.
    var startInstant: Int64
    var match: RealtimeTrip.Match
    /// Whether the instance belongs to a trip of frequencies.txt with `exact_times` 0, which has no scheduled times.
    var isWithoutTimetable: Bool
}

/// Evidence in a message for the service date of a trip, other than `start_date`.
struct ServiceDateEvidence {
    /// The origin of the time.
    enum Kind {
        /// A time that the publisher states for a call. The time is evidence for the date on which the trip is
        /// scheduled near it.
        case stated
        /// The time of a vehicle position on the trip. The time is evidence for the date on which the trip is under way
        /// then.
        case seen
        /// The time of the message, minus its delay. This time is a hint rather than evidence.
        case message
        /// The time of a message that only cancels the trip. This time gives no hint about future dates.
        case withdrawal
    }

    let kind: Kind
    /// Seconds since 1970, clamped to the years up to 9999, the range of civil time.
    let time: Int64
    /// Seconds from the start of the trip to the scheduled time of the event at ``time``. `nil` if the trip is assumed
    /// to be under way at ``time``, or close to it.
    let offset: Int32?

    /// The range of civil time, from 1970 to 9999, in seconds since 1970.
    static let validRange: ClosedRange<Int64> = 0...253_402_300_799

    /// The maximum number of seconds by which a stated departure may precede its scheduled time. No vehicle leaves an
    /// hour early, so an earlier time belongs to another day or another trip.
    static let maximumEarliness: Int64 = 3600
    /// Half a day in seconds. A time this far before or after a trip is equally near to the trip on an adjacent date.
    static let halfDay: Int64 = 12 * 3600
    /// The maximum number of seconds before the start of tomorrow's trip at which its delay alone identifies the trip.
    /// Some publishers report early trips late in the evening.
    static let maximumLead: Int64 = 6 * 3600

    init(_ kind: Kind, time: Int64, offset: Int32? = nil) {
        self.kind = kind
        self.time = min(max(Self.validRange.lowerBound, time), Self.validRange.upperBound)
        self.offset = offset
    }

    /// The number of seconds from the scheduled time to the evidence, negative if the evidence is earlier; 0 while the
    /// trip is under way.
    func distance(startInstant: Int64, duration: Int32) -> Int64 {
        if let offset { return time &- (startInstant &+ Int64(offset)) }
        if time < startInstant { return time &- startInstant }
        return max(0, time &- (startInstant &+ Int64(max(0, duration))))
    }

    /// Whether this evidence fits a trip instance, that is, whether its time is between one hour before and two hours
    /// after the instance's scheduled time.
    func fits(startInstant: Int64, duration: Int32) -> Bool {
        switch kind {
        case .stated, .seen:
            (-Self.maximumEarliness...TripProgressClock.maximumLateness).contains(
                distance(startInstant: startInstant, duration: duration))
        case .message, .withdrawal: false
        }
    }

    /// Whether this evidence rules out a trip instance, because a vehicle cannot be that early.
    func contradicts(startInstant: Int64, duration: Int32) -> Bool {
        switch kind {
        case .stated, .seen: distance(startInstant: startInstant, duration: duration) < -Self.maximumEarliness
        case .message, .withdrawal: false
        }
    }
}
