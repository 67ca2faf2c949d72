public import TransitModel
public import TransitWire

/// Whether a provider requires a setting.
public enum SettingNeed: String, OpenWireEnum {
    case required
    case optional
    /// A value that this version does not know.
    case other
}

/// A key of `[[feed]]` that a provider uses.
public struct ProviderSetting: WireObject {
    /// The key as spelled in transitd.toml(5), such as "static", "agency" or "base_url".
    public var key: String
    /// Whether the key is required. More values may be added.
    public var requirement: SettingNeed
    /// An example value.
    public var example: String?
}

/// A predefined feed of a provider.
public struct ProviderPresetSummary: WireObject {
    /// The suggested identifier for the feed.
    public var id: FeedID
    /// The display name.
    public var title: String
    /// The value of `agency`.
    public var agency: String?
}

/// A provider: a kind of data source.
public struct ProviderSummary: WireObject {
    /// The value of `provider` in the configuration.
    public var name: String
    /// The display name.
    public var title: String
    /// Whether an API key is required.
    public var needsKey: Bool
    /// Whether the provider generates demonstration data and sends no network requests.
    public var isDemo: Bool = false
    /// Whether there is no public server, so that `base_url` has to name the user's own one.
    public var isSelfHosted: Bool = false
    /// Where to obtain a key; null when unknown.
    public var keySource: String?
    /// The attribution that the provider requires applications to display.
    public var attribution: String?
    /// The limitations of the data.
    public var disclaimer: String?
    /// The other keys that a feed of this provider can set. Keys that the provider rejects are not listed.
    public var settings: [ProviderSetting]
    /// Predefined feeds, which need no further settings.
    public var presets: [ProviderPresetSummary] = []
}

/// Lists the providers and the settings that their feeds require.
public struct ProviderListParameters: ControlParameters {
    public typealias Reply = ProviderListResult
    public static let method = ControlMethod.providerList
}

/// The available providers.
public struct ProviderListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// In display order.
    public var providers: [ProviderSummary]
    /// The path from which the configuration is read, or would be read if the file existed; null when the configuration
    /// does not come from a file.
    public var file: String?
    /// The geocoder for addresses, such as "photon"; null when none is configured.
    public var geocoder: String?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Checks whether a provider accepts an API key and lists the provider's agencies. With `url`, requests that URL once
/// to check whether it serves `dataset`. With neither, requests the provider's list of routes or stops once, from
/// `base_url` if it is given. The providers "photon" and "nominatim" are geocoders at `url`. Stores nothing. Requires root or
/// the daemon's user.
public struct ProviderCheckParameters: ControlParameters {
    public typealias Reply = ProviderCheckResult
    public static let method = ControlMethod.providerCheck

    /// The provider's name.
    /// - Range: 1...64
    public var provider: String
    /// The key. With `url`, also give `key_header` or `key_parameter`. The daemon never stores, displays or logs it.
    /// - Range: 1...4096
    public var key: String?
    /// The header that contains the key, as `key_header` in the configuration.
    /// - Range: 1...128
    public var keyHeader: String?
    /// The parameter of the URL that contains the key, as `key_parameter` in the configuration.
    /// - Range: 1...64
    public var keyParameter: String?
    /// An agency, which must be in the provider's list.
    /// - Range: 1...64
    public var agency: String?
    /// A server to use instead of the provider's own, as in the configuration: https, or http to a loopback address;
    /// never a file.
    /// - Name: base_url
    /// - Range: 1...2048
    public var base: String?
    /// A URL in the same format as in the configuration: https, or http to a loopback address; never a file.
    /// - Range: 1...2048
    public var url: String?
    /// The dataset to look for at `url`. The default is a timetable.
    public var dataset: DatasetName?
}

/// The provider's response to a key, or the data that a URL serves.
public struct ProviderCheckResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The state of the key, as in `key.check`. For a URL, `rejected` means that the URL does not serve usable data for
    /// the dataset. More values may be added.
    public var state: KeyState
    /// A human-readable sentence.
    public var message: String
    /// Whether the server denied access to the URL because of a missing or wrong key.
    public var needsKey: Bool = false
    /// The agencies that the provider lists; empty when it lists none.
    public var agencies: [AgencyChoice] = []
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// An agency of a provider.
public struct AgencyChoice: WireObject {
    /// The value of `agency` in the configuration.
    public var id: String
    /// The agency's name.
    public var name: String
}
