// Generated from Sources/TransitControl/Messages/Providers.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension ProviderSetting {
    public init(key: String, requirement: SettingNeed, example: String? = nil, _: Void = ()) {
        self.init(key: key, requirement: requirement, example: example)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.key = try members.required("key")
        self.requirement = try members.required("requirement")
        self.example = try members.optional("example")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("key", self.key)
        writer.member("requirement", self.requirement)
        writer.member("example", self.example)
        writer.endObject()
    }

    public static var schemaName: String { "ProviderSetting" }
    public static var description: String { "A key of `[[feed]]` that a provider uses." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("key", String.self, "The key as spelled in transitd.toml(5), such as \"static\", \"agency\" or \"base_url\".")
        builder.member("requirement", SettingNeed.self, "Whether the key is required. More values may be added.")
        builder.member("example", String?.self, "An example value.")
    }
}

extension ProviderPresetSummary {
    public init(id: FeedID, title: String, agency: String? = nil, _: Void = ()) {
        self.init(id: id, title: title, agency: agency)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.title = try members.required("title")
        self.agency = try members.optional("agency")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("title", self.title)
        writer.member("agency", self.agency)
        writer.endObject()
    }

    public static var schemaName: String { "ProviderPresetSummary" }
    public static var description: String { "A predefined feed of a provider." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", FeedID.self, "The suggested identifier for the feed.")
        builder.member("title", String.self, "The display name.")
        builder.member("agency", String?.self, "The value of `agency`.")
    }
}

