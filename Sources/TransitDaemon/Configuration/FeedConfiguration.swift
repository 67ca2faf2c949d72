public import TransitFeeds
internal import TransitFetch
public import TransitModel

/// One `[[feed]]`: the sources of a timetable and its realtime data.
public struct FeedConfiguration: Hashable, Sendable {
    public var id: FeedID
    /// The name of a provider in the provider catalog. It determines where the data comes from.
    public var provider: String
    /// The agency's identifier in the provider's own system.
    public var agency: String?
    /// A base URL that replaces the provider's own, without a trailing slash.
    public var base: String?
    public var source: StaticSource
    /// The feed of the same agency that this feed supplements. The departures of the two feeds are merged.
    public var supplements: FeedID?
    /// Seconds between two checks of the source. The range is 1 hour to 7 days.
    public var refreshInterval: Int
    public var limits: FeedLimits
    /// The part of the timetable to keep; `nil` for all of it.
    public var keep: FeedSubset?
    /// The realtime datasets whose URLs are configured; never ``DatasetKind/static``. A provider may offer more
    /// datasets.
    public var realtime: [DatasetKind: RealtimeSource] = [:]
    public var refresh = RefreshOptions()
    /// The request budget for the feed's hosts, shared by feeds that share a key. If empty, requests are not metered.
    public var budget: [BudgetLimit] = []
    public var credential: FeedCredential?
    /// The absolute path of a PEM file whose certificates replace the system's trusted certificates.
    public var caFile: String?

    public init(
        id: FeedID, source: StaticSource, refreshInterval: Int = DaemonOptions.defaultRefreshInterval,
        limits: FeedLimits = FeedLimits()
    ) {
        self.id = id
        provider = source == .demo ? "demo" : "gtfs"
        self.source = source
        self.refreshInterval = refreshInterval
        self.limits = limits
    }
}

extension FeedConfiguration {
    /// The provider of the feed. The provider is created on each access, because it is a small value.
    var resolvedProvider: any Provider {
        let options = ProviderOptions(agency: agency, base: base, urls: urls)
        // The configuration rejects names that are not in the catalog.
        return ProviderCatalog.provider(provider, options) ?? GTFSProvider(options)
    }

    private var urls: [DatasetKind: String] {
        var urls = realtime.mapValues { source in
            switch source {
            case .remote(let url): url
            case .file(let path): FileURL.text(path)
            }
        }
        switch source {
        case .remote(let url): urls[.static] = url
        case .file(let path): urls[.static] = FileURL.text(path)
        case .demo, .provider: break
        }
        return urls
    }

    /// Whether the timetable is a network assembled from the responses to many requests.
    var isCollected: Bool { resolvedProvider.collection() != nil }

    /// Whether a request may carry the feed's key. A provider's key is not sent to a feed's other URLs, and a key for some
    /// hosts is not sent to others.
    func isKeyed(_ url: String) -> Bool {
        if url.hasPrefix("file:") { return false }
        if let hosts = credential?.hosts, !hosts.isEmpty {
            guard let host = WebURL(url)?.host, hosts.contains(host) else { return false }
        }
        return resolvedProvider.traits.key == nil || !urls.values.contains(url)
    }
}

// The properties of a feed's configuration that the refresh engine uses.
extension FeedConfiguration {
    /// The datasets that the feed has.
    var datasets: [DatasetKind] {
        let known = resolvedProvider.traits.datasets
        return DatasetKind.refreshed.filter { known.contains($0) }
    }

    /// Returns the refresh interval of a dataset and the limits of a fetch.
    func policy(for kind: DatasetKind) -> RefreshPolicy {
        let standard = RefreshPolicy.standard(for: kind)
        if kind == .static { return timetablePolicy(standard) }
        let (resolvedProvider, request) = (resolvedProvider, resolvedProvider.request(for: kind))
        return RefreshPolicy(
            interval: refresh.intervals[kind] ?? resolvedProvider.traits.intervals[kind] ?? standard.interval,
            idleInterval: refresh.idle ?? standard.idleInterval, deadline: request?.deadline ?? standard.deadline,
            bodyLimit: request?.bodyLimit ?? standard.bodyLimit, unconditionalInterval: standard.unconditionalInterval)
    }

