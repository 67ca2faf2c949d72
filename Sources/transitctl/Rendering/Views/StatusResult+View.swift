internal import TransitControl

extension View where Result == StatusResult {
    /// The status of the daemon and its feeds.
    static let status = View(page: page, rows: { $0.feeds.map(\.row) })

    private static func page(_ result: StatusResult) -> Page {
        var page = Page()
        page.line(
            Line("transitd \(result.daemon.version)", .strong)
                + Line(", running for \(DurationText.of(seconds: result.daemon.uptime))"))
        page.pieces(facts(result), indent: 2)
        if result.daemon.isReplay {
            page.line(
                "The daemon's clock was set to a different time; it is now \(result.at.rfc3339).", .caution, indent: 2)
        }
        if !result.feeds.isEmpty { page.blank() }
        page.table(FeedTable.of(result.feeds, at: result.at))
        for feed in result.feeds { page.addFailure(of: feed, from: result.at) }
        page.addDatasets(of: result.feeds, at: result.at)
        for cache in result.caches {
            page.line(Line("\(cache.name): ", .strong) + Line(cache.health.rawValue, .bad) + Line(". \(cache.message)"))
        }
        if result.feeds.isEmpty { page.line("No feeds: the configuration has no [[feed]].", indent: 2) }
        return page
    }

    private static func facts(_ result: StatusResult) -> [Line] {
        var facts = [
            "process \(result.daemon.pid)", "memory \(CountText.bytes(result.daemon.memory))",
            CountText.of(result.daemon.connections, "client"), "socket \(result.daemon.socket)",
            "configuration \(result.daemon.configuration ?? "none")",
            "timetables \(CountText.bytes(result.storage.timetables))",
        ]
        if let network = result.network {
            facts.append(
                (network.isOnline ? "online" : "OFFLINE")
                    + (network.since.map { " since \($0.words(from: result.at))" } ?? ""))
        }
        if let free = result.storage.free { facts.append("\(CountText.bytes(free)) free") }
        facts.append("commute \(result.commute ?? "by the time of day")")
        return facts.map { Line($0) }
    }
}
