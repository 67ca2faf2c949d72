internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes", abstract: "Search for routes and show them.",
        subcommands: [RoutesSearchCommand.self, RoutesShowCommand.self, RoutesStopsCommand.self])
}

struct RoutesSearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "search", abstract: "Search for routes by name.")

    @Argument(
        help: "The beginning of the name, or text that it contains. The default is all routes.",
        completion: .names(.route))
    var text: [String] = []
    @Flag(
        name: .customLong("next-characters"),
        help: "Also print the characters that can follow, for keypads."
    )
    var nextCharacters = false
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            var call = RoutesSearchParameters(
                text: text.name, feed: feed.map { FeedID($0) }, nextCharacters: nextCharacters,
                directions: true, language: session.language)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .routesSearch)
        }
    }
}

struct RoutesShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a route with its directions, first and last departures, and patterns.",
        discussion: "With --json, each direction also has its stops, and its path as an encoded polyline.")

    @Argument(help: "A route name that matches a single route, a route ID, or a reference such as caltrain:L1.")
    var route: [String]
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(
        help: ArgumentHelp("The service date. The default is today.", valueName: "date"), transform: DateArgument.read)
    var date: ServiceDate?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            let call = RoutesShowParameters(
                route: route.name, feed: feed.map { FeedID($0) }, date: date, paths: session.settings.json,
                language: session.language)
            return session.show(call, .routesShow)
        }
    }
}

struct RoutesStopsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops",
        abstract: "List the stops of a route in order, by direction, with the time from the first stop.")

    @Argument(help: "A route name that matches a single route, a route ID, or a reference such as caltrain:L1.")
    var route: [String]
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Show this direction only.", valueName: "0|1"), completion: .list(["0", "1"]))
    var direction: Int?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            let call = RoutesStopsParameters(
                route: route.name, feed: feed.map { FeedID($0) }, directionId: direction, language: session.language)
            return session.show(call, .routesStops)
        }
    }
}

/// Parses a service date.
enum DateArgument {
    static func read(_ text: String) throws -> ServiceDate {
        guard let date = ServiceDate(iso8601: text) else {
            throw ValidationError("Dates have the format YYYY-MM-DD, such as 2026-03-28.")
        }
        return date
    }
}

struct TripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip", abstract: "Show trips.", subcommands: [TripShowCommand.self])
}

struct TripShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the calls of a trip on a service date.")

    @Argument(
        help: """
            A trip ID, a reference such as caltrain:152, the number of a train or of a row, a time such as 08:22 or Tram 1 \
            08:22, or a departure's id.
            """)
    var trip: [String]
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(
        help: ArgumentHelp(
            "The service date. The default is the date of the trip's current or next run.", valueName: "date"),
        transform: DateArgument.read)
    var date: ServiceDate?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in
            let call = TripShowParameters(
                trip: try session.trip(trip), feed: feed.map { FeedID($0) }, date: date, language: session.language)
            return session.show(call, .tripShow)
        }
    }
}