extension ProviderSummary {
    public init(
        name: String, title: String, needsKey: Bool, isDemo: Bool = false, isSelfHosted: Bool = false,
        keySource: String? = nil, attribution: String? = nil, disclaimer: String? = nil, settings: [ProviderSetting],
        presets: [ProviderPresetSummary] = [], _: Void = ()
    ) {
        self.init(
            name: name, title: title, needsKey: needsKey, isDemo: isDemo, isSelfHosted: isSelfHosted,
            keySource: keySource, attribution: attribution, disclaimer: disclaimer, settings: settings, presets: presets
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.title = try members.required("title")
        self.needsKey = try members.required("needs_key")
        self.isDemo = try members.optional("is_demo", default: false)
        self.isSelfHosted = try members.optional("is_self_hosted", default: false)
        self.keySource = try members.optional("key_source")
        self.attribution = try members.optional("attribution")
        self.disclaimer = try members.optional("disclaimer")
        self.settings = try members.array("settings")
        self.presets = try members.optional("presets", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("title", self.title)
        writer.member("needs_key", self.needsKey)
        writer.member("is_demo", self.isDemo)
        writer.member("is_self_hosted", self.isSelfHosted)
        writer.member("key_source", self.keySource)
        writer.member("attribution", self.attribution)
        writer.member("disclaimer", self.disclaimer)
        writer.member("settings", self.settings)
        writer.member("presets", self.presets)
        writer.endObject()
    }

    public static var schemaName: String { "ProviderSummary" }
    public static var description: String { "A provider: a kind of data source." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The value of `provider` in the configuration.")
        builder.member("title", String.self, "The display name.")
        builder.member("needs_key", Bool.self, "Whether an API key is required.")
        builder.member("is_demo", Bool.self, "Whether the provider generates demonstration data and sends no network requests.", default: false)
        builder.member("is_self_hosted", Bool.self, "Whether there is no public server, so that `base_url` has to name the user's own one.", default: false)
        builder.member("key_source", String?.self, "Where to obtain a key; null when unknown.")
        builder.member("attribution", String?.self, "The attribution that the provider requires applications to display.")
        builder.member("disclaimer", String?.self, "The limitations of the data.")
        builder.member("settings", [ProviderSetting].self, "The other keys that a feed of this provider can set. Keys that the provider rejects are not listed.")
        builder.member("presets", [ProviderPresetSummary].self, "Predefined feeds, which need no further settings.", default: [])
    }
}

extension ProviderListParameters {
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

    public static var schemaName: String { "ProviderListParameters" }
    public static var description: String { "Lists the providers and the settings that their feeds require." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension ProviderListResult: HasNotices {
    public init(
        at: Timestamp, providers: [ProviderSummary], file: String? = nil, geocoder: String? = nil,
        notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, providers: providers, file: file, geocoder: geocoder, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.providers = try members.array("providers")
        self.file = try members.optional("file")
        self.geocoder = try members.optional("geocoder")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("providers", self.providers)
        writer.member("file", self.file)
        writer.member("geocoder", self.geocoder)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "ProviderListResult" }
    public static var description: String { "The available providers." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("providers", [ProviderSummary].self, "In display order.")
        builder.member("file", String?.self, "The path from which the configuration is read, or would be read if the file existed; null when the configuration does not come from a file.")
        builder.member("geocoder", String?.self, "The geocoder for addresses, such as \"photon\"; null when none is configured.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension ProviderCheckParameters {
    public init(
        provider: String, key: String? = nil, keyHeader: String? = nil, keyParameter: String? = nil,
        agency: String? = nil, base: String? = nil, url: String? = nil, dataset: DatasetName? = nil, _: Void = ()
    ) {
        self.init(
            provider: provider, key: key, keyHeader: keyHeader, keyParameter: keyParameter, agency: agency, base: base,
            url: url, dataset: dataset
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.provider = try members.required("provider", in: 1...64)
        self.key = try members.optional("key", in: 1...4096)
        self.keyHeader = try members.optional("key_header", in: 1...128)
        self.keyParameter = try members.optional("key_parameter", in: 1...64)
        self.agency = try members.optional("agency", in: 1...64)
        self.base = try members.optional("base_url", in: 1...2048)
        self.url = try members.optional("url", in: 1...2048)
        self.dataset = try members.optional("dataset")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("provider", self.provider)
        if self.key != nil { writer.member("key", self.key) }
        if self.keyHeader != nil { writer.member("key_header", self.keyHeader) }
        if self.keyParameter != nil { writer.member("key_parameter", self.keyParameter) }
        if self.agency != nil { writer.member("agency", self.agency) }
        if self.base != nil { writer.member("base_url", self.base) }
        if self.url != nil { writer.member("url", self.url) }
        if self.dataset != nil { writer.member("dataset", self.dataset) }
        writer.endObject()
    }

    public static var schemaName: String { "ProviderCheckParameters" }
    public static var description: String { "Checks whether a provider accepts an API key and lists the provider's agencies. With `url`, requests that URL once to check whether it serves `dataset`. With neither, requests the provider's list of routes or stops once, from `base_url` if it is given. The providers \"photon\" and \"nominatim\" are geocoders at `url`. Stores nothing. Requires root or the daemon's user." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("provider", String.self, "The provider's name.", in: 1...64)
        builder.member("key", String?.self, "The key. With `url`, also give `key_header` or `key_parameter`. The daemon never stores, displays or logs it.", in: 1...4096)
        builder.member("key_header", String?.self, "The header that contains the key, as `key_header` in the configuration.", in: 1...128)
        builder.member("key_parameter", String?.self, "The parameter of the URL that contains the key, as `key_parameter` in the configuration.", in: 1...64)
        builder.member("agency", String?.self, "An agency, which must be in the provider's list.", in: 1...64)
        builder.member("base_url", String?.self, "A server to use instead of the provider's own, as in the configuration: https, or http to a loopback address; never a file.", in: 1...2048)
        builder.member("url", String?.self, "A URL in the same format as in the configuration: https, or http to a loopback address; never a file.", in: 1...2048)
        builder.member("dataset", DatasetName?.self, "The dataset to look for at `url`. The default is a timetable.")
    }
}

extension ProviderCheckResult: HasNotices {
    public init(
        at: Timestamp, state: KeyState, message: String, needsKey: Bool = false, agencies: [AgencyChoice] = [],
        notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, state: state, message: message, needsKey: needsKey, agencies: agencies, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.state = try members.required("state")
        self.message = try members.required("message")
        self.needsKey = try members.optional("needs_key", default: false)
        self.agencies = try members.optional("agencies", default: [])
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("state", self.state)
        writer.member("message", self.message)
        writer.member("needs_key", self.needsKey)
        writer.member("agencies", self.agencies)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "ProviderCheckResult" }
    public static var description: String { "The provider's response to a key, or the data that a URL serves." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("state", KeyState.self, "The state of the key, as in `key.check`. For a URL, `rejected` means that the URL does not serve usable data for the dataset. More values may be added.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("needs_key", Bool.self, "Whether the server denied access to the URL because of a missing or wrong key.", default: false)
        builder.member("agencies", [AgencyChoice].self, "The agencies that the provider lists; empty when it lists none.", default: [])
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension AgencyChoice {
    public init(id: String, name: String, _: Void = ()) {
        self.init(id: id, name: name)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.name = try members.required("name")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("name", self.name)
        writer.endObject()
    }

    public static var schemaName: String { "AgencyChoice" }
    public static var description: String { "An agency of a provider." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "The value of `agency` in the configuration.")
        builder.member("name", String.self, "The agency's name.")
    }
}
