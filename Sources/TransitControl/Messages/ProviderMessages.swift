public import TransitModel
public import TransitWire

/// Whether a provider requires a setting.
public enum SettingNeed: String, WireEnum {
    case required
    case optional
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A key of `[[feed]]` that a provider uses.
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
        "ProviderSetting", "A key of `[[feed]]` that a provider uses.", Self.init,
        Field("key", \.key, "The key as spelled in transitd.toml(5), such as \"static\", \"agency\" or \"base_url\"."),
        Field("requirement", \.requirement, "Whether the key is required. More values may be added."),
        Field("example", \.example, "An example value."))
}

/// A predefined feed of a provider.
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
        "ProviderPresetSummary", "A predefined feed of a provider.", Self.init,
        Field("id", \.id, "The suggested identifier for the feed."),
        Field("title", \.title, "The display name."),
        Field("agency", \.agency, "The value of `agency`."))
}

/// A provider: a kind of data source.
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
        "ProviderSummary", "A provider: a kind of data source.", Self.init,
        Field("name", \.name, "The value of `provider` in the configuration."),
        Field("title", \.title, "The display name."),
        Field("needs_key", \.needsKey, "Whether an API key is required."),
        Field(
            "is_demo", \.isDemo,
            "Whether the provider generates demonstration data and sends no network requests."),
        Field("key_source", \.keySource, "Where to obtain a key; null when unknown."),
        Field("attribution", \.attribution, "The attribution that the provider requires applications to display."),
        Field("disclaimer", \.disclaimer, "The limitations of the data."),
        Field(
            "settings", \.settings,
            """
            The other keys that a feed of this provider can set. Keys that the provider rejects are not listed.
            """),
        Field("presets", \.presets, "Predefined feeds, which need no further settings."))
}

/// Lists the providers and the settings that their feeds require.
public struct ProviderListParameters: ControlParameters {
    public typealias Reply = ProviderListResult
    public static let method = ControlMethod.providerList

    public init() {}

    public static let wireSchema = WireSchema(
        "ProviderListParameters", "Lists the providers and the settings that their feeds require.", Self.init)
}

/// The available providers.
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
        "ProviderListResult", "The available providers.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("providers", \.providers, "In display order."),
        Field(
            "file", \.file,
            """
            The path from which the configuration is read, or would be read if the file existed; null when the \
            configuration does not come from a file.
            """),
        Field("geocoder", \.geocoder, "The geocoder for addresses, such as \"photon\"; null when none is configured."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Checks whether a provider accepts an API key and lists the provider's agencies. With `url`, requests that URL once
/// to check whether it serves `dataset`. Stores nothing. Requires root or the daemon's user.
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
        Checks whether a provider accepts an API key and lists the provider's agencies. With `url`, requests that URL \
        once to check whether it serves `dataset`. Stores nothing. Requires root or the daemon's user.
        """, Self.init,
        Field("provider", \.provider, "The provider's name.", in: 1...64),
        Field(
            "key", \.key,
            "The key. Required unless `url` is given. The daemon never stores, displays or logs it.", in: 1...4096
        ),
        Field(
            "base_url", \.base,
            """
            A server to use instead of the provider's own, as in the configuration: https, or http to a loopback \
            address; never a file.
            """,
            in: 1...2048),
        Field(
            "url", \.url,
            "A URL in the same format as in the configuration: https, or http to a loopback address; never a file.",
            in: 1...2048),
        Field("dataset", \.dataset, "The dataset to look for at `url`. The default is a timetable."))
}

/// The provider's response to a key, or the data that a URL serves.
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
        "ProviderCheckResult", "The provider's response to a key, or the data that a URL serves.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field(
            "state", \.state,
            """
            The state of the key, as in `key.check`. For a URL, `rejected` means that the URL does not serve usable \
            data for the dataset. More values may be added.
            """),
        Field("message", \.message, "A human-readable sentence."),
        Field("agencies", \.agencies, "The agencies that the provider lists; empty when it lists none."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
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
        Field("id", \.id, "The value of `agency` in the configuration."),
        Field("name", \.name, "The agency's name."))
}