    private func timetablePolicy(_ standard: RefreshPolicy) -> RefreshPolicy {
        var quietHours = standard.quietHours
        if let hour = refresh.downloadHour {
            quietHours = QuietHours(start: hour * 3600, length: QuietHours.standard.length)
        }
        return RefreshPolicy(
            interval: refreshInterval, quietHours: quietHours,
            deadline: isCollected ? Self.collectionDeadline : standard.deadline,
            bodyLimit: Int(clamping: limits.download), unconditionalInterval: standard.unconditionalInterval)
    }

    /// Maximum number of seconds for collecting a network, including delays that the provider's budget causes. An
    /// attempt that runs out of time leaves its partial result for the next one.
    private static let collectionDeadline = 6 * 3600

    /// Returns the source of a dataset, to which spacing, circuit breakers and budgets apply; `nil` if the feed does
    /// not have the dataset.
    func datasetSource(_ kind: DatasetKind) -> DatasetSource? {
        // Another part of the feed is another source: its record has no validators, and it is fetched soon.
        let part = kind == .static ? keep.map { "#keep-\(String(IdentifierHash.of("\($0)"), radix: 16))" } ?? "" : ""
        guard let url = url(of: kind), let address = WebURL(url) else {
            return localName(of: kind).map { DatasetSource(endpoint: EndpointID($0 + part), host: nil) }
        }
        let endpoint = address.removing { _, _ in true }.text
        // Each agency is a separate source, even if several agencies share a URL.
        return DatasetSource(
            endpoint: EndpointID(endpoint + (agency.map { "#\($0)" } ?? "") + part),
            host: HostID("\(address.host):\(address.port)"), key: keyName,
            isKeyed: credential != nil && isKeyed(url))
    }

    /// The key whose budget the feed's requests are charged to. A feed without a key can also have a budget.
    var keyName: KeyName? {
        credential.map { $0.name(of: id) } ?? (keyLimits.isEmpty ? nil : KeyName(id.rawValue))
    }

    private func localName(of kind: DatasetKind) -> String? {
        if kind == .static { return "\(source)" }
        guard datasets.contains(kind) else { return nil }
        // Each dataset is a separate source, so that reading one does not delay another.
        return realtime[kind].map { "\($0)" } ?? "\(provider):\(kind.rawValue)"
    }

    /// Whether any of the feed's sources is on another machine.
    var needsNetwork: Bool {
        datasets.contains { kind in
            url(of: kind).flatMap { WebURL($0) }.map { !WebURL.isLoopback($0.host) } ?? false
        }
    }

    /// Returns the URL of the first request for a dataset; `nil` for a file, the demo city, or a dataset that the feed
    /// does not have.
    private func url(of kind: DatasetKind) -> String? {
        (resolvedProvider.request(for: kind)
            ?? (kind == .static ? resolvedProvider.collection()?.next()?.request : nil))?.url
    }

    /// The request limits of the key: those in the configuration or, if there are none, the provider's.
    private var keyLimits: [BudgetLimit] { budget.isEmpty ? resolvedProvider.traits.rateLimits.budget : budget }

    /// Returns one policy for each key of the given feeds. If feeds share a key, the limits of all of them apply.
    static func budgets(of feeds: [FeedConfiguration]) -> [BudgetPolicy] {
        var policies: [BudgetPolicy] = []
        for feed in feeds {
            let limits = feed.keyLimits
            guard let key = feed.keyName, !limits.isEmpty else { continue }
            if let known = policies.firstIndex(where: { $0.key == key }) {
                policies[known].limits += limits.filter { !policies[known].limits.contains($0) }
            } else {
                policies.append(BudgetPolicy(key: key, limits: limits))
            }
        }
        return policies
    }
}

