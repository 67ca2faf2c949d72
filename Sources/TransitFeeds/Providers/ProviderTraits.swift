public import TransitModel

/// The properties of a provider: its datasets, attribution, rate limits and settings.
public struct ProviderTraits: Hashable, Sendable {
    /// The value of `provider` in the configuration.
    public var name: String
    /// The display name: "511.org".
    public var title: String
    /// The datasets that the provider has. ``DatasetKind/static`` means either an archive or a collected network.
    public var datasets: Set<DatasetKind>
    /// How the key is sent; `nil` if none is needed.
    public var key: KeyPlacement?
    /// A sentence that says where users get a key.
    public var keySource: String?
    /// The attribution that the provider's terms require, in one sentence.
    public var attribution: String?
    /// The caveat that users must know before they rely on the data, in one sentence.
    public var disclaimer: String?
    public var rateLimits: ProviderRateLimits = ProviderRateLimits()
    /// The number of seconds between two fetches of a dataset, if it differs from the default.
    public var intervals: [DatasetKind: Int] = [:]
    /// The settings that a feed's configuration may contain.
    public var settings: ProviderSettings = ProviderSettings()
    /// The format of a dataset, if it has a name: "GTFS-Realtime". Otherwise ``title`` is shown.
    public var formats: [DatasetKind: String] = [:]
    /// Whether the data is computed locally, without an upstream.
    public var isComputed = false
    /// Whether there is no public server, so that users run their own.
    public var isSelfHosted = false
    /// Feeds that a new user can add by name.
    public var presets: [ProviderPreset] = []

    /// The name of the format of a dataset, such as "GTFS-Realtime" or "SIRI StopMonitoring". The demo city makes
    /// GTFS-Realtime messages without a server.
    public func format(of dataset: DatasetKind) -> String {
        formats[dataset] ?? (isComputed ? "GTFS-Realtime" : title)
    }

    /// The part of a request that contains the key.
    public enum KeyPlacement: Hashable, Sendable {
        /// A query parameter.
        case parameter(String)
        case header(String)
        /// The header `Authorization`, in which the key follows the name of a scheme, such as `Bearer` (RFC 9110, section
        /// 11.6.2).
        case authorization(scheme: String)
        /// The key is sent twice: as `Authorization: Bearer`, and by itself in this header. Tranzy's documentation
        /// requires both.
        case bearerAndHeader(String)
    }
}

/// A feed of a provider that needs no further configuration.
public struct ProviderPreset: Hashable, Sendable {
    /// The feed's identifier in the configuration.
    public var id: FeedID
    /// The display name: "Caltrain".
    public var title: String
    public var agency: String?
}

/// An agency in a provider's list.
public struct ProviderAgency: Hashable, Sendable {
    /// The value of `agency` in the configuration.
    public var id: String
    public var name: String
}

/// The required and optional settings of a provider's feed.
public struct ProviderSettings: Hashable, Sendable {
    public enum Requirement: Hashable, Sendable {
        /// The example appears in the error message if the setting is missing.
        case required(example: String)
        case optional(example: String)
        case refused
    }

    /// `agency`.
    public var agency: Requirement
    /// Whether agencies are numbers.
    public var hasNumericAgencies: Bool
    /// `base_url`, which replaces the provider's default base URL.
    public var base: Requirement
    /// `static`, `trip_updates`, `vehicles` and `alerts`: the URLs of individual datasets. Datasets that are not listed
    /// are rejected.
    public var urls: [DatasetKind: Requirement]

    public init(
        agency: Requirement = .optional(example: "1"), hasNumericAgencies: Bool = false,
        base: Requirement = .optional(example: "https://mirror.example.org"),
        urls: [DatasetKind: Requirement] = [:]
    ) {
        self.agency = agency
        self.hasNumericAgencies = hasNumericAgencies
        self.base = base
        self.urls = urls
    }

    /// Whether an agency's identifier has the format of the provider.
    public func isAgency(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 64 else { return false }
        return text.allSatisfy { character in
            guard character.isASCII else { return false }
            return character.isNumber || (!hasNumericAgencies && (character.isLetter || "-_.".contains(character)))
        }
    }
}

/// The request rates that a provider allows.
public struct ProviderRateLimits: Hashable, Sendable {
    /// Seconds between the first requests to a host after startup.
    public var startSpacing: Int
    /// The default request budget of one key; unlimited if empty.
    public var budget: [BudgetLimit]
    /// Milliseconds between two requests of a collection.
    public var collectionSpacing: Int

    public init(startSpacing: Int = 0, budget: [BudgetLimit] = [], collectionSpacing: Int = 250) {
        self.startSpacing = max(0, startSpacing)
        self.budget = budget
        self.collectionSpacing = max(0, collectionSpacing)
    }
}
