// Generated from Sources/TransitControl/Messages/PinnedJourneys.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension JourneyPinParameters {
    public init(
        from: String, to: String, legs: [PinnedLeg], walkBefore: Int? = nil, walkAfter: Int? = nil,
        modes: [String] = [], wheelchair: Bool = false, bicycles: Bool = false, _: Void = ()
    ) {
        self.init(
            from: from, to: to, legs: legs, walkBefore: walkBefore, walkAfter: walkAfter, modes: modes,
            wheelchair: wheelchair, bicycles: bicycles
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.from = try members.required("from", in: 1...300)
        self.to = try members.required("to", in: 1...300)
        self.legs = try members.required("legs", in: 1...8)
        self.walkBefore = try members.optional("walk_before", in: 0...86400)
        self.walkAfter = try members.optional("walk_after", in: 0...86400)
        self.modes = try members.optional("modes", in: 0...14, default: [])
        self.wheelchair = try members.optional("wheelchair", default: false)
        self.bicycles = try members.optional("bicycles", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("from", self.from)
        writer.member("to", self.to)
        writer.member("legs", self.legs)
        if self.walkBefore != nil { writer.member("walk_before", self.walkBefore) }
        if self.walkAfter != nil { writer.member("walk_after", self.walkAfter) }
        if self.modes != [] { writer.member("modes", self.modes) }
        if self.wheelchair != false { writer.member("wheelchair", self.wheelchair) }
        if self.bicycles != false { writer.member("bicycles", self.bicycles) }
        writer.endObject()
    }

    public static var schemaName: String { "JourneyPinParameters" }
    public static var description: String { "Pins a journey, which is followed to its end: you are notified when to leave, of delays, cancellations, other platforms and broken changes on it, and when to get off." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("from", String.self, "The origin, in the format of `from` in `journeys`.", in: 1...300)
        builder.member("to", String.self, "The destination, in the same format.", in: 1...300)
        builder.member("legs", [PinnedLeg].self, "The rides, as a reply to `journeys` has them.", in: 1...8)
        builder.member("walk_before", Int?.self, "The journey's `walk_before`.", unit: .seconds, in: 0...86400)
        builder.member("walk_after", Int?.self, "The journey's `walk_after`.", unit: .seconds, in: 0...86400)
        builder.member("modes", [String].self, "The `modes` with which the journey was found. What replaces the journey has no others.", in: 0...14, default: [])
        builder.member("wheelchair", Bool.self, "The `wheelchair` with which the journey was found.", default: false)
        builder.member("bicycles", Bool.self, "The `bicycles` with which the journey was found.", default: false)
    }
}

extension PinnedLeg {
    public init(departure: String, to: String, changeTime: Int? = nil, isTimed: Bool = false, _: Void = ()) {
        self.init(departure: departure, to: to, changeTime: changeTime, isTimed: isTimed)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure")
        self.to = try members.required("to")
        self.changeTime = try members.optional("change_time")
        self.isTimed = try members.optional("is_timed", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        writer.member("to", self.to)
        writer.member("change_time", self.changeTime)
        writer.member("is_timed", self.isTimed)
        writer.endObject()
    }

    public static var schemaName: String { "PinnedLeg" }
    public static var description: String { "A ride of a journey to pin." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The `id` of the departure.")
        builder.member("to", String.self, "The `id` of the stop where riders get off (`departure.arrival.stop`).")
        builder.member("change_time", Int?.self, "The `walk` of the change before the ride; null for the first ride and if riders stay on board.", unit: .seconds)
        builder.member("is_timed", Bool.self, "Whether the departing vehicle waits (`is_timed` of the change).", default: false)
    }
}

extension JourneyUnpinParameters {
    public init(number: Int, _: Void = ()) {
        self.init(number: number)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.number = try members.required("number", in: 1...99)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", self.number)
        writer.endObject()
    }

    public static var schemaName: String { "JourneyUnpinParameters" }
    public static var description: String { "Removes a pinned journey." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("number", Int.self, "The number in `journeys.pinned`.", in: 1...99)
    }
}

extension PinnedJourneysParameters {
    public init(language: String? = nil, _: Void = ()) {
        self.init(language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "PinnedJourneysParameters" }
    public static var description: String { "Lists the caller's pinned journeys as they are known now." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
    }
}

extension PinnedJourneysResult: HasNotices {
    public init(at: Timestamp, journeys: [PinnedJourney], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, journeys: journeys, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.journeys = try members.array("journeys")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("journeys", self.journeys)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "PinnedJourneysResult" }
    public static var description: String { "The caller's pinned journeys." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("journeys", [PinnedJourney].self, "In order of departure. A journey is removed about three hours after its scheduled end.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale data.", default: [])
    }
}

extension PinnedJourney {
    public init(
        number: Int, name: String, stage: JourneyStage, leg: Int? = nil, journey: Journey? = nil,
        problem: String? = nil, replacement: JourneyReplacement? = nil, _: Void = ()
    ) {
        self.init(
            number: number, name: name, stage: stage, leg: leg, journey: journey, problem: problem,
            replacement: replacement
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.number = try members.required("number")
        self.name = try members.required("name")
        self.stage = try members.required("stage")
        self.leg = try members.optional("leg")
        self.journey = try members.optional("journey")
        self.problem = try members.optional("problem")
        self.replacement = try members.optional("replacement")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", self.number)
        writer.member("name", self.name)
        writer.member("stage", self.stage)
        writer.member("leg", self.leg)
        writer.member("journey", self.journey)
        writer.member("problem", self.problem)
        writer.member("replacement", self.replacement)
        writer.endObject()
    }

    public static var schemaName: String { "PinnedJourney" }
    public static var description: String { "A pinned journey at one moment." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("number", Int.self, "The number, for `journeys.unpin`.")
        builder.member("name", String.self, "The name of the commute between the same ends, or both ends.")
        builder.member("stage", JourneyStage.self, "How far the rider is.")
        builder.member("leg", Int?.self, "The position in `journey.legs` of the ride that the rider is on, or takes next; null when the rider has arrived.")
        builder.member("journey", Journey?.self, "The rides that were pinned, as they are known now, without changes to and from vehicles that do not run; null if they cannot be found (`problem`).")
        builder.member("problem", String?.self, "Why the journey cannot be made as it was pinned, as a sentence; null if it can.")
        builder.member("replacement", JourneyReplacement?.self, "The best way instead; null if the journey can be made as it was pinned, and if nothing is known.")
    }
}

extension JourneyReplacement {
    public init(kind: JourneyReplacementKind, journey: Journey, _: Void = ()) {
        self.init(kind: kind, journey: journey)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.journey = try members.required("journey")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("journey", self.journey)
        writer.endObject()
    }

    public static var schemaName: String { "JourneyReplacement" }
    public static var description: String { "The best way to the destination of a journey that broke." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", JourneyReplacementKind.self, "What the rider does differently.")
        builder.member("journey", Journey.self, "The rides from now on. The first one is that of the vehicle in which the rider is, if it is still part of the way.")
    }
}
