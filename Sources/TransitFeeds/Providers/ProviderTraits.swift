public import TransitModel

/// What a provider is, to whom its data belong, and what it allows.
public struct ProviderTraits: Hashable, Sendable {
    /// As `provider` in the configuration spells it.
    public var name: String
    /// What people call it: "511.org".
    public var title: String
    /// The datasets that it has. ``DatasetKind/static`` stands for an archive or a collected network alike.
    public var datasets: Set<DatasetKind>
    /// How the key is sent; `nil` when none is needed.
    public var key: KeyPlacement?
    /// A sentence that says where users get a key.
    public var keySource: String?
    /// What the provider's terms ask to be shown with the data; one sentence.
    public var attribution: String?
    /// What users have to know before they trust it; one sentence.
    public var disclaimer: String?
    public var pace: ProviderRateLimits
    /// Seconds between two answers of a dataset where the configuration says nothing and the usual ones are wrong.
    public var intervals: [DatasetKind: Int]
    /// What a feed's configuration may say.
    public var settings: ProviderSettings
    /// The form in which a dataset comes, where it has a name: "GTFS-Realtime". Else ``title`` stands in for it.
    public var formats: [DatasetKind: String]
    /// Nobody is asked: what it tells is computed where it is wanted.
    public var isComputed: Bool
    /// What a newcomer can choose with one word.
    public var presets: [ProviderPreset]

    public init(
        name: String, title: String, datasets: Set<DatasetKind>, key: KeyPlacement? = nil, keySource: String? = nil,
        attribution: String? = nil, disclaimer: String? = nil, pace: ProviderRateLimits = ProviderRateLimits(),
        intervals: [DatasetKind: Int] = [:],
        settings: ProviderSettings = ProviderSettings(), formats: [DatasetKind: String] = [:],
        isComputed: Bool = false, presets: [ProviderPreset] = []
    ) {
        self.name = name
        self.title = title
        self.datasets = datasets
        self.key = key
        self.keySource = keySource
        self.attribution = attribution
        self.disclaimer = disclaimer
        self.pace = pace
        self.intervals = intervals
        self.settings = settings
        self.formats = formats
        self.isComputed = isComputed
        self.presets = presets
    }

    /// Where a key goes in a request.
    public enum KeyPlacement: Hashable, Sendable {
        /// A parameter of the query.
        case parameter(String)
        case header(String)
        /// As `Authorization: Bearer`, and by itself in this header: Tranzy's documents ask for both.
        case bearerAndHeader(String)
    }
}

/// A feed of a provider that needs no further words.
public struct ProviderPreset: Hashable, Sendable {
    /// What the feed is called in the configuration.
    public var id: FeedID
    /// What people call it: "Caltrain".
    public var title: String
    public var agency: String?

    public init(id: FeedID, title: String, agency: String? = nil) {
        self.id = id
        self.title = title
        self.agency = agency
    }
}

/// An agency that a provider lists.
public struct ProviderAgency: Hashable, Sendable {
    /// As `agency` in the configuration has it.
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// What the configuration of a feed has to say for a provider, and what it may.
public struct ProviderSettings: Hashable, Sendable {
    public enum Requirement: Hashable, Sendable {
        /// The example is shown to who has left it out.
        case required(example: String)
        case optional(example: String)
        case refused
    }

    /// `agency`.
    public var agency: Requirement
    /// `base_url`: another address in place of the provider's own.
    public var base: Requirement
    /// `static`, `trip_updates`, `vehicles` and `alerts`: addresses of single datasets; what is not here is refused.
    public var addresses: [DatasetKind: Requirement]

    public init(
        agency: Requirement = .optional(example: "1"),
        base: Requirement = .optional(example: "https://mirror.example.org"),
        addresses: [DatasetKind: Requirement] = [:]
    ) {
        self.agency = agency
        self.base = base
        self.addresses = addresses
    }
}

/// How often a provider may be asked.
public struct ProviderRateLimits: Hashable, Sendable {
    /// Seconds between the first calls to a host after a start.
    public var startSpacing: Int
    /// What one key may spend where the configuration says nothing; empty: nobody counts.
    public var budget: [BudgetLimit]
    /// Thousandths of a second between two requests of a collection.
    public var collectionSpacing: Int

    public init(startSpacing: Int = 0, budget: [BudgetLimit] = [], collectionSpacing: Int = 250) {
        self.startSpacing = max(0, startSpacing)
        self.budget = budget
        self.collectionSpacing = max(0, collectionSpacing)
    }
}
