// Generated from Sources/TransitControl/Messages/FeedCatalog.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension FeedFindParameters {
    public init(
        text: String? = nil, near: String? = nil, position: Position? = nil, count: Int = 10, language: String? = nil,
        progress: Bool = false, _: Void = ()
    ) {
        self.init(text: text, near: near, position: position, count: count, language: language, progress: progress)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.text = try members.optional("text", in: 1...200)
        self.near = try members.optional("near", in: 1...200)
        self.position = try members.optional("position")
        self.count = try members.optional("count", in: 1...100, default: 10)
        self.language = try members.optional("language", in: 1...35)
        self.progress = try members.optional("progress", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.text != nil { writer.member("text", self.text) }
        if self.near != nil { writer.member("near", self.near) }
        if self.position != nil { writer.member("position", self.position) }
        if self.count != 10 { writer.member("count", self.count) }
        if self.language != nil { writer.member("language", self.language) }
        if self.progress != false { writer.member("progress", self.progress) }
        writer.endObject()
    }

    public static var schemaName: String { "FeedFindParameters" }
    public static var description: String { "Finds public timetables in the catalog of the Mobility Database, by name or near a position. Requires one of `text`, `near` and `position`. The daemon downloads the catalog when someone first searches it, and then at most once a week while it is in use. A search is not sent to the catalog." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("text", String?.self, "The beginnings of words of a provider, town or region, without regard to case and accents. If no name has all of them as whole words and the configuration has a geocoder, the text is sent to it, and timetables near its first address are also returned.", in: 1...200)
        builder.member("near", String?.self, "The name of one of the caller's places. Any other text is sent to the geocoder, if the configuration has one.", in: 1...200)
        builder.member("position", Position?.self, "The position near which timetables are searched.")
        builder.member("count", Int.self, "The maximum number of timetables.", in: 1...100, default: 10)
        builder.member("language", String?.self, "The language for the name of an address, as an IETF BCP 47 language tag such as \"de\".", in: 1...35)
        builder.member("progress", Bool.self, "Whether to send `progress` notifications while the catalog is downloaded.", default: false)
    }
}

extension CatalogKey {
    public init(placement: CatalogKeyPlacement, name: String? = nil, info: String? = nil, _: Void = ()) {
        self.init(placement: placement, name: name, info: info)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.placement = try members.required("placement")
        self.name = try members.optional("name")
        self.info = try members.optional("info")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("placement", self.placement)
        writer.member("name", self.name)
        writer.member("info", self.info)
        writer.endObject()
    }

    public static var schemaName: String { "CatalogKey" }
    public static var description: String { "The key that a feed of the catalog requires." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("placement", CatalogKeyPlacement.self, "How requests contain the key. More values may be added.")
        builder.member("name", String?.self, "The name of the parameter or header field; null when the catalog does not have it.")
        builder.member("info", String?.self, "The URL of a page that describes how to get a key.")
    }
}

extension CatalogRealtime {
    public init(id: String, datasets: [DatasetName], url: String? = nil, key: CatalogKey? = nil, _: Void = ()) {
        self.init(id: id, datasets: datasets, url: url, key: key)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.datasets = try members.array("datasets")
        self.url = try members.optional("url")
        self.key = try members.optional("key")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("datasets", self.datasets)
        writer.member("url", self.url)
        writer.member("key", self.key)
        writer.endObject()
    }

    public static var schemaName: String { "CatalogRealtime" }
    public static var description: String { "A realtime feed of a timetable of the catalog." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "The identifier in the catalog.")
        builder.member("datasets", [DatasetName].self, "The datasets that the feed contains. More values may be added.")
        builder.member("url", String?.self, "The URL of the producer.")
        builder.member("key", CatalogKey?.self, "The key that the feed requires; null when it requires none.")
    }
}

