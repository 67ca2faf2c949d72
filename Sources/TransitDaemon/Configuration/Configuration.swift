public import TransitEngine
public import TransitFeeds
public import TransitModel

/// What the configuration file says, checked: every value is in its range and every name refers to something.
///
/// Read by ``init(text:file:home:)``; the file is described in transitd.toml(5).
public struct Configuration: Hashable, Sendable {
    /// In the order of the file; no two with the same id.
    public var feeds: [FeedConfiguration] = []
    /// `[place.NAME]`, by name.
    public var places: [String: PlaceConfiguration] = [:]
    /// `[commute.NAME]` in the order of their names. What `place.home` and `place.work` imply is not among them:
    /// a user's own places may replace either.
    public var commutes: [CommuteConfiguration] = []
    public var queries = QueryDefaults()
    /// `[geocoder]`: who finds addresses; `nil`: nobody is asked.
    public var geocoder: Geocoder?
    public var daemon = DaemonOptions()
    /// Missing files or keys that the configuration names, in the order of the lines. The configuration is usable all
    /// the same, because they can appear later.
    public var warnings: [ConfigurationError.Problem] = []

    /// No feeds and no places, and the defaults: what the daemon runs with before anything is configured.
    public init() {}
}

/// One `[[feed]]`: where a timetable and its live data come from.
public struct FeedConfiguration: Hashable, Sendable {
    public var id: FeedID
    /// Who is asked, and how: a name of the catalog of providers.
    public var provider: String
    /// The agency, in the provider's own terms.
    public var agency: String?
    /// An address in place of the provider's own, without a slash at its end.
    public var base: String?
    public var source: StaticSource
    /// The feed of the same agency whose departures and stops are merged with those of this one.
    public var supplements: FeedID?
    /// Seconds between two looks at the source, 1 hour to 7 days.
    public var refreshInterval: Int
    public var limits: FeedLimits
    /// The live datasets whose addresses are configured; none for ``DatasetKind/static``. A provider may have more.
    public var realtime: [DatasetKind: RealtimeSource] = [:]
    public var refresh = RefreshOptions()
    /// What may be asked of the feed's hosts; feeds that share a key share it. Empty: nobody counts.
    public var budget: [BudgetLimit] = []
    public var credential: FeedCredential?
    /// A PEM file whose certificates are trusted instead of the system's; an absolute path.
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

/// `[feed.limits]`: how large an archive may be; `nil` leaves the reader's own limit.
public struct FeedLimits: Hashable, Sendable {
    /// Bytes that are fetched at most. 1 GiB, where the largest national feeds have about 500 MB.
    public var download: UInt64 = 1 << 30
    /// Bytes of all members, unpacked.
    public var total: UInt64?
    /// Bytes of one member, unpacked.
    public var member: UInt64?
    /// How many times larger a member may be unpacked than packed.
    public var ratio: Int?
    public var members: Int?

    public init() {}
}

/// Where a feed's timetable is.
public enum StaticSource: Hashable, Sendable {
    /// An archive: `https`, or `http` to a loopback address.
    case remote(url: String)
    /// An absolute path.
    case file(path: String)
    /// The embedded demo city.
    case demo
    /// The provider's own, an archive or a network that is collected; named as it is configured.
    case provider(String)
}

extension StaticSource: CustomStringConvertible {
    /// For logs, `feed list` and the version's origin: without the query, which may hold a key.
    public var description: String {
        switch self {
        case .remote(let url): url.firstIndex(of: "?").map { url[..<$0] + "?…" } ?? url
        case .file(let path): "file:" + path
        case .demo: "demo:"
        case .provider(let name): name
        }
    }
}

/// One `[place.NAME]`.
public struct PlaceConfiguration: Hashable, Sendable {
    public enum Location: Hashable, Sendable {
        case coordinate(Coordinate)
        /// A stop or station that stands for the place.
        case stop(QualifiedStop)
    }

    public var location: Location
    /// The walk between the place and the stop that is used there, in seconds, instead of an estimate from the distance.
    public var walk: Int?

    public init(location: Location, walk: Int? = nil) {
        self.location = location
        self.walk = walk
    }
}

/// `feed:stop_id`: a stop by its full name. The feed's part ends at the first colon; stop ids may have more of them.
public struct QualifiedStop: Hashable, Sendable, CustomStringConvertible {
    public var feed: FeedID
    public var stop: StopID

    public init(feed: FeedID, stop: StopID) {
        self.feed = feed
        self.stop = stop
    }

    /// `nil` when there is no colon, or no feed or stop beside it.
    public init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let feed = FeedID(validating: String(text[..<colon]))
        else { return nil }
        let stop = text[text.utf8.index(after: colon)...]
        guard !stop.isEmpty else { return nil }
        self.init(feed: feed, stop: StopID(String(stop)))
    }

    public var description: String { "\(feed):\(stop)" }

    /// Separates the platforms of one stop: `caltrain:70211 + caltrain:70212`.
    private static let separator = " + "

    /// Formats several platforms of one stop as a text that ``list(_:)`` parses.
    static func text(of stops: [QualifiedStop]) -> String { stops.map(\.description).joined(separator: separator) }

    /// Parses one or several stops of one feed; `nil` if the text names no stop.
    static func list(_ text: String) -> [QualifiedStop]? {
        var parts: [Substring] = []
        var rest = text[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        let stops = (parts + [rest]).compactMap { QualifiedStop(String($0)) }
        // If a separator is part of an identifier, the parts are not all stops of the same feed.
        if stops.count == parts.count + 1, Set(stops.map(\.feed)).count == 1 { return stops }
        return QualifiedStop(text).map { [$0] }
    }
}

/// One `[commute.NAME]`. The ends are written as the user writes them: a place's name or `feed:stop`.
public struct CommuteConfiguration: Hashable, Sendable {
    public var name: String
    public var from: String
    public var to: String
    /// When it is usually made: live data is then kept as fresh as when somebody asks.
    public var windows: [CommuteWindow]

    public init(name: String, from: String, to: String, windows: [CommuteWindow] = []) {
        self.name = name
        self.from = from
        self.to = to
        self.windows = windows
    }
}

/// `[queries]`: what an answer uses where the request does not say.
public struct QueryDefaults: Hashable, Sendable {
    /// Departures in an answer of `next`, 1...50.
    public var nextCount = 3
    /// Departures in an answer of `departures`, 1...50.
    public var departuresCount = 10
    /// The hour of the day from which `next` without a commute means the way home, 0...24.
    public var returnHour = 12
    /// Metres around a place in which stops are looked for.
    public var walkingRadius = 1000
    /// Metres that are tried when there is no stop within ``walkingRadius``.
    public var maxWalkingRadius = 3000
    /// Seconds that an answer may wait for what is asked on demand, 0...10.
    public var arrivalsWait = 3

    public init() {}
}

/// `[daemon]`: what does not belong to one feed.
public struct DaemonOptions: Hashable, Sendable {
    public enum LogLevel: String, Hashable, Sendable, CaseIterable {
        case debug, info, notice, warning, error
    }

    public var logLevel = LogLevel.info
    /// For feeds without one of their own; an absolute path.
    public var caFile: String?

    public init() {}

    /// 24 hours, in seconds.
    public static let defaultRefreshInterval = 24 * 3600
}
