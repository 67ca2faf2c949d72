internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

/// The two queries that ``QuickCommand`` also supports.
extension Session {
    /// - Parameters:
    ///   - words: The name of a commute, or an origin and a destination.
    ///   - within: The time window in seconds.
    func next(_ words: [String], within: Int? = nil) -> ExitStatus {
        attempt { () throws(ClientError) in
            let journey = try journey(words)
            var call = NextParameters(
                commute: journey.commute, from: journey.from, to: journey.to, at: settings.at, within: within,
                language: language)
            call.interactive = isInteractive
            if let count = settings.count { call.count = count }
            let hasTime = settings.at != nil
            return show(
                call, .next(in: units), heading: { $0.heading(isNamed: journey.commute != nil, hasTime: hasTime) })
        }
    }

    /// - Parameters:
    ///   - within: The time window in seconds.
    ///   - isEachDirection: Whether the count is the number of departures in each direction.
    func departures(
        stop: String, route: String? = nil, feed: String? = nil, within: Int? = nil, isEachDirection: Bool = false
    ) -> ExitStatus {
        var call = DeparturesParameters(
            stop: stop, feed: feed.map { FeedID($0) }, route: route, at: settings.at, within: within,
            language: language)
        call.interactive = isInteractive
        if isEachDirection {
            call.countPerDirection = settings.count ?? 3
        } else if let count = settings.count {
            call.count = count
        }
        let hasTime = settings.at != nil
        return show(call, .departures, heading: { hasTime ? $0.at.heading : nil })
    }
}

/// The option of boards for a time window.
struct WindowOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only departures in the next 30m, 2h or 90 (minutes), at most as many as -n says.",
            valueName: "duration"),
        transform: WindowArgument.read)
    var within: Int?
}

struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Show the next departures for a commute, or between two stops or places.",
        usage: "transitctl next [<commute>] [<options>]\ntransitctl next <from> <to> [<options>]",
        discussion: """
            Without a name, shows the commute in use or, if none is in use, home-to-work before noon and work-to-home \
            after noon. Examples: next gym, next home "City Park", next San Mateo to Tamien.
            """)

    @Argument(
        help: "The commute's name, or an origin and a destination. \"to\" can separate them.",
        completion: .names(.journey))
    var words: [String] = []
    @OptionGroup var window: WindowOptions
    @OptionGroup var global: BoardOptions

    func run() throws { try global.run([.at, .count]) { $0.next(words, within: window.within) } }
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
    @Flag(
        name: .customLong("each-direction"),
        help: "Show departures for each direction: 3, or the number given with -n (at most 50).")
    var isEachDirection = false
    @OptionGroup var window: WindowOptions
    @OptionGroup var global: BoardOptions

    func run() throws {
        try global.run([.at, .count]) {
            $0.departures(
                stop: stop.name, route: route, feed: feed, within: window.within, isEachDirection: isEachDirection)
        }
    }
}
