internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct WeatherCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weather", abstract: "Show the hourly weather forecast at a place or stop.",
        discussion: """
            Without a place or stop, shows the weather at the destination of the commute that next would show. The \
            locale determines the units.
            """)

    @Argument(help: "The name of a place, or a stop as in departures.", completion: .names(.location))
    var location: [String] = []
    @OptionGroup var global: BoardOptions

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
            By default, shows the events of a week in large venues within 1.5 miles (2.4 km) of any station.
            """)

    @Option(help: ArgumentHelp("Show the events of this date: today, tomorrow, sat, 2026-03-28.", valueName: "date"))
    var date: String?
    @Option(help: ArgumentHelp("Show this number of days.", valueName: "days"), completion: .names(.count))
    var days: Int?
    @Option(
        help: ArgumentHelp("Show only this category or genre, such as sports.", valueName: "category"),
        completion: .names(.text))
    var category: String?
    @Option(help: ArgumentHelp("Show only events near this stop.", valueName: "stop"))
    var stop: String?
    @Option(
        help: ArgumentHelp(
            "The maximum distance from the stop, such as 2mi or 3km: 0.5 to 10 miles. A plain number is in your units.",
            valueName: "distance"))
    var radius: RadiusArgument?
    @Flag(name: .customLong("all-venues"), help: "Include small venues and venues of unknown size.")
    var allVenues = false
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            var call = EventsParameters(
                date: date, days: days, category: category, stop: stop, allVenues: allVenues, language: session.language
            )
            if let radius {
                switch session.meters(radius) {
                case .success(let meters): call.radius = meters
                case .failure(let error):
                    session.report(error)
                    return error.exitStatus
                }
            }
            if let count = session.settings.count { call.count = count }
            return session.show(call, .events(in: session.units))
        }
    }
}

/// A distance on the command line, such as `2`, `2mi` or `3.5km`.
struct RadiusArgument: ExpressibleByArgument, Equatable {
    var number: Double
    /// `nil` for the units of the person.
    var system: UnitSystem?

    init?(argument: String) {
        let text = argument.lowercased().filter { $0 != " " }
        let suffixes: [(String, UnitSystem)] = [
            ("miles", .imperial), ("mile", .imperial), ("mi", .imperial), ("km", .metric),
        ]
        let suffix = suffixes.first { text.hasSuffix($0.0) }
        guard let number = Double(text.dropLast(suffix?.0.utf8.count ?? 0)), number.isFinite else { return nil }
        (self.number, system) = (number, suffix?.1)
    }
}

extension Session {
    /// Returns a distance in meters. The units of a number without one are those that the person chose, for which the
    /// daemon is asked, otherwise those of the locale.
    fileprivate func meters(_ radius: RadiusArgument) -> Result<Int, ClientError> {
        if let system = radius.system {
            return .success((system == .imperial ? DisplayUnits.imperial : .metric).meters(radius.number))
        }
        do throws(ClientError) {
            let settings = try request(NotifyListParameters()).rules.flatMap(\.settings)
            let chosen = settings.first { $0.key == "units" }.flatMap { UnitSetting(rawValue: $0.value) }
            let units = chosen.flatMap { $0 == .automatic ? nil : DisplayUnits($0, locale: nil) } ?? units
            return .success(units.meters(radius.number))
        } catch {
            return .failure(error)
        }
    }
}
