internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show a result and update it until Ctrl-C.",
        discussion: """
            On a terminal, each new result replaces the previous one. Otherwise, each result is printed after the \
            previous one; with --json, it is a single line.
            """,
        subcommands: [
            WatchNextCommand.self, WatchDeparturesCommand.self, WatchVehiclesCommand.self, WatchAlertsCommand.self,
            WatchStatusCommand.self, WatchFavoriteCommand.self,
        ], defaultSubcommand: WatchNextCommand.self)
}

struct WatchNextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Show the next departures for a commute.")

    @Argument(help: "The commute's name.")
    var commute: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            let topic = Topic(
                topic: .next, commute: commute, count: session.settings.count, language: session.language)
            return session.watch(topic, NextParameters.self, .next)
        }
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
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            let topic = Topic(
                topic: .departures, stop: stop.name, feed: feed.map { FeedID($0) }, route: route,
                count: session.settings.count, language: session.language)
            return session.watch(topic, DeparturesParameters.self, .departures)
        }
    }
}

struct WatchVehiclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "vehicles", abstract: "Show vehicle positions.")

    @OptionGroup var options: VehicleOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
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
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
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

    func run() throws { try global.run(.at) { $0.watchStatus(feed) } }
}

struct WatchFavoriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite", abstract: "Show the next departures for each favorite.")

    @OptionGroup var options: FavoriteChoice
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            let topic = Topic(
                topic: .favorite, favorite: options.name, category: options.category, count: session.settings.count,
                language: session.language)
            return session.watch(topic, FavoriteShowParameters.self, .favoriteShow)
        }
    }
}

extension Session {
    func watchStatus(_ feed: String?) -> ExitStatus {
        watch(Topic(topic: .status, feed: feed.map { FeedID($0) }), StatusParameters.self, .status)
    }
}
