internal import TransitModel
internal import TransitRefresh

/// The configuration and upstreams of one simulation, derived from its seed.
struct Scenario {
    var configuration = RefreshConfiguration()
    var endpoints: [EndpointID: SimulatedEndpoint] = [:]
    var hosts: [HostID: SimulatedHost] = [:]
    var accounts: [KeyName: KeyAccount] = [:]
    /// Datasets that were removed from the configuration.
    var leftOut: [DatasetID: RefreshConfiguration.Dataset] = [:]
    var start = Instant(secondsSince1970: 0)
    var zone = ServiceZone.utc

    init(_ conditions: SimulationConditions, _ generator: inout SeededGenerator) {
        zone = Self.berlin ?? .utc
        // A time in 2026. For half of the seeds, the time is shortly before a daylight-saving change.
        let day = generator.once(in: 2) ? generator.pick([86, 296]) : generator.number(0...364)
        start = Instant(secondsSince1970: 1_767_225_600 + Int64(day) * 86_400 + Int64(generator.number(0...86_399)))
        let feeds = generator.number(conditions.feeds)
        let hasKey = conditions.hasKey ?? generator.once(in: 2)
        for number in 0..<feeds {
            addFeed(number, key: number == 0 && hasKey ? "key" : nil, conditions.hourlyBudget, &generator)
        }
        addFile(&generator)
    }

    /// Adds a feed with its datasets. Feeds can share a host.
    private mutating func addFeed(
        _ number: Int, key: KeyName?, _ hourly: Int, _ generator: inout SeededGenerator
    ) {
        let feed = FeedID("feed\(number)")
        let host = HostID(key == nil ? "host\(generator.number(0...max(0, number)))" : "keyed")
        if hosts[host] == nil { hosts[host] = SimulatedHost() }
        if let key { addKey(key, hourly, host, &generator) }
        for kind in DatasetKind.refreshed where kind == .tripUpdates || !generator.once(in: 4) {
            let endpoint = EndpointID("https://\(host)/\(feed)/\(kind.rawValue)")
            add(DatasetID(feed, kind), DatasetSource(endpoint: endpoint, host: host, key: key), &generator)
        }
    }

    private mutating func addKey(
        _ key: KeyName, _ hourly: Int, _ host: HostID, _ generator: inout SeededGenerator
    ) {
        var limits = [BudgetLimit(hourly, per: .rolling(seconds: 3600))]
        if generator.once(in: 2) { limits.append(BudgetLimit(hourly * 35 / 3, per: .calendarDay(zone))) }
        configuration.budgets[key] = BudgetPolicy(key: key, limits: limits)
        accounts[key] = KeyAccount(limits: limits)
        configuration.startSpacing[host] = 15
        hosts[host]?.startSpacing = 15_000
    }

    /// Adds a feed that needs no network.
    private mutating func addFile(_ generator: inout SeededGenerator) {
        add(DatasetID("file", .static), DatasetSource(endpoint: "file:/timetable", host: nil), &generator)
    }

    private mutating func add(_ id: DatasetID, _ source: DatasetSource, _ generator: inout SeededGenerator) {
        configuration.datasets[id] = RefreshConfiguration.Dataset(source: source, policy: .standard(for: id.kind))
        let conditionalRequestBehavior = generator.pick([
            ConditionalRequestBehavior.honest, .honest, .honest, .ignoresConditionalRequests, .alwaysNotModified,
        ])
        let seconds = id.kind.isRealtime ? generator.number(20...400) : generator.number(6...100) * 3600
        endpoints[source.endpoint] = SimulatedEndpoint(
            conditionalRequestBehavior: conditionalRequestBehavior,
            timestampBehavior: id.kind.isRealtime ? Self.timestampBehavior(&generator) : .none,
            period: Int64(seconds) * 1000)
    }

    private static func timestampBehavior(_ generator: inout SeededGenerator) -> TimestampBehavior {
        let minutes = Int64(generator.number(2...240)) * 60_000
        return generator.pick([TimestampBehavior.exact, .exact, .ahead(minutes), .lagging(minutes), .stuck, .none])
    }

    /// Central European time with its two changes a year, built from a TZif file (RFC 8536).
    private static let berlin: ServiceZone? = {
        let header: [UInt8] =
            [0x54, 0x5A, 0x69, 0x66, 0x32] + Array(repeating: 0, count: 15)
            + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
        let block: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0, 0x43, 0x45, 0x54, 0]
        let footer = Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
        return try? ServiceZone(name: "Europe/Berlin", tzif: header + block + header + block + footer)
    }()

    /// Whether the zone was built. If not, no daylight-saving change is simulated.
    static var hasZone: Bool { berlin != nil }
}