/// `[feed.limits]`: limits on the size of an archive; `nil` keeps the archive reader's default.
public struct FeedLimits: Hashable, Sendable {
    /// Maximum number of bytes to download. The default is 1 GiB; the largest national feeds are about 500 MB.
    public var download: UInt64 = 1 << 30
    /// Maximum total uncompressed size of all members in bytes.
    public var total: UInt64?
    /// Maximum uncompressed size of one member in bytes.
    public var member: UInt64?
    /// Maximum ratio of a member's uncompressed size to its compressed size.
    public var ratio: Int?
    public var members: Int?

    public init() {}
}

/// The source of a feed's timetable.
public enum StaticSource: Hashable, Sendable {
    /// The URL of an archive: `https`, or `http` to a loopback address.
    case remote(url: String)
    /// The absolute path of an archive.
    case file(path: String)
    /// The embedded demo city.
    case demo
    /// The provider's own archive, or a network collected from the provider. The value is a name built from the
    /// configuration.
    case provider(String)
}

extension StaticSource: CustomStringConvertible {
    /// Text for logs, `feed list` and the origin of a timetable version. Omits the query, which may contain a key.
    public var description: String {
        switch self {
        case .remote(let url): url.firstIndex(of: "?").map { url[..<$0] + "?…" } ?? url
        case .file(let path): "file:" + path
        case .demo: "demo:"
        case .provider(let name): name
        }
    }
}

/// The source of a realtime dataset of a feed.
public enum RealtimeSource: Hashable, Sendable {
    /// `https`, or `http` to a loopback address.
    case remote(url: String)
    /// The absolute path of a file that another program rewrites from time to time.
    case file(path: String)
}

extension RealtimeSource: CustomStringConvertible {
    /// Text for logs and replies. Omits the query, which may contain a key.
    public var description: String { "\(staticSource)" }

    private var staticSource: StaticSource {
        switch self {
        case .remote(let url): .remote(url: url)
        case .file(let path): .file(path: path)
        }
    }
}

/// `[feed.refresh]`: refresh intervals of a feed's datasets that differ from the defaults of ``RefreshPolicy``.
public struct RefreshOptions: Hashable, Sendable {
    /// Seconds between two refreshes while there is demand for the data, ``RefreshPolicy/shortest`` to
    /// ``RefreshPolicy/longest``.
    public var intervals: [DatasetKind: Int] = [:]
    /// Seconds between two refreshes of realtime datasets without demand.
    public var idle: Int?
    /// The preferred hour for fetching the timetable, 0...23 in the agency's time zone.
    public var downloadHour: Int?
}

/// The way in which a feed's key is sent, and the file from which it is read. The key itself is not part of the
/// configuration.
public struct FeedCredential: Hashable, Sendable {
    public var placement: ProviderTraits.KeyPlacement
    /// An absolute path. If `nil`, the key is `FEED.key` of ``KeyStore`` or, failing that, of systemd's credential
    /// directory.
    public var file: String?
    /// The hosts that may receive the key, in lowercase. If empty, all hosts of the feed may.
    public var hosts: [String] = []

    /// Returns where the key is placed in a request.
    func location(of secret: Secret) -> SecretLocation {
        switch placement {
        case .parameter(let name): .query(name: name, secret)
        case .header(let name): .header(name: name, secret)
        case .authorization(let scheme): .authorization(scheme: scheme, secret)
        case .bearerAndHeader(let name): .bearerAndHeader(name: name, secret)
        }
    }

    /// Returns the name under which the key's budget is recorded. Feeds that read their key from the same file share
    /// a budget. The name omits the file's folder, because it is shown to users.
    func name(of feed: FeedID) -> KeyName {
        guard let name = file?.split(separator: "/").last else { return KeyName(feed.rawValue) }
        return KeyName(String(name))
    }
}

extension FeedKeys {
    /// - Throws: ``TransportFailure/key(_:)`` with the cause and the remedy.
    func key(of feed: FeedID, _ credential: FeedCredential) throws(TransportFailure) -> SecretLocation {
        credential.location(of: try secret(of: feed, file: credential.file))
    }
}
