internal import ArgumentParser
internal import TransitControl
internal import TransitModel

/// The two questions that are also read by ``QuickCommand``.
extension Session {
    func next(commute: String?) -> ExitStatus {
        var call = NextParameters(commute: commute, at: settings.at, language: language)
        if let count = settings.count { call.count = count }
        let isAsked = settings.at != nil
        return show(call, .next, heading: { $0.heading(isNamed: commute != nil, isAsked: isAsked) })
    }

    func departures(stop: String, route: String? = nil, feed: String? = nil) -> ExitStatus {
        var call = DeparturesParameters(
            stop: stop, feed: feed.map { FeedID($0) }, route: route, at: settings.at, language: language)
        if let count = settings.count { call.count = count }
        let isAsked = settings.at != nil
        return show(call, .departures, heading: { isAsked ? $0.at.heading : nil })
    }
}

struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "The next departures of a commute.",
        discussion: """
            Without a name: the commute in use; when none is, home-to-work before noon and work-to-home after it.
            """)

    @Argument(help: "The commute's name.")
    var commute: String?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run([.at, .count]) { $0.next(commute: commute) } }
}

struct DeparturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "departures", abstract: "What leaves a stop or station.")

    @Argument(help: "A name that fits one stop, a code, or a reference such as caltrain:70211.")
    var stop: [String]
    @Option(help: ArgumentHelp("Only this route.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run([.at, .count]) { $0.departures(stop: stop.name, route: route, feed: feed) } }
}
