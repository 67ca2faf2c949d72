internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct WeatherCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weather", abstract: "Show the hourly weather forecast at a place or stop.",
        discussion: """
            Without a place or stop, shows the weather at the destination of the commute that next would show. The \
            locale determines the units.
            """)

    @Argument(help: "The name of a place, or a stop as in departures.")
    var location: [String] = []
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            var call = WeatherParameters(
                location: location.isEmpty ? nil : location.name, at: session.settings.at, language: session.language)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .weather(in: session.units))
        }
    }
}

struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Show concerts, games and other events near stations.",
        discussion: """
            By default, shows the events of a week in large venues within 1.5 miles of any station. The locale \
            determines the unit of the radius: miles in the United States, otherwise kilometers.
            """)

    @Option(help: ArgumentHelp("Show the events of this date: today, tomorrow, sat, 2026-03-28.", valueName: "date"))
    var date: String?
    @Option(help: ArgumentHelp("Show this number of days.", valueName: "days"))
    var days: Int?
    @Option(help: ArgumentHelp("Show this category or genre only, such as sports.", valueName: "category"))
    var category: String?
    @Option(help: ArgumentHelp("Show events near this stop only.", valueName: "stop"))
    var stop: String?
    @Option(
        help: ArgumentHelp(
            "The maximum distance from the stop, 0.5 to 10 miles or 0.8 to 16.1 km.", valueName: "distance"))
    var radius: Double?
    @Flag(name: .customLong("all-venues"), help: "Include small venues and venues of unknown size.")
    var allVenues = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            var call = EventsParameters(
                date: date, days: days, category: category, stop: stop, allVenues: allVenues, language: session.language
            )
            if let radius { call.radius = session.units.meters(radius) }
            if let count = session.settings.count { call.count = count }
            return session.show(call, .events(in: session.units))
        }
    }
}
