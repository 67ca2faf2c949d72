internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

/// The two queries that ``QuickCommand`` also supports.
extension Session {
    func next(commute: String?) -> ExitStatus {
        var call = NextParameters(commute: commute, at: settings.at, language: language)
        call.interactive = isInteractive
        if let count = settings.count { call.count = count }
        let hasTime = settings.at != nil
        return show(call, .next(in: units), heading: { $0.heading(isNamed: commute != nil, hasTime: hasTime) })
    }

    func departures(stop: String, route: String? = nil, feed: String? = nil) -> ExitStatus {
        var call = DeparturesParameters(
            stop: stop, feed: feed.map { FeedID($0) }, route: route, at: settings.at, language: language)
        call.interactive = isInteractive
        if let count = settings.count { call.count = count }
        let hasTime = settings.at != nil
        return show(call, .departures, heading: { hasTime ? $0.at.heading : nil })
    }
}

struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Show the next departures for a commute.",
        discussion: """
            Without a name, shows the commute in use or, if none is in use, home-to-work before noon and work-to-home \
            after noon.
            """)

    @Argument(help: "The commute's name.")
    var commute: String?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run([.at, .count]) { $0.next(commute: commute) } }
}

struct DeparturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "departures", abstract: "Show the next departures from a stop or station.")

    @Argument(help: "A stop name that matches a single stop, a stop code, or a reference such as caltrain:70211.")
    var stop: [String]
    @Option(help: ArgumentHelp("Show this route only.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run([.at, .count]) { $0.departures(stop: stop.name, route: route, feed: feed) } }
}
