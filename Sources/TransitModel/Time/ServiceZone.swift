/// A time zone with all changes of its offset. This type contains all conversions between local time and instants.
///
/// Created from the bytes of a TZif file (RFC 8536) by ``init(name:tzif:)``. The POSIX rule in the footer applies after
/// the last listed transition. Foundation's `TimeZone` is not used, because in a statically linked program it can
/// return `nil` for every identifier.
///
/// This is a class because each stop, route and agency refers to its zone.
public final class ServiceZone: Sendable, Hashable {
    /// The IANA name under which the zone was requested.
    public let name: String
    /// `offsets[0]` applies before `transitions[0]`, and `offsets[i + 1]` applies from `transitions[i]` on. Offsets are
    /// in seconds.
    let transitions: [Int64]
    private let offsets: [Int32]
    let rule: PosixZoneRule?
    /// For each period from 1970 on, the number of transitions before its start. A search for a time only looks at the
    /// transitions in its period.
    private let transitionCounts: [Int]

    /// The binary logarithm of the length of a period in seconds; a period has 194 days.
    private static let periodBits = 24
    /// The number of entries in ``transitionCounts``, which cover the time until 2071.
    private static let periodCount = 192

    private init(name: String, transitions: [Int64], offsets: [Int32], rule: PosixZoneRule?) {
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.rule = rule
        var count = 0
        transitionCounts = (0..<Self.periodCount).map { period in
            let start = Int64(period) << Self.periodBits
            while count < transitions.count, transitions[count] < start { count += 1 }
            return count
        }
    }

    public static func == (left: ServiceZone, right: ServiceZone) -> Bool {
        left === right
            || (left.name == right.name && left.transitions == right.transitions && left.offsets == right.offsets
                && left.rule == right.rule)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// UTC under its IANA name.
    public static let utc = ServiceZone(name: "Etc/UTC", transitions: [], offsets: [0], rule: nil)
}

extension ServiceZone {
    /// Creates a zone that follows one rule at all times, for a provider that publishes times in the local time of one
    /// city.
    ///
    /// - Parameter posixRule: A rule such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2017 section 8.3, *TZ*). The result
    ///   is `nil` if it is invalid.
    public convenience init?(name: String, posixRule: String) {
        guard let rule = PosixZoneRule(parsing: posixRule.utf8) else { return nil }
        self.init(name: name, transitions: [], offsets: [rule.standardOffset], rule: rule)
    }
}

extension ServiceZone {
    /// Returns the offset in force at an instant, in seconds east of UTC.
    public func offset(at instant: Instant) -> Int { offset(at: instant.secondsSince1970).seconds }

    /// Returns the offset in force at a time, and a time until which it certainly applies.
    private func offset(at time: Int64) -> (seconds: Int, until: Int64) {
        if let rule, time >= transitions.last ?? .min { return (Int(rule.offset(at: time)), time) }
        var low = 0
        var high = transitions.count
        let period = time >> Self.periodBits
        if period >= 0, period < Self.periodCount - 1 {
            low = transitionCounts[Int(period)]
            high = transitionCounts[Int(period) + 1]
        }
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return (Int(offsets[low]), low < transitions.count ? transitions[low] : .max)
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
        let (offsetBefore, until) = offset(at: local - 86_400)
        let before = Int64(offsetBefore)
        if until > local + 86_400 { return Instant(secondsSince1970: local - before) }
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

/// An error in the content of a time zone file.
public enum TimeZoneFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file does not begin with "TZif".
    case notTZif
    /// The file is shorter than its header requires.
    case truncated
    /// The file violates the format. The text describes the violation.
    case malformed(String)

    public var description: String {
        switch self {
        case .notTZif: "not a TZif time zone file"
        case .truncated: "the time zone file is truncated"
        case .malformed(let reason): "the time zone file is malformed: \(reason)"
        }
    }
}

// MARK: - Time zone files

extension ServiceZone {
    /// Parses a TZif file of version 1, 2, 3 or 4 (RFC 8536 section 3; RFC 9636). Later versions are backward
    /// compatible.
    ///
    /// Files with leap seconds are rejected: GTFS and POSIX time have none, and only the "right/" zones contain them.
    public convenience init(name: String, tzif bytes: [UInt8]) throws(TimeZoneFileError) {
        var reader = TZifReader(bytes: bytes)
        var header = try reader.header()
        var timeSize = 4
        if header.version >= 2 {
            // The first block has the contents of the second block with 32-bit times, or is a stub.
            try reader.skip(header.size(timeSize: 4))
            header = try reader.header()
            timeSize = 8
        }
        var block = try reader.block(header, timeSize: timeSize)
        let rule = header.version >= 2 ? try reader.footer() : nil
        if let rule { block.listChanges(by: rule, throughYear: Self.listedThroughYear) }
        self.init(name: name, transitions: block.transitions, offsets: block.offsets, rule: rule)
    }

