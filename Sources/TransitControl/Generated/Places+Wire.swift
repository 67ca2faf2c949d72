// Generated from Sources/TransitControl/Messages/Places.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension PlaceSummary {
    public init(
        name: String, position: Position? = nil, stop: String? = nil, walk: Int? = nil, origin: DefinitionOrigin,
        stops: [NearbyStop], _: Void = ()
    ) {
        self.init(name: name, position: position, stop: stop, walk: walk, origin: origin, stops: stops)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.position = try members.optional("position")
        self.stop = try members.optional("stop")
        self.walk = try members.optional("walk")
        self.origin = try members.required("origin")
        self.stops = try members.array("stops")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("position", self.position)
        writer.member("stop", self.stop)
        writer.member("walk", self.walk)
        writer.member("origin", self.origin)
        writer.member("stops", self.stops)
        writer.endObject()
    }

    public static var schemaName: String { "PlaceSummary" }
    public static var description: String { "A place of the caller." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The place's name.")
        builder.member("position", Position?.self, "The coordinates; null while the place's stop is unknown.")
        builder.member("stop", String?.self, "The place's stop as `FEED:STOP_ID`; null when the place was set by coordinates.")
        builder.member("walk", Int?.self, "The walk from the place to its stops; null when it is estimated.", unit: .seconds)
        builder.member("origin", DefinitionOrigin.self, "Where the place is defined. user: set over the socket; configuration: in the configuration file.")
        builder.member("stops", [NearbyStop].self, "The nearest stops, at most 5.")
    }
}

extension PlaceListParameters {
    public init(_: Void = ()) {
        self.init()
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        _ = try WireMembers.of(Self.self, in: value, as: role)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.endObject()
    }

    public static var schemaName: String { "PlaceListParameters" }
    public static var description: String { "Lists the caller's places." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension PlaceListResult: HasNotices {
    public init(at: Timestamp, places: [PlaceSummary], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, places: places, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.places = try members.array("places")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("places", self.places)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "PlaceListResult" }
    public static var description: String { "The caller's places." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("places", [PlaceSummary].self, "Sorted by name.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension PlaceSetParameters {
    public init(place: String, position: Position? = nil, stop: String? = nil, walk: Int? = nil, _: Void = ()) {
        self.init(place: place, position: position, stop: stop, walk: walk)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.place = try members.required("place", in: 1...64)
        self.position = try members.optional("position")
        self.stop = try members.optional("stop", in: 1...300)
        self.walk = try members.optional("walk", in: 0...10_800)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("place", self.place)
        if self.position != nil { writer.member("position", self.position) }
        if self.stop != nil { writer.member("stop", self.stop) }
        if self.walk != nil { writer.member("walk", self.walk) }
        writer.endObject()
    }

    public static var schemaName: String { "PlaceSetParameters" }
    public static var description: String { "Sets a place. Requires either `position` or `stop`." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("place", String.self, "The place's name. The names \"home\" and \"work\" imply the commutes home-to-work and work-to-home.", in: 1...64)
        builder.member("position", Position?.self, "The coordinates of the place.")
        builder.member("stop", String?.self, "The stop at which the place is located.", in: 1...300)
        builder.member("walk", Int?.self, "The walk from the place to its stops. It is estimated when omitted.", unit: .seconds, in: 0...10_800)
    }
}

extension PlaceRemoveParameters {
    public init(place: String, _: Void = ()) {
        self.init(place: place)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.place = try members.required("place", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("place", self.place)
        writer.endObject()
    }

    public static var schemaName: String { "PlaceRemoveParameters" }
    public static var description: String { "Removes a place." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("place", String.self, "The place's name.", in: 1...64)
    }
}

extension PlaceResult: HasNotices {
    public init(
        at: Timestamp, place: PlaceSummary, commutes: [String], units: MeasurementUnits = .automatic,
        notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, place: place, commutes: commutes, units: units, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.place = try members.required("place")
        self.commutes = try members.array("commutes")
        self.units = try members.optional("units", default: .automatic)
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("place", self.place)
        writer.member("commutes", self.commutes)
        writer.member("units", self.units)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "PlaceResult" }
    public static var description: String { "The place that was changed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("place", PlaceSummary.self, "The place after the change, or before its removal.")
        builder.member("commutes", [String].self, "The names of the commutes that use the place.")
        builder.member("units", MeasurementUnits.self, "The units to show.", default: .automatic)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension AddressMatch {
    public init(name: String, position: Position, _: Void = ()) {
        self.init(name: name, position: position)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.position = try members.required("position")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("position", self.position)
        writer.endObject()
    }

    public static var schemaName: String { "AddressMatch" }
    public static var description: String { "An address that the geocoder found." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The address as text.")
        builder.member("position", Position.self, "The coordinates of the address.")
    }
}

extension AddressSearchParameters {
    public init(text: String, count: Int = 5, language: String? = nil, partial: Bool = false, _: Void = ()) {
        self.init(text: text, count: count, language: language, partial: partial)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.text = try members.required("text", in: 1...200)
        self.count = try members.optional("count", in: 1...10, default: 5)
        self.language = try members.optional("language", in: 1...35)
        self.partial = try members.optional("partial", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("text", self.text)
        if self.count != 5 { writer.member("count", self.count) }
        if self.language != nil { writer.member("language", self.language) }
        if self.partial != false { writer.member("partial", self.partial) }
        writer.endObject()
    }

    public static var schemaName: String { "AddressSearchParameters" }
    public static var description: String { "Searches for addresses with the geocoder named in the configuration." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("text", String.self, "The text to search for. The daemon sends it to the geocoder.", in: 1...200)
        builder.member("count", Int.self, "The maximum number of addresses.", in: 1...10, default: 5)
        builder.member("language", String?.self, "The language for address names, as an IETF BCP 47 language tag such as \"de\".", in: 1...35)
        builder.member("partial", Bool.self, "Whether `text` is unfinished input, as in search-as-you-type. Not every geocoder permits such requests. A client cancels the previous request when the user continues to type.", default: false)
    }
}

extension AddressSearchResult: HasNotices {
    public init(at: Timestamp, addresses: [AddressMatch], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, addresses: addresses, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.addresses = try members.array("addresses")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("addresses", self.addresses)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "AddressSearchResult" }
    public static var description: String { "The addresses found, best match first." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("addresses", [AddressMatch].self, "Best match first. Addresses near the timetables' stops are preferred.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