extension CatalogFeed {
    public init(
        id: String, provider: String, name: String? = nil, municipality: String? = nil, subdivision: String? = nil,
        country: String? = nil, status: CatalogFeedStatus, isOfficial: Bool? = nil, license: String? = nil,
        key: CatalogKey? = nil, realtime: [CatalogRealtime], area: StopArea? = nil, distance: Int? = nil,
        url: String? = nil, copyUrl: String? = nil, replaces: [String] = [], _: Void = ()
    ) {
        self.init(
            id: id, provider: provider, name: name, municipality: municipality, subdivision: subdivision,
            country: country, status: status, isOfficial: isOfficial, license: license, key: key, realtime: realtime,
            area: area, distance: distance, url: url, copyUrl: copyUrl, replaces: replaces
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.provider = try members.required("provider")
        self.name = try members.optional("name")
        self.municipality = try members.optional("municipality")
        self.subdivision = try members.optional("subdivision")
        self.country = try members.optional("country")
        self.status = try members.required("status")
        self.isOfficial = try members.optional("is_official")
        self.license = try members.optional("license")
        self.key = try members.optional("key")
        self.realtime = try members.array("realtime")
        self.area = try members.optional("area")
        self.distance = try members.optional("distance")
        self.url = try members.optional("url")
        self.copyUrl = try members.optional("copy_url")
        self.replaces = try members.optional("replaces", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("provider", self.provider)
        writer.member("name", self.name)
        writer.member("municipality", self.municipality)
        writer.member("subdivision", self.subdivision)
        writer.member("country", self.country)
        writer.member("status", self.status)
        writer.member("is_official", self.isOfficial)
        writer.member("license", self.license)
        writer.member("key", self.key)
        writer.member("realtime", self.realtime)
        writer.member("area", self.area)
        writer.member("distance", self.distance)
        writer.member("url", self.url)
        writer.member("copy_url", self.copyUrl)
        writer.member("replaces", self.replaces)
        writer.endObject()
    }

    public static var schemaName: String { "CatalogFeed" }
    public static var description: String { "A timetable of the catalog." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "The identifier in the catalog, such as \"mdb-53\".")
        builder.member("provider", String.self, "The names of the agencies.")
        builder.member("name", String?.self, "The name that distinguishes the feed from others of the provider.")
        builder.member("municipality", String?.self, "The town.")
        builder.member("subdivision", String?.self, "The state, province or region.")
        builder.member("country", String?.self, "The country as an ISO 3166-1 code.")
        builder.member("status", CatalogFeedStatus.self, "The state of the feed in the catalog. More values may be added.")
        builder.member("is_official", Bool?.self, "Whether the agency publishes the feed itself; null when the catalog does not say.")
        builder.member("license", String?.self, "The URL of the license; null when the catalog does not have it.")
        builder.member("key", CatalogKey?.self, "The key that the feed requires; null when it requires none.")
        builder.member("realtime", [CatalogRealtime].self, "The realtime feeds of the timetable.")
        builder.member("area", StopArea?.self, "The area of the stops; null when unknown.")
        builder.member("distance", Int?.self, "The distance from the position of the search to the area, 0 inside; null in a search by name.", unit: .meters)
        builder.member("url", String?.self, "The URL of the producer.")
        builder.member("copy_url", String?.self, "The URL of the catalog's copy of the last version, which is stable.")
        builder.member("replaces", [String].self, "The identifiers of retired feeds that match and that this feed replaces.", default: [])
    }
}

extension FeedFindResult: HasNotices {
    public init(
        at: Timestamp, feeds: [CatalogFeed], total: Int, position: Position? = nil, address: String? = nil,
        age: Int? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, feeds: feeds, total: total, position: position, address: address, age: age, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feeds = try members.array("feeds")
        self.total = try members.required("total")
        self.position = try members.optional("position")
        self.address = try members.optional("address")
        self.age = try members.optional("age")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feeds", self.feeds)
        writer.member("total", self.total)
        writer.member("position", self.position)
        writer.member("address", self.address)
        writer.member("age", self.age)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FeedFindResult" }
    public static var description: String { "The timetables that match, best match first." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feeds", [CatalogFeed].self, "Best match first.")
        builder.member("total", Int.self, "The number of timetables that match.")
        builder.member("position", Position?.self, "The position near which timetables were searched; null in a search by name.")
        builder.member("address", String?.self, "The address at the position, if the geocoder found it.")
        builder.member("age", Int?.self, "The time since the catalog was last confirmed to be current; null for a catalog that was installed with the program.", unit: .seconds)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