    /// The last year whose changes are precomputed. Later offsets are computed from the rule.
    private static let listedThroughYear = 2060
}

/// Reads the blocks of a TZif file in order.
private struct TZifReader {
    let bytes: [UInt8]
    var position = 0

    struct Block {
        var transitions: [Int64] = []
        var offsets: [Int32] = []

        /// Appends the changes that follow from a rule. The list of changes in most files ended years ago, and without
        /// the appended changes, every query would compute the change dates of three years.
        mutating func listChanges(by rule: PosixZoneRule, throughYear year: Int) {
            // If the list is empty, the rule also applies to the past.
            guard let last = transitions.last else { return }
            for change in rule.changes(after: last, throughYear: year) {
                transitions.append(change.time)
                offsets.append(change.offset)
            }
        }
    }

    /// RFC 8536 section 3.1.
    struct Header {
        /// 1 for the byte 0, which version 1 files contain.
        var version: Int
        var isUTCount, isStandardCount, leapCount, timeCount, typeCount, characterCount: Int

        /// Returns the size of the data block after the header in bytes.
        func size(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
                + isStandardCount + isUTCount
        }
    }

    /// Reads the data block after a header (RFC 8536 section 3.2).
    mutating func block(_ header: Header, timeSize: Int) throws(TimeZoneFileError) -> Block {
        guard header.leapCount == 0 else { throw .malformed("it contains leap seconds") }
        guard header.typeCount > 0 else { throw .malformed("it has no local time type") }
        let times = try take(header.timeCount * timeSize)
        let kinds = try take(header.timeCount)
        let types = try take(header.typeCount * 6)
        try skip(header.characterCount + header.isStandardCount + header.isUTCount)
        var block = Block(offsets: [offset(types, 0)])
        for position in 0..<header.timeCount {
            let kind = Int(bytes[kinds.lowerBound + position])
            guard kind < header.typeCount else { throw .malformed("transition \(position) has an unknown type") }
            let time = integer(times.lowerBound + position * timeSize, size: timeSize)
            guard block.transitions.last ?? .min < time || position == 0 else {
                throw .malformed("transition \(position) is not later than the previous transition")
            }
            block.transitions.append(time)
            block.offsets.append(offset(types, kind))
        }
        guard block.offsets.allSatisfy({ abs(Int($0)) < 86_400 }) else {
            throw .malformed("an offset from UTC is 24 hours or more")
        }
        return block
    }

    /// Reads the rule between two newlines after the second block (RFC 8536 section 3.3). Returns `nil` if it is empty.
    mutating func footer() throws(TimeZoneFileError) -> PosixZoneRule? {
        guard position < bytes.count, bytes[position] == 0x0A else { throw .truncated }
        guard let end = bytes[(position + 1)...].firstIndex(of: 0x0A) else { throw .truncated }
        let text = bytes[(position + 1)..<end]
        position = end + 1
        if text.isEmpty { return nil }
        guard let rule = PosixZoneRule(parsing: text) else {
            throw .malformed("its footer \"\(String(decoding: text, as: UTF8.self))\" is not a POSIX TZ rule")
        }
        return rule
    }

    mutating func header() throws(TimeZoneFileError) -> Header {
        guard bytes[position...].starts(with: [0x54, 0x5A, 0x69, 0x66]) else { throw .notTZif }
        let start = try take(44).lowerBound
        let version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 0x30
        guard version >= 1 else { throw .malformed("its version is unknown") }
        let counts = (0..<6).map { Int(UInt32(truncatingIfNeeded: integer(start + 20 + $0 * 4, size: 4))) }
        return Header(
            version: version, isUTCount: counts[0], isStandardCount: counts[1], leapCount: counts[2],
            timeCount: counts[3], typeCount: counts[4], characterCount: counts[5])
    }

    mutating func skip(_ count: Int) throws(TimeZoneFileError) { _ = try take(count) }

    private mutating func take(_ count: Int) throws(TimeZoneFileError) -> Range<Int> {
        guard count <= bytes.count - position else { throw .truncated }
        defer { position += count }
        return position..<(position + count)
    }

    private func offset(_ types: Range<Int>, _ kind: Int) -> Int32 {
        Int32(truncatingIfNeeded: integer(types.lowerBound + kind * 6, size: 4))
    }

    /// Reads a big-endian number in two's complement.
    private func integer(_ start: Int, size: Int) -> Int64 {
        var value: UInt64 = bytes[start] >= 0x80 ? .max : 0
        for position in start..<(start + size) { value = value << 8 | UInt64(bytes[position]) }
        return Int64(bitPattern: value)
    }
}
