internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct BudgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget", abstract: "Show how much of each source's request limits is used, by feed and dataset."
    )

    @Argument(help: "Show this feed only.")
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(BudgetParameters(feed: feed.map { FeedID($0) }), .budget) }
    }
}

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain where a departure's times come from and why they are trusted.",
        discussion: DepartureArgument.discussion
            + " For a ride of a journey, the change before it is explained too, as journey --explain does for all changes."
    )

    @Argument(help: DepartureArgument.help)
    var departure: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in
            let row = try session.departureRow(departure)
            return session.show(
                ExplainParameters(departure: row.id, after: row.after, language: session.language), .explain)
        }
    }
}

/// The options of `vehicles` and `watch vehicles`.
struct VehicleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Show vehicles of this route only.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Show vehicles on their way to this stop only.", valueName: "stop"))
    var stop: String?
    @Option(help: ArgumentHelp("Show vehicles of this trip only.", valueName: "trip"))
    var trip: String?
}

struct VehiclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "vehicles", abstract: "Show vehicle positions.")

    @OptionGroup var options: VehicleOptions
    @OptionGroup var global: ListOptions

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

/// The options of `alerts` and `watch alerts`.
struct AlertOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Show alerts for this route only.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Show alerts for this stop only.", valueName: "stop"))
    var stop: String?
    @Option(help: ArgumentHelp("Show alerts for this commute only.", valueName: "commute"))
    var commute: String?
}

struct AlertsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "Show service alerts.",
        discussion:
            "With --at, shows the alerts in effect at that time. Otherwise, shows all alerts that have not ended.")

    @OptionGroup var options: AlertOptions
    @OptionGroup var global: BoardOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            var call = AlertsParameters(
                feed: options.feed.map { FeedID($0) }, route: options.route, stop: options.stop,
                commute: options.commute, at: session.settings.at, language: session.language)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .alerts, heading: { $0.requestedTime?.heading(for: session.requestedTime) })
        }
    }
}
