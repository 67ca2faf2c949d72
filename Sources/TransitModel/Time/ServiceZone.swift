/// A time zone with all changes of its offset. This type contains all conversions between local time and instants.
///
/// Created from the bytes of a TZif file (RFC 8536) by ``init(name:tzif:)``. The POSIX rule in the footer applies after
/// the last listed transition. Foundation's `TimeZone` is not used, because in a statically linked program it can
/// return `nil` for every identifier.
public struct ServiceZone: Sendable, Hashable {
    /// The IANA name under which the zone was requested.
    public let name: String
    /// `offsets[0]` applies before `transitions[0]`, and `offsets[i + 1]` applies from `transitions[i]` on. Offsets are
    /// in seconds.
    var transitions: [Int64]
    var offsets: [Int32]
    let rule: PosixZoneRule?

    /// UTC under its IANA name.
    public static let utc = ServiceZone(name: "Etc/UTC", transitions: [], offsets: [0], rule: nil)
}

extension ServiceZone {
    /// Creates a zone that follows one rule at all times, for a provider that publishes times in the local time of one
    /// city.
    ///
    /// - Parameter posixRule: A rule such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2017 section 8.3, *TZ*). The result
    ///   is `nil` if it is invalid.
    public init?(name: String, posixRule: String) {
        guard let rule = PosixZoneRule(parsing: posixRule.utf8) else { return nil }
        self.init(name: name, transitions: [], offsets: [rule.standardOffset], rule: rule)
    }
}

extension ServiceZone {
    /// Returns the offset in force at an instant, in seconds east of UTC.
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

    /// Returns the local date and the seconds since midnight, 0...86,399, that a clock shows at an instant.
    public func civil(at instant: Instant) -> (date: ServiceDate, secondsOfDay: Int) {
        let local = instant.secondsSince1970 + Int64(offset(at: instant))
        let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        return (ServiceDate(daysSince1970: Int32(clamping: days)), Int(local - days * 86_400))
    }

    /// Returns the instant at which a local clock shows a time on a date.
    ///
    /// When clocks are set back and a time occurs twice, the earlier instant is returned. When clocks are set forward
    /// and a time is skipped, the offset before the change applies: for example, 02:30 on that night in Berlin becomes
    /// 03:30. A date that a zone skipped (Apia, 2011-12-30) therefore becomes the next date. `secondsOfDay` may be
    /// outside 0..<86,400.
    public func instant(date: ServiceDate, secondsOfDay: Int) -> Instant {
        let local = Int64(date.daysSince1970) * 86_400 + Int64(secondsOfDay)
        // No offset reaches 24 hours, so these are the offsets before and after any change that matters.
        let before = Int64(offset(at: Instant(secondsSince1970: local - 86_400)))
        let after = Int64(offset(at: Instant(secondsSince1970: local + 86_400)))
        let early = Instant(secondsSince1970: local - before)
        if before == after || Int64(offset(at: early)) == before { return early }
        let late = Instant(secondsSince1970: local - after)
        return Int64(offset(at: late)) == after ? late : early
    }

    /// Returns the later of the two instants at which a local clock shows a time that occurs twice because clocks are
    /// set back, or `nil` if the time occurs only once.
    public func laterInstant(date: ServiceDate, secondsOfDay: Int) -> Instant? {
        let local = Int64(date.daysSince1970) * 86_400 + Int64(secondsOfDay)
        let after = Int64(offset(at: Instant(secondsSince1970: local + 86_400)))
        let late = Instant(secondsSince1970: local - after)
        guard Int64(offset(at: late)) == after, late > instant(date: date, secondsOfDay: secondsOfDay) else {
            return nil
        }
        return late
    }

    /// Returns the instant from which the times of a service date count: noon minus twelve hours (GTFS reference,
    /// *Time*).
    ///
    /// This instant is midnight, except on dates on which the clock changes between midnight and noon.
    public func serviceDayStart(_ date: ServiceDate) -> Instant {
        instant(date: date, secondsOfDay: 43_200).advanced(by: -43_200)
    }

    /// Returns the instant of a GTFS time on a service date.
    public func instant(of time: ServiceTime, on date: ServiceDate) -> Instant {
        serviceDayStart(date).advanced(by: Int(time.seconds))
    }

    /// Formats an instant in RFC 3339 with the zone's offset. Offsets with seconds, as before standard time, are
    /// truncated to minutes.
    public func rfc3339(_ instant: Instant) -> String {
        let offset = offset(at: instant)
        return instant.rfc3339(offset: offset - offset % 60)
    }
}
