internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct BudgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget", abstract: "How much of the sources' limits is spent, by whom, and how far the rest goes."
    )

    @Argument(help: "Only this feed.")
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(BudgetParameters(feed: feed.map { FeedID($0) }), .budget) }
    }
}

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Where a departure's times come from, and why they are believed.",
        discussion: "Departures are named by their id, the last column of next --plain and departures --plain.")

    @Argument(help: "The departure's id.")
    var departure: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(ExplainParameters(departure: departure, language: $0.language), .explain) }
    }
}

/// What `vehicles` and `watch vehicles` take.
struct VehicleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Only of this route.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Only those on their way to this stop.", valueName: "stop"))
    var stop: String?
    @Option(help: ArgumentHelp("Only of this trip.", valueName: "trip"))
    var trip: String?
}

struct VehiclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "vehicles", abstract: "Where the vehicles are.")

    @OptionGroup var options: VehicleOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            var call = VehiclesParameters(
                feed: options.feed.map { FeedID($0) }, route: options.route, stop: options.stop, trip: options.trip,
                language: session.language)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .vehicles)
        }
    }
}

/// What `alerts` and `watch alerts` take.
struct AlertOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Only about this route.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Only about this stop.", valueName: "stop"))
    var stop: String?
    @Option(help: ArgumentHelp("Only about this commute of yours.", valueName: "commute"))
    var commute: String?
}

struct AlertsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "What the agencies tell their riders.",
        discussion: "With --at only what is to be shown then; without it all that is not over.")

    @OptionGroup var options: AlertOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            var call = AlertsParameters(
                feed: options.feed.map { FeedID($0) }, route: options.route, stop: options.stop,
                commute: options.commute, at: session.settings.at, language: session.language)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .alerts)
        }
    }
}
