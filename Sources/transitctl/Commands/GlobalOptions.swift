internal import ArgumentParser
internal import TransitControl
internal import TransitModel

/// The options that all commands offer.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Connect to the daemon's socket at this path.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print only the result, as one line of JSON.")
    var json = false

    @Flag(help: "Print output for scripts: tab-separated columns, no color.")
    var plain = false

    @Flag(name: .customLong("no-color"), help: "Do not use color.")
    var noColor = false

    @Option(
        help: ArgumentHelp(
            "Use this theme once, such as ocean or ocean:light. \"theme list\" lists the themes.", valueName: "theme"))
    var theme: ThemeChoice?

    @Flag(name: .shortAndLong, help: "Do not print notices or progress.")
    var quiet = false
}

/// The options of a command that all commands know. Help and completion offer only those that the command supports; the
/// others have an error message of their own.
protocol OptionsOfCommand: ParsableArguments {
    var common: CommonOptions { get }
    var at: String? { get }
    var count: Int? { get }
}

/// The options of commands that support neither `--at` nor `-n`.
struct GlobalOptions: OptionsOfCommand {
    @OptionGroup var common: CommonOptions
    @Option(help: .hidden)
    var at: String?
    @Option(name: [.customShort("n"), .long], help: .hidden)
    var count: Int?
}

/// The options of commands that support `-n`.
struct ListOptions: OptionsOfCommand {
    @OptionGroup var common: CommonOptions
    @Option(help: .hidden)
    var at: String?
    @Option(name: [.customShort("n"), .long], help: Self.countHelp)
    var count: Int?

    static let countHelp = ArgumentHelp(
        "The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.",
        valueName: "count")
}

/// The options of commands that support `--at` and `-n`.
struct BoardOptions: OptionsOfCommand {
    @OptionGroup var common: CommonOptions
    @Option(
        help: ArgumentHelp(
            "Show the result for another time: 8:15, 8am, +20m, \"tomorrow 7\", \"mon 17:30\", friday (the whole day), or RFC 3339.",
            valueName: "time"))
    var at: String?
    @Option(name: [.customShort("n"), .long], help: ListOptions.countHelp)
    var count: Int?
}

extension OptionsOfCommand {
    var json: Bool { common.json }

    var settings: Settings {
        Settings(
            socket: common.socket, json: common.json, plain: common.plain, noColor: common.noColor,
            theme: common.theme, quiet: common.quiet, at: at, count: count)
    }
}

/// The values of the global options.
struct Settings: Equatable {
    var socket: String?
    var json = false
    var plain = false
    var noColor = false
    var theme: ThemeChoice?
    var quiet = false
    /// The time as entered. The daemon parses it.
    var at: String?
    var count: Int?
}

extension ThemeChoice: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    static var allValueStrings: [String] { ThemeName.allCases.map(\.rawValue) }
}

/// Parses coordinates such as "37.3942,-122.0764". Spaces or a semicolon can separate the numbers.
enum Coordinates {
    /// Returns the position, or `nil` if `text` is not a valid latitude and longitude.
    static func read(_ text: String) -> Position? {
        let commas = text.split(separator: ",", omittingEmptySubsequences: false)
        let parts = commas.count == 2 ? commas : text.split { $0 == " " || $0 == "\t" || $0 == ";" }
        guard parts.count == 2, let latitude = number(parts[0]), let longitude = number(parts[1]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return Position(lat: latitude, lon: longitude)
    }

    /// Returns whether `text` can only be coordinates, not the name of a stop or an address.
    static func isMeant(by text: String) -> Bool {
        text.contains { " \t,;".contains($0) } && CoordinateText.isLikely(text)
    }

    /// Parses degrees with a leading sign or a trailing compass direction.
    private static func number(_ text: Substring) -> Double? {
        let isNoise: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "°" }
        var digits = String(text.drop(while: isNoise).reversed().drop(while: isNoise).reversed())
        var sign = 1.0
        if let letter = digits.last, "NSEWnsew".contains(letter) {
            if "SWsw".contains(letter) { sign = -1 }
            digits = String(digits.dropLast().reversed().drop(while: isNoise).reversed())
            guard digits.first?.isNumber == true else { return nil }
        }
        if digits.first == "\u{2212}" { digits = "-" + digits.dropFirst() }
        return Double(digits).map { $0 * sign }
    }
}
