public import TransitModel

/// Whether a setting of a feed must be given.
public enum SettingNeed: String, WireEnum {
    case required
    case optional
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A key of `[[feed]]` as a provider wants it.
public struct ProviderSetting: WireObject {
    public var key: String
    public var requirement: SettingNeed
    public var example: String?

    public init(key: String, requirement: SettingNeed, example: String? = nil) {
        self.key = key
        self.requirement = requirement
        self.example = example
    }

    public static let wireSchema = WireSchema(
        "ProviderSetting", "A key of `[[feed]]` as a provider wants it.", Self.init,
        Field("key", \.key, "As transitd.toml(5) spells it: \"static\", \"agency\", \"base_url\"."),
        Field("requirement", \.requirement, "Whether it must be given. More may follow."),
        Field("example", \.example, "What it may look like."))
}

/// A feed that can be chosen with one word.
public struct ProviderPresetSummary: WireObject {
    public var id: FeedID
    public var title: String
    public var agency: String?

    public init(id: FeedID, title: String, agency: String? = nil) {
        self.id = id
        self.title = title
        self.agency = agency
    }

    public static let wireSchema = WireSchema(
        "ProviderPresetSummary", "A feed that can be chosen with one word.", Self.init,
        Field("id", \.id, "What to call the feed."),
        Field("title", \.title, "What people call it."),
        Field("agency", \.agency, "Its `agency`."))
}

/// A kind of source.
public struct ProviderSummary: WireObject {
    public var name: String
    public var title: String
    public var needsKey: Bool
    public var isDemo: Bool
    public var keySource: String?
    public var attribution: String?
    public var disclaimer: String?
    public var settings: [ProviderSetting]
    public var presets: [ProviderPresetSummary]

    public init(
        name: String, title: String, needsKey: Bool, isDemo: Bool = false, keySource: String? = nil,
        attribution: String? = nil,
        disclaimer: String? = nil, settings: [ProviderSetting], presets: [ProviderPresetSummary] = []
    ) {
        self.name = name
        self.title = title
        self.needsKey = needsKey
        self.isDemo = isDemo
        self.keySource = keySource
        self.attribution = attribution
        self.disclaimer = disclaimer
        self.settings = settings
        self.presets = presets
    }

    public static let wireSchema = WireSchema(
        "ProviderSummary", "A kind of source.", Self.init,
        Field("name", \.name, "As `provider` in the configuration spells it."),
        Field("title", \.title, "What people call it."),
        Field("needs_key", \.needsKey, "Whether a key must be given."),
        Field("is_demo", \.isDemo, "Whether it is made up, to look around in, and no source is asked."),
        Field("key_source", \.keySource, "Where people get a key; null where that is not known."),
        Field("attribution", \.attribution, "To whom the data belong, as the provider wants it shown."),
        Field("disclaimer", \.disclaimer, "What to know before trusting it."),
        Field("settings", \.settings, "What a feed may say besides; refused ones are left out."),
        Field("presets", \.presets, "Feeds of it that need no further words."))
}

/// Lists the kinds of sources, with what a feed of each has to say.
public struct ProviderListParameters: ControlParameters {
    public typealias Reply = ProviderListResult
    public static let method = ControlMethod.providerList

    public init() {}

    public static let wireSchema = WireSchema(
        "ProviderListParameters", "Lists the kinds of sources, with what a feed of each has to say.", Self.init)
}

/// The kinds of sources.
public struct ProviderListResult: WireObject {
    public var at: Timestamp
    public var providers: [ProviderSummary]
    public var file: String?
    public var geocoder: String?
    public var notices: [Notice]

    public init(
        at: Timestamp, providers: [ProviderSummary], file: String? = nil, geocoder: String? = nil,
        notices: [Notice] = []
    ) {
        self.at = at
        self.providers = providers
        self.file = file
        self.geocoder = geocoder
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "ProviderListResult", "The kinds of sources.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("providers", \.providers, "In the order in which they are offered."),
        Field(
            "file", \.file, "Where the configuration is read from, or would be; null for one that stands in no file."),
        Field("geocoder", \.geocoder, "What finds addresses, such as \"photon\"; null where nothing does."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Checks whether a provider accepts a key and which agencies it lists, or whether an address serves the data of a
/// dataset.
public struct ProviderCheckParameters: ControlParameters {
    public typealias Reply = ProviderCheckResult
    public static let method = ControlMethod.providerCheck

    public var provider: String
    public var key: String?
    public var base: String?
    public var url: String?
    public var dataset: DatasetName?

    public init(
        provider: String, key: String? = nil, base: String? = nil, url: String? = nil, dataset: DatasetName? = nil
    ) {
        self.provider = provider
        self.key = key
        self.base = base
        self.url = url
        self.dataset = dataset
    }

    public static let wireSchema = WireSchema(
        "ProviderCheckParameters",
        """
        Asks a provider whether it takes a key, and which agencies it lists; with `url`, asks that address once whether it \
        has what `dataset` needs. Nothing of it is kept. Only for root \
        and the daemon's own user.
        """, Self.init,
        Field("provider", \.provider, "Its name.", in: 1...64),
        Field("key", \.key, "The key. It is kept, shown and logged nowhere. Needed without `url`.", in: 1...4096),
        Field(
            "base_url", \.base,
            """
            Another server in place of the provider's own, as in the configuration: https, or http to a loopback address; \
            never a file.
            """,
            in: 1...2048),
        Field(
            "url", \.url,
            "An address as the configuration would have it: https, or http to a loopback address; no file.",
            in: 1...2048),
        Field("dataset", \.dataset, "What is looked for there; a timetable when left out."))
}

/// The provider's response to a key, or what an address serves.
public struct ProviderCheckResult: WireObject {
    public var at: Timestamp
    public var state: KeyState
    public var message: String
    public var agencies: [AgencyChoice]
    public var notices: [Notice]

    public init(
        at: Timestamp, state: KeyState, message: String, agencies: [AgencyChoice] = [], notices: [Notice] = []
    ) {
        self.at = at
        self.state = state
        self.message = message
        self.agencies = agencies
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "ProviderCheckResult", "What a provider says about a key, or what was found at an address.", Self.init,
        Field("at", \.at, "When this was true."),
        Field(
            "state", \.state,
            "As in `key.check`; of an address `rejected` where it has something else. More may follow."),
        Field("message", \.message, "A sentence for people."),
        Field("agencies", \.agencies, "The agencies that it lists; empty where it lists none."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// An agency of a provider.
public struct AgencyChoice: WireObject {
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    public static let wireSchema = WireSchema(
        "AgencyChoice", "An agency of a provider.", Self.init,
        Field("id", \.id, "As `agency` in the configuration has it."),
        Field("name", \.name, "What people call it."))
}
