internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show a result and update it until Ctrl-C.",
        discussion: """
            On a terminal, each new result replaces the previous one. Otherwise, each result is printed after the \
            previous one; with --json, it is a single line.
            """,
        subcommands: [
            WatchNextCommand.self, WatchDeparturesCommand.self, WatchVehiclesCommand.self, WatchAlertsCommand.self,
            WatchStatusCommand.self, WatchFavoriteCommand.self, WatchJourneyCommand.self,
            WatchNotificationsCommand.self,
        ], defaultSubcommand: WatchNextCommand.self)
}

/// The option of commands whose result a status bar can show.
struct BarOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print lines for a status bar: waybar, i3blocks, polybar or tmux, or a template such as '{route} {leave_in:minutes}'.",
            valueName: "bar-or-template"), completion: .list(BarKind.allCases.map(\.rawValue)))
    var format: String?

    /// The number of departures for `next`: enough for the time in which the daemon cannot be reached.
    static let count = 5
}

struct WatchNextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Show the next direct trips and journeys of a commute.")

    @Argument(
        help: "The commute's name, or an origin and a destination. \"to\" can separate them.",
        completion: .names(.journey))
    var words: [String] = []
    @OptionGroup var bar: BarOptions
    @OptionGroup var changes: ChangesOptions
    @OptionGroup var requirements: JourneyRequirementOptions
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { (session) throws(ClientError) in
            if let format = bar.format {
                let topics = try session.barMeanings(of: words).map {
                    subscription(to: $0, count: session.settings.count ?? BarOptions.count, session)
                }
                return try session.showBar(topics, NextParameters.self, format)
            }
            let journey = try session.journey(words)
            return session.watch(
                subscription(to: journey, count: session.settings.count, session), NextParameters.self,
                .next(in: session.units))
        }
    }

    private func subscription(to journey: JourneyWords, count: Int?, _ session: Session) -> Topic {
        Topic(
            topic: .next, commute: journey.commute, from: journey.from, to: journey.to,
            changes: changes.changes ?? ChangesOptions.usual, modes: requirements.modeNames,
            wheelchair: requirements.wheelchair, bicycles: requirements.bicycle, count: count,
            language: session.language)
    }
}

struct WatchDeparturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "departures", abstract: "Show the next departures from a stop or station.")

    @Argument(help: "A stop name that matches a single stop, a stop code, or a reference such as caltrain:70211.")
    var stop: [String]
    @Option(help: ArgumentHelp("Show this route only.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @OptionGroup var bar: BarOptions
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { (session) throws(ClientError) in
            let topic = Topic(
                topic: .departures, stop: stop.name, feed: feed.map { FeedID($0) }, route: route,
                count: session.settings.count, language: session.language)
            if let format = bar.format { return try session.showBar([topic], DeparturesParameters.self, format) }
            return session.watch(topic, DeparturesParameters.self, .departures)
        }
    }
}

struct WatchVehiclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "vehicles", abstract: "Show vehicle positions.")

    @OptionGroup var options: VehicleOptions
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            let topic = Topic(
                topic: .vehicles, stop: options.stop, feed: options.feed.map { FeedID($0) }, route: options.route,
                trip: options.trip, count: session.settings.count, language: session.language)
            return session.watch(topic, VehiclesParameters.self, .vehicles)
        }
    }
}

struct WatchAlertsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "Show service alerts.")

    @OptionGroup var options: AlertOptions
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            let topic = Topic(
                topic: .alerts, commute: options.commute, stop: options.stop, feed: options.feed.map { FeedID($0) },
                route: options.route, count: session.settings.count, language: session.language)
            return session.watch(topic, AlertsParameters.self, .alerts)
        }
    }
}

struct WatchStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of the daemon and the feeds.")

    @Argument(help: "Show this feed only.")
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.watchStatus(feed) } }
}

