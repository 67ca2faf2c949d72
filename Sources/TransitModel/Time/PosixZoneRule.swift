/// The rule after the last transition of a TZif file, such as `CET-1CEST,M3.5.0,M10.5.0/3`
/// (POSIX.1-2017 section 8.3, *TZ*, with the extensions of RFC 8536 section 3.3.1).
struct PosixZoneRule: Sendable, Hashable {
    /// Seconds east of UTC.
    var standardOffset: Int32
    var daylight: Daylight?

    struct Daylight: Sendable, Hashable {
        var offset: Int32
        var start: Change
        var end: Change
    }

    /// A day of the year and the seconds after its local midnight, -167...167 hours.
    struct Change: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// `Jn`: 1...365, 29 February never counted.
            case julian(Int)
            /// `n`: 0...365.
            case zeroBased(Int)
            /// `Mm.w.d`: month 1...12, week 1...5 (5 is the last), weekday 0...6 from Sunday.
            case weekday(month: Int, week: Int, weekday: Int)
        }
        var day: Day
        var time: Int32
    }
}
