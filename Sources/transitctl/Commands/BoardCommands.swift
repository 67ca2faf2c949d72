internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

/// The two queries that ``QuickCommand`` also supports.
extension Session {
    /// - Parameters:
    ///   - words: The name of a commute, or an origin and a destination.
    ///   - within: The time window in seconds.
    ///   - isReachable: Whether to leave out departures that cannot be caught any more.
    ///   - changes: The maximum number of changes of journeys; 0 for direct trips only.
    ///   - requirements: What riders require; `nil` for nothing.
    func next(
        _ words: [String], within: Int? = nil, isReachable: Bool = false, changes: Int = ChangesOptions.usual,
        requirements: JourneyRequirementOptions? = nil
    ) -> ExitStatus {
        attempt { () throws(ClientError) in
            let journey = try journey(words)
            var call = NextParameters(
                commute: journey.commute, from: journey.from, to: journey.to, at: settings.at, within: within,
                reachable: isReachable, changes: changes, modes: requirements?.modeNames ?? [],
                wheelchair: requirements?.wheelchair ?? false, bicycles: requirements?.bicycle ?? false,
                language: language)
            call.interactive = isInteractive
            if let count = settings.count { call.count = count }
            let isNamed = journey.commute != nil
            return show(call, .next(in: units), heading: { $0.heading(isNamed: isNamed, time: requestedTime) })
        }
    }

    /// - Parameters:
    ///   - within: The time window in seconds.
    ///   - isEachDirection: Whether the count is the number of departures in each direction.
    ///   - walk: Where the walk to the stop begins, and whether departures are left out that it does not reach.
    ///   - showsPunctuality: Whether to show the delays of each departure on earlier days.
    func departures(
        stop: String, route: String? = nil, feed: String? = nil, within: Int? = nil, isEachDirection: Bool = false,
        walk: WalkOptions? = nil, showsPunctuality: Bool = false
    ) -> ExitStatus {
        var call = DeparturesParameters(
            stop: stop, feed: feed.map { FeedID($0) }, route: route, at: settings.at, within: within,
            from: walk?.from, walk: walk?.walkMinutes.map { $0 * 60 }, reachable: walk?.isReachable ?? false,
            punctuality: showsPunctuality, language: language)
        call.interactive = isInteractive
        if isEachDirection {
            call.countPerDirection = settings.count ?? 3
        } else if let count = settings.count {
            call.count = count
        }
        return show(
            call, .departures(showsPunctuality: showsPunctuality), heading: { $0.at.heading(for: requestedTime) })
    }

    /// The time for which a board is shown, as the user typed it; `nil` for a board of now.
    var requestedTime: RequestedTime? { settings.at.map { RequestedTime($0, isLimited: settings.count != nil) } }
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

/// The options of `departures` for the walk to the stop.
struct WalkOptions: ParsableArguments {
    @Flag(
        name: .customLong("reachable"),
        help: "Leave out departures that you cannot catch any more from where you are.")
    var isReachable = false
    @Option(
        help: ArgumentHelp("The place where you are. Default: the one nearest to the stop.", valueName: "place"))
    var from: String?
    @Option(help: ArgumentHelp("The minutes that you walk to the stop, from wherever you are.", valueName: "minutes"))
    var walkMinutes: Int?

    func validate() throws {
        if from != nil, walkMinutes != nil {
            throw ValidationError("--from and --walk-minutes cannot be combined. Give only one of them.")
        }
        guard (0...180).contains(walkMinutes ?? 0) else { throw ValidationError("--walk-minutes must be 0 to 180.") }
    }
}

struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Show the next direct trips and journeys of a commute, or between two stops or places.",
        usage: "transitctl next [<commute>] [<options>]\ntransitctl next <from> <to> [<options>]",
        discussion: """
            Without a name, shows the commute in use or, if none is in use, home-to-work before noon and work-to-home \
            after noon. Examples: next gym, next home "City Park", next San Mateo to Tamien.
            """)

    @Argument(
        help: "The commute's name, or an origin and a destination. \"to\" can separate them.",
        completion: .names(.journey))
    var words: [String] = []
    @Flag(name: .customLong("reachable"), help: "Leave out departures that you cannot catch, such as canceled ones.")
    var isReachable = false
    @OptionGroup var changes: ChangesOptions
    @OptionGroup var requirements: JourneyRequirementOptions
    @OptionGroup var window: WindowOptions
    @OptionGroup var global: BoardOptions

    func run() throws {
        try global.run([.at, .count]) {
            $0.next(
                words, within: window.within, isReachable: isReachable,
                changes: changes.changes ?? ChangesOptions.usual, requirements: requirements)
        }
    }
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
    @Flag(
        name: .customLong("punctuality"), help: "Below each departure, show how often it was on time on earlier days.")
    var showsPunctuality = false
    @OptionGroup var walk: WalkOptions
    @OptionGroup var window: WindowOptions
    @OptionGroup var global: BoardOptions

    func run() throws {
        try global.run([.at, .count]) {
            $0.departures(
                stop: stop.name, route: route, feed: feed, within: window.within, isEachDirection: isEachDirection,
                walk: walk, showsPunctuality: showsPunctuality)
        }
    }
}