struct WatchFavoriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite", abstract: "Show the next departures for each favorite.")

    @OptionGroup var options: FavoriteChoice
    @OptionGroup var bar: BarOptions
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { (session) throws(ClientError) in
            let topic = Topic(
                topic: .favorite, favorite: options.name, category: options.category, count: session.settings.count,
                language: session.language)
            if let format = bar.format { return try session.showBar([topic], FavoriteShowParameters.self, format) }
            return session.watch(topic, FavoriteShowParameters.self, .favoriteShow)
        }
    }
}

struct WatchJourneyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journey", abstract: "Show your pinned journeys as they proceed.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            session.watch(
                Topic(topic: .journey, language: session.language), PinnedJourneysParameters.self, .pinnedJourneys)
        }
    }
}

struct WatchNotificationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Show your notifications as they are decided.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            session.watch(Topic(topic: .notifications), NotificationsParameters.self, .notifications)
        }
    }
}

extension Session {
    func watchStatus(_ feed: String?) -> ExitStatus {
        watch(Topic(topic: .status, feed: feed.map { FeedID($0) }), StatusParameters.self, .status)
    }
}

extension Session {
    /// Shows the results of a subscription until Ctrl-C. Reconnects when the connection is lost.
    func watch<Call: ControlParameters>(_ topic: Topic, _ call: Call.Type, _ view: View<Call.Reply>) -> ExitStatus
    where Call.Reply: Watchable {
        var subscription = SubscribeParameters(topics: [topic])
        var display = WatchDisplay(session: self, view: view, isScreen: redrawsInPlace)
        let interrupt = Interrupt.catching([SIGINT, SIGTERM, SIGHUP])
        var failures = 0
        while true {
            var isConnected = false
            let outcome = follow(&subscription, call, interrupt, &display, &isConnected)
            failures = isConnected ? 1 : failures + 1
            guard case .lost(let error) = outcome, isConnected || failures > 1, failures <= Self.attempts else {
                display.end()
                if case .lost(let error) = outcome {
                    report(error)
                    return error.exitStatus
                }
                return .interrupted
            }
            display.connectionLost(error)
            guard !interrupt.waits(seconds: Self.reconnectInterval) else {
                display.end()
                return .interrupted
            }
        }
    }

    /// The maximum number of attempts to reconnect.
    private static let attempts = 30
    /// The number of seconds between two attempts to reconnect.
    private static let reconnectInterval = 2

    private var redrawsInPlace: Bool {
        output.isTerminal && !settings.json && !settings.plain && Environment.variable("TERM") != "dumb"
    }

    private enum WatchEnd {
        case interrupted
        case lost(ClientError)
    }

    private func follow<Call: ControlParameters>(
        _ subscription: inout SubscribeParameters, _ call: Call.Type, _ interrupt: Interrupt,
        _ display: inout WatchDisplay<Call.Reply>,
        _ isConnected: inout Bool
    ) -> WatchEnd where Call.Reply: Watchable {
        do throws(ClientError) {
            let client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: interrupt)
            let answer = try result(correcting: &subscription, client)
            guard let first = Self.first(answer) else {
                throw .unexpectedReply(reason: "The daemon's response has no subscription.")
            }
            isConnected = true
            try display.show(first.data, of: call)
            while true {
                // Redraws the screen every second, so that "in 7 minutes" becomes "in 6 minutes" without an event.
                switch try client.nextUpdate(within: 1) {
                case .interrupted: return .interrupted
                case .event(let data, let error):
                    if let data { try display.show(data, of: call) }
                    if let error { try display.fail(error) }
                case .lagged(let message): throw .unexpectedReply(reason: message)
                case .answer, .progress, .heartbeat, .other, nil: try display.tick()
                }
            }
        } catch {
            return error == .interrupted ? .interrupted : .lost(error)
        }
    }

    private static func first(_ answer: JSONValue) -> Subscription? {
        (try? SubscribeParameters.reply(from: answer))?.subscriptions.first
    }
}
