/// A time zone with every change of its offset: the only place where civil time meets instants.
///
/// Made from the bytes of a TZif file (RFC 8536) by ``init(name:tzif:)``; the footer's POSIX rule carries it past the
/// last listed transition. Foundation's `TimeZone` is not used: a statically linked program can answer `nil` for every identifier.
public struct ServiceZone: Sendable, Hashable {
    /// The IANA name it was asked for by.
    public let name: String
    /// `offsets[0]` holds before `transitions[0]`; `offsets[i + 1]` from `transitions[i]` on. Seconds.
    var transitions: [Int64]
    var offsets: [Int32]
    let rule: PosixZoneRule?

    /// UTC under its IANA name.
    public static let utc = ServiceZone(name: "Etc/UTC", transitions: [], offsets: [0], rule: nil)
}

extension ServiceZone {
    /// A zone that follows one rule at all times, for a provider whose answers are in the civil time of one city.
    ///
    /// - Parameter posixRule: such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2017 section 8.3, *TZ*); `nil` comes of
    ///   anything else.
    public init?(name: String, posixRule: String) {
        guard let rule = PosixZoneRule(parsing: posixRule.utf8) else { return nil }
        self.init(name: name, transitions: [], offsets: [rule.standardOffset], rule: rule)
    }
}

extension ServiceZone {
    /// The offset in force at that moment, in seconds east of UTC.
    public func offset(at instant: Instant) -> Int {
        let time = instant.secondsSince1970
        if let rule, time >= transitions.last ?? .min { return Int(rule.offset(at: time)) }
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return Int(offsets[low])
    }

    /// What a clock on the wall shows: the civil date and the seconds since its midnight as shown, 0...86,399.
    public func civil(at instant: Instant) -> (date: ServiceDate, secondsOfDay: Int) {
        let local = instant.secondsSince1970 + Int64(offset(at: instant))
        let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        return (ServiceDate(daysSince1970: Int32(clamping: days)), Int(local - days * 86_400))
    }

    /// The moment at which a clock on the wall shows that time of that date.
    ///
    /// A time that the clock shows twice, when it is put back, is the earlier of both. A time that it skips, when it is
    /// put forward, is read with the offset before the change: in Berlin 02:30 of that night is 03:30. So a date that
    /// a zone skipped whole (Apia, 2011-12-30) is the date after it. `secondsOfDay` may lie outside of a day.
    public func instant(date: ServiceDate, secondsOfDay: Int) -> Instant {
        let local = Int64(date.daysSince1970) * 86_400 + Int64(secondsOfDay)
        // No offset reaches a day, so the one before any change that matters and the one after it are found like this.
        let before = Int64(offset(at: Instant(secondsSince1970: local - 86_400)))
        let after = Int64(offset(at: Instant(secondsSince1970: local + 86_400)))
        let early = Instant(secondsSince1970: local - before)
        if before == after || Int64(offset(at: early)) == before { return early }
        let late = Instant(secondsSince1970: local - after)
        return Int64(offset(at: late)) == after ? late : early
    }

    /// The later of the two instants at which a local clock shows that time of that date, when clocks are set back.
    /// `nil` if the time occurs once.
    public func laterInstant(date: ServiceDate, secondsOfDay: Int) -> Instant? {
        let local = Int64(date.daysSince1970) * 86_400 + Int64(secondsOfDay)
        let after = Int64(offset(at: Instant(secondsSince1970: local + 86_400)))
        let late = Instant(secondsSince1970: local - after)
        guard Int64(offset(at: late)) == after, late > instant(date: date, secondsOfDay: secondsOfDay) else {
            return nil
        }
        return late
    }

    /// The moment from which the times of a service date count: noon minus twelve hours (GTFS reference, *Time*).
    ///
    /// It is midnight except on the dates on which the clock changes between midnight and noon.
    public func serviceDayStart(_ date: ServiceDate) -> Instant {
        instant(date: date, secondsOfDay: 43_200).advanced(by: -43_200)
    }

    /// When a call with that GTFS time happens on that service date.
    public func instant(of time: ServiceTime, on date: ServiceDate) -> Instant {
        serviceDayStart(date).advanced(by: Int(time.seconds))
    }

    /// RFC 3339 with the zone's offset at that moment; an offset of odd seconds, as before standard time, is cut to minutes.
    public func rfc3339(_ instant: Instant) -> String {
        let offset = offset(at: instant)
        return instant.rfc3339(offset: offset - offset % 60)
    }
}
