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
