internal import TransitModel

/// Collects the problems of one message, and converts its numbers and texts to values of the model.
struct ProblemLog {
    private(set) var problems = RealtimeProblems()
    /// The index of the first finding that belongs to the entity being read.
    private var firstOfEntity = 0
    // The number of list members in the message so far, by list.
    private var informedEntities = 0
    private var activePeriods = 0
    private var translations = 0

    init(_ problems: RealtimeProblems = RealtimeProblems()) {
        self.problems = problems
        firstOfEntity = problems.findings.count
    }

    /// Adds a problem. `field` is the name of the field in the GTFS-Realtime reference, for example
    /// "TripDescriptor.start_time".
    mutating func add(
        _ rule: RealtimeProblems.Rule, _ field: StaticString, at offset: Int, _ value: @autoclosure () -> String? = nil
    ) {
        problems.add(
            rule,
            .init(
                field: field.description, offset: offset,
                value: value().map {
                    String($0.unicodeScalars.lazy.filter(Self.isPlain).prefix(32).map(Character.init))
                }))
    }

    /// Counts an entity selector of an alert. Returns false if it exceeds ``RealtimeLimits`` and must be ignored.
    mutating func acceptsInformedEntity(at offset: Int) -> Bool {
        informedEntities += 1
        return isWithin(informedEntities, RealtimeLimits.informedEntities, "Alert.informed_entity", offset)
    }

    /// Counts an active period. Returns false if it exceeds ``RealtimeLimits`` and must be ignored.
    mutating func acceptsActivePeriod(at offset: Int) -> Bool {
        activePeriods += 1
        return isWithin(activePeriods, RealtimeLimits.activePeriods, "Alert.active_period", offset)
    }

    /// Counts a translation. Returns false if it exceeds ``RealtimeLimits`` and must be ignored.
    mutating func acceptsTranslation(at offset: Int) -> Bool {
        translations += 1
        return isWithin(translations, RealtimeLimits.translations, "TranslatedString.translation", offset)
    }

    /// Returns whether a trip update with `count` stop time updates may have another one. If not, the additional update
    /// must be ignored.
    @inline(__always)
    mutating func acceptsStopTimeUpdate(after count: Int, at offset: Int) -> Bool {
        isWithin(count + 1, RealtimeLimits.stopTimeUpdatesPerTrip, "TripUpdate.stop_time_update", offset)
    }

    /// Returns whether a StopMonitoring response with `count` visits may have another one. If not, the additional visit
    /// must be ignored.
    mutating func acceptsVisit(after count: Int, of limit: Int, at offset: Int) -> Bool {
        isWithin(count + 1, limit, "StopMonitoringDelivery.MonitoredStopVisit", offset)
    }

    @inline(__always)
    private mutating func isWithin(_ count: Int, _ limit: Int, _ field: StaticString, _ offset: Int) -> Bool {
        if count <= limit { return true }
        add(.tooManyMembers, field, at: offset)
        return false
    }

    /// Ends the current entity and adds its `id` to the entity's findings.
    mutating func endEntity(_ id: EntityID) {
        guard firstOfEntity < problems.findings.count else { return }
        if !id.rawValue.isEmpty { problems.name(id, from: firstOfEntity) }
        firstOfEntity = problems.findings.count
    }

    /// Returns whether the scalar is not a control character. Terminals interpret control characters.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
    }
}

// MARK: - Values
extension ProblemLog {
    /// The last second of the year 9999. Times in milliseconds, which some publishers send, far exceed this limit.
    private static let lastSecond: UInt64 = 253_402_300_799

    /// Converts a time in seconds since 1970. Reports times out of range, including 0, which some publishers write for
    /// an unknown time.
    @inline(__always)
    mutating func instant(_ seconds: UInt64, _ field: StaticString, at offset: Int) -> Instant? {
        guard seconds > 0, seconds <= Self.lastSecond else {
            add(.invalidTimestamp, field, at: offset, String(Int64(bitPattern: seconds)))
            return nil
        }
        return Instant(secondsSince1970: Int64(seconds))
    }

    /// Converts the start or end of a time range. A value of 0 usually means that the range is open.
    mutating func rangeBound(_ seconds: UInt64, _ field: StaticString, at offset: Int) -> Instant? {
        seconds == 0 ? nil : instant(seconds, field, at: offset)
    }

    mutating func direction(_ number: Int64, _ field: StaticString, at offset: Int) -> Direction? {
        if let direction = UInt8(exactly: number).flatMap(Direction.init) { return direction }
        add(.invalidDirection, field, at: offset, String(number))
        return nil
    }

    /// Converts the number of an enumeration value. Reports an undefined number and returns `nil`, which leaves the
    /// field unset, as protobuf requires for closed enumerations.
    mutating func value<Value: GTFSRealtimeEnum>(
        _ number: Int64, _ field: StaticString, at offset: Int
    ) -> Value? {
        if let value = Value(wireNumber: number) { return value }
        add(.unknownEnumValue, field, at: offset, String(number))
        return nil
    }

    /// Parses a time in the format `HH:MM:SS`. An empty text counts as absent.
    mutating func time(_ text: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int) -> ServiceTime? {
        guard !text.isEmpty else { return nil }
        if let time = ServiceTime(gtfs: text) { return time }
        add(.invalidTime, field, at: offset, String(decoding: text.prefix(64), as: UTF8.self))
        return nil
    }

    /// Parses a date in the format `YYYYMMDD`. An empty text counts as absent.
    mutating func date(_ text: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int) -> ServiceDate? {
        guard !text.isEmpty else { return nil }
        if let date = ServiceDate(gtfs: text) { return date }
        add(.invalidDate, field, at: offset, String(decoding: text.prefix(64), as: UTF8.self))
        return nil
    }

    /// Decodes a text. Returns `nil` if it is empty, which some publishers write for "none".
    @inline(__always)
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int) -> String? {
        guard !bytes.isEmpty else { return nil }
        guard Self.isASCII(bytes) else { return validated(bytes, field, at: offset) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }

    @inline(never)
    private mutating func validated(
        _ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int
    ) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let text = String(decoding: bytes, as: UTF8.self)
        add(.invalidText, field, at: offset, text)
        return text
    }
}
