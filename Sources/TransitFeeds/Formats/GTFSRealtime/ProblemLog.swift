internal import TransitModel

/// Counts what is wrong while one message is read, and turns numbers of the wire into values of the model.
struct ProblemLog {
    private(set) var problems = RealtimeProblems()
    /// The first finding that belongs to the entity being read.
    private var firstOfEntity = 0
    // The number of list members that the message had so far.
    private var informedEntities = 0
    private var activePeriods = 0
    private var translations = 0

    init(_ problems: RealtimeProblems = RealtimeProblems()) {
        self.problems = problems
        firstOfEntity = problems.findings.count
    }

    /// `field` is named as in the GTFS-Realtime reference: "TripDescriptor.start_time".
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

    /// Counts a selector of an alert. Returns false for one beyond ``RealtimeLimits``, which must be left out.
    mutating func acceptsInformedEntity(at offset: Int) -> Bool {
        informedEntities += 1
        return isWithin(informedEntities, RealtimeLimits.informedEntities, "Alert.informed_entity", offset)
    }

    /// The same as ``takesInformedEntity(at:)``, for an active period.
    mutating func acceptsActivePeriod(at offset: Int) -> Bool {
        activePeriods += 1
        return isWithin(activePeriods, RealtimeLimits.activePeriods, "Alert.active_period", offset)
    }

    /// The same as ``takesInformedEntity(at:)``, for a translation.
    mutating func acceptsTranslation(at offset: Int) -> Bool {
        translations += 1
        return isWithin(translations, RealtimeLimits.translations, "TranslatedString.translation", offset)
    }

    /// The same as ``takesInformedEntity(at:)``, for the next stop time update of a trip update that has `count` of
    /// them.
    @inline(__always)
    mutating func acceptsStopTimeUpdate(after count: Int, at offset: Int) -> Bool {
        isWithin(count + 1, RealtimeLimits.stopTimeUpdatesPerTrip, "TripUpdate.stop_time_update", offset)
    }

    /// As ``takesInformedEntity(at:)``, for the visit after so many of a StopMonitoring reply.
    mutating func acceptsVisit(after count: Int, of limit: Int, at offset: Int) -> Bool {
        isWithin(count + 1, limit, "StopMonitoringDelivery.MonitoredStopVisit", offset)
    }

    @inline(__always)
    private mutating func isWithin(_ count: Int, _ limit: Int, _ field: StaticString, _ offset: Int) -> Bool {
        if count <= limit { return true }
        add(.tooManyMembers, field, at: offset)
        return false
    }

    /// To be called when an entity has been read, with its `id`.
    mutating func endEntity(_ id: EntityID) {
        guard firstOfEntity < problems.findings.count else { return }
        if !id.rawValue.isEmpty { problems.name(id, from: firstOfEntity) }
        firstOfEntity = problems.findings.count
    }

    /// Not a control character, which would act on a terminal.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
    }
}

// MARK: - Values
extension ProblemLog {
    /// The last second of the year 9999; milliseconds, which some publishers write, are far beyond it.
    private static let lastSecond: UInt64 = 253_402_300_799

    /// A moment in seconds since 1970. Some publishers write 0 where they know none.
    @inline(__always)
    mutating func instant(_ seconds: UInt64, _ field: StaticString, at offset: Int) -> Instant? {
        guard seconds > 0, seconds <= Self.lastSecond else {
            add(.invalidTimestamp, field, at: offset, String(Int64(bitPattern: seconds)))
            return nil
        }
        return Instant(secondsSince1970: Int64(seconds))
    }

    /// An end of a span of time; 0 is common for an end that is open.
    mutating func end(_ seconds: UInt64, _ field: StaticString, at offset: Int) -> Instant? {
        seconds == 0 ? nil : instant(seconds, field, at: offset)
    }

    mutating func direction(_ number: Int64, _ field: StaticString, at offset: Int) -> Direction? {
        if let direction = UInt8(exactly: number).flatMap(Direction.init) { return direction }
        add(.invalidDirection, field, at: offset, String(number))
        return nil
    }

    /// The value of an enumeration; `nil` for a number that the specification does not have, which changes nothing, as in
    /// every reader of protobuf that keeps to the schema.
    mutating func value<Value: WireEnumeration>(
        _ number: Int64, _ field: StaticString, at offset: Int
    ) -> Value? {
        if let value = Value(wireNumber: number) { return value }
        add(.unknownEnumValue, field, at: offset, String(number))
        return nil
    }

    /// `HH:MM:SS`; empty is as good as absent.
    mutating func time(_ text: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int) -> ServiceTime? {
        guard !text.isEmpty else { return nil }
        if let time = ServiceTime(gtfs: text) { return time }
        add(.invalidTime, field, at: offset, String(decoding: text.prefix(64), as: UTF8.self))
        return nil
    }

    /// `YYYYMMDD`; empty is as good as absent.
    mutating func date(_ text: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int) -> ServiceDate? {
        guard !text.isEmpty else { return nil }
        if let date = ServiceDate(gtfs: text) { return date }
        add(.invalidDate, field, at: offset, String(decoding: text.prefix(64), as: UTF8.self))
        return nil
    }

    /// A text; `nil` when it is empty, which some publishers write for "none".
    @inline(__always)
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int) -> String? {
        guard !bytes.isEmpty else { return nil }
        guard Self.isASCII(bytes) else { return checked(bytes, field, at: offset) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }

    @inline(never)
    private mutating func checked(
        _ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, at offset: Int
    ) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let text = String(decoding: bytes, as: UTF8.self)
        add(.invalidText, field, at: offset, text)
        return text
    }
}
