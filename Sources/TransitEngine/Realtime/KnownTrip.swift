internal import TransitModel

/// What is remembered of a trip of the timetable from one message to the next: plain numbers.
struct KnownTrip {
    var trip: TripIndex
    /// Of ``TripMatcher/patterns``.
    var patternNumber: Int32
    var lane: Int32
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
struct MatchedRun {
    var known: KnownTrip
    var key: RunKey
    var start: Int32
    /// Seconds since 1970.
    var begins: Int64
    var match: LiveRun.Match
    /// A run of frequencies.txt with `exact_times` 0, which has no times of a timetable.
    var isWithoutTimetable: Bool
}

/// A moment by which a service date is chosen when the message gives none.
struct DateClue {
    /// Seconds since 1970, up to the year 9999: behind it civil time ends.
    let time: Int64
    /// Seconds from the run's start at which the timetable has what happens at ``time``; `nil`: the run is thought to be
    /// under way at ``time``, or near to it.
    let offset: Int32?

    /// Moments that civil time has here: 1970 to 9999.
    static let years: ClosedRange<Int64> = 0...253_402_300_799

    init(time: Int64, offset: Int32?) {
        self.time = min(max(Self.years.lowerBound, time), Self.years.upperBound)
        self.offset = offset
    }
}
