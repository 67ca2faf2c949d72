internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes", abstract: "Find routes and look at them.",
        subcommands: [RoutesSearchCommand.self, RoutesShowCommand.self, RoutesStopsCommand.self])
}

struct RoutesSearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "search", abstract: "Find routes by name.")

    @Argument(help: "What the name begins with or contains; all routes when left out.")
    var text: [String] = []
    @Flag(
        name: .customLong("next-characters"),
        help: "Say which characters can follow, so that a keypad can offer only those."
    )
    var nextCharacters = false
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @OptionGroup var global: GlobalOptions

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
        commandName: "show", abstract: "One route: its directions, first and last departures and patterns.")

    @Argument(help: "A name that fits one route, an identifier, or a reference such as caltrain:L1.")
    var route: [String]
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @Option(
        help: ArgumentHelp("The service date; today when left out.", valueName: "date"), transform: DateArgument.read)
    var date: ServiceDate?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            let call = RoutesShowParameters(
                route: route.name, feed: feed.map { FeedID($0) }, date: date, language: session.language)
            return session.show(call, .routesShow)
        }
    }
}

struct RoutesStopsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "The stops of a route in order, per direction.")

    @Argument(help: "A name that fits one route, an identifier, or a reference such as caltrain:L1.")
    var route: [String]
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Only this direction.", valueName: "0|1"))
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

/// A service date as it is typed.
enum DateArgument {
    static func read(_ text: String) throws -> ServiceDate {
        guard let date = ServiceDate(iso8601: text) else {
            throw ValidationError("A date is YYYY-MM-DD, such as 2026-03-28.")
        }
        return date
    }
}
