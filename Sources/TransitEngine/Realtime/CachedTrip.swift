internal import TransitModel

/// What is remembered of a trip of the timetable from one message to the next: plain numbers.
struct CachedTrip {
    var trip: TripIndex
    /// Of ``TripMatcher/patterns``.
    var patternNumber: Int32
    var timingGroup: Int32
    var position: Int32
    /// Its first departure in service time.
    var start: Int32
    /// From its start to its last arrival.
    var duration: Int32
    var service: ServiceIndex
    /// Whether frequencies.txt repeats it.
    var isRepeated: Bool
}

/// A run that a descriptor means.
struct MatchedTrip {
    var known: CachedTrip
    var key: TripInstanceKey
    var start: Int32
    /// Seconds since 1970.
    var begins: Int64
    var match: RealtimeTrip.Match
    /// A run of frequencies.txt with `exact_times` 0, which has no times of a timetable.
    var isWithoutTimetable: Bool
}

/// What a message implies about the service date of a trip, besides `start_date`.
struct ServiceDateEvidence {
    /// The origin of the time.
    enum Kind {
        /// A time that the publisher states for a call: evidence for the date whose run is planned near it.
        case stated
        /// The time of a vehicle's position on the trip: evidence for the date whose run is under way then.
        case seen
        /// The time of the message, minus its delay: a hint, and no evidence.
        case message
        /// The time of a message that only cancels the trip: no hint about future dates.
        case withdrawal
    }

    let kind: Kind
    /// Seconds since 1970, up to the year 9999: behind it civil time ends.
    let time: Int64
    /// Seconds from the run's start at which the timetable has what happens at ``time``; `nil`: the run is thought to be
    /// under way at ``time``, or near to it.
    let offset: Int32?

    /// Moments that civil time has here: 1970 to 9999.
    static let years: ClosedRange<Int64> = 0...253_402_300_799

    /// The maximum number of seconds by which a stated departure may precede its plan. No vehicle leaves an hour early,
    /// so an earlier time belongs to another day or another trip.
    static let maximumEarliness: Int64 = 3600
    /// The number of seconds after or before a run at which the run of an adjacent date is just as near.
    static let halfDay: Int64 = 12 * 3600
    /// The maximum number of seconds before its start at which a run of tomorrow may be reported by its delay alone. Some
    /// publishers report early trips late in the evening.
    static let maximumLead: Int64 = 6 * 3600

    init(_ kind: Kind, time: Int64, offset: Int32? = nil) {
        self.kind = kind
        self.time = min(max(Self.years.lowerBound, time), Self.years.upperBound)
        self.offset = offset
    }

    /// The number of seconds from the run's plan to the clue, negative if the clue is earlier; 0 while the run is under
    /// way.
    func distance(begins: Int64, duration: Int32) -> Int64 {
        if let offset { return time &- (begins &+ Int64(offset)) }
        if time < begins { return time &- begins }
        return max(0, time &- (begins &+ Int64(max(0, duration))))
    }

    /// Whether the clue is evidence for a run: at most an hour before its plan and at most two hours after it.
    func fits(begins: Int64, duration: Int32) -> Bool {
        switch kind {
        case .stated, .seen:
            (-Self.maximumEarliness...TripProgressClock.maximumLateness).contains(
                distance(begins: begins, duration: duration))
        case .message, .withdrawal: false
        }
    }

    /// Whether the clue is evidence against a run: the vehicle cannot be that early.
    func contradicts(begins: Int64, duration: Int32) -> Bool {
        switch kind {
        case .stated, .seen: distance(begins: begins, duration: duration) < -Self.maximumEarliness
        case .message, .withdrawal: false
        }
    }
}
