internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct UsualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usual", abstract: "Show and manage your usual departures.",
        discussion: """
            Usual departures are learned from requests that you type and from logged trips, on this machine. Without a \
            subcommand, lists them.
            """,
        subcommands: [
            UsualListCommand.self, UsualPinCommand.self, UsualUnpinCommand.self, UsualForgetCommand.self,
            UsualExplainCommand.self,
        ], defaultSubcommand: UsualListCommand.self)
}

struct UsualListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your usual departures.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(UsualListParameters(), .usualList) } }
}

struct UsualPinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Always treat a departure as usual.")

    @Argument(
        help: """
            The number of a row, a time such as 08:22 or Tram 1 08:22, the number of a train, an id, or after usual list \
            the number of a learned departure.
            """)
    var departure: [String]
    @Option(
        help: "The days, such as mon-fri, weekends, or mon,wed. The default is Monday to Friday.",
        completion: .names(.weekdays))
    var days: String?
    @Flag(help: "Pin the departure only on its date.")
    var once = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in
            session.show(
                UsualPinParameters(
                    departure: try session.departureToPin(departure),
                    days: days?.split(separator: ",").map(String.init) ?? [], once: once),
                .sentence { "Pinned \($0.departure.words)." })
        }
    }
}

struct UsualUnpinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Remove a pin.")

    @Argument(help: "The number or the time, such as 08:12.", completion: .names(.usual))
    var departure: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(UsualUnpinParameters(departure: departure), .sentence { "Unpinned \($0.departure.words)." })
        }
    }
}

struct UsualForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove a learned departure.",
        discussion: "Only later requests and trips can make it a usual departure again.")

    @Argument(help: "The number or the time, such as 08:12.", completion: .names(.usual))
    var departure: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(UsualForgetParameters(departure: departure), .sentence { "Forgot \($0.departure.words)." })
        }
    }
}

struct UsualExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain why a departure is a usual one.")

    @Argument(help: "The number or the time, such as 08:12.", completion: .names(.usual))
    var departure: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(UsualExplainParameters(departure: departure), .usualExplain) } }
}

struct InsightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insights",
        abstract: "Show streaks, badges, CO2 saved, punctuality, and how useful your notifications were.",
        discussion: "Everything is computed on this machine, from the trips that you logged with taken.")

    @Option(help: ArgumentHelp("Write a calendar and the delays of your usual departures.", valueName: "file"))
    var svg: String?
    @Option(help: ArgumentHelp("The past days for punctuality and notifications: 1 to 366.", valueName: "count"))
    var days: Int?
    @Option(
        help: "metric or imperial. The default is your setting units, otherwise the units of your locale.",
        completion: .list(["metric", "imperial"]))
    var units: String?
    @Flag(
        help: "Remove your trips and what was learned from them. Pinned departures and the notification log are kept.")
    var forget = false
    @Flag(help: "With --forget, do not ask for confirmation.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if forget, svg != nil || days != nil || units != nil {
            throw ValidationError("--forget cannot be combined with --svg, --days and --units.")
        }
        if yes, !forget { throw ValidationError("--yes needs --forget.") }
        if let units, units != "imperial", units != "metric" {
            throw ValidationError("The units are imperial or metric.")
        }
    }

    func run() throws {
        try global.run { (session) throws(ClientError) in
            if forget { return session.forgetInsights(isConfirmed: yes) }
            var call = InsightsParameters()
            if let days { call.days = days }
            let units = units.flatMap { UnitSetting(rawValue: $0) }.map { DisplayUnits($0, locale: nil) }
            guard let svg else { return session.show(call, .insights(units: units, locale: session.units)) }
            let result = try session.request(call)
            let drawing = InsightsDrawing(result, units: units ?? result.units.units(locale: session.units))
            try session.writeFile(Array(drawing.svg.utf8), to: svg)
            if svg != "-" { session.printNotice(Line("Wrote \(svg).", .good)) }
            return .success
        }
    }
}

extension Session {
    /// Removes what was logged and learned, after a confirmation on a terminal.
    fileprivate func forgetInsights(isConfirmed: Bool) -> ExitStatus {
        attempt { () throws(ClientError) in
            if !isConfirmed {
                let isConfirmed = try confirmRemoval(
                    "Remove all your trips and what was learned from them?", by: "--forget",
                    after:
                        "Your pinned departures and your notification log are kept. Older copies of the state are removed, "
                        + "including those of other users.")
                guard isConfirmed else { return .failure }
            }
            return show(
                InsightsForgetParameters(),
                .sentence {
                    "Removed \(CountText.of($0.trips, "trip")), what was learned from them, and older copies of the state. "
                        + "Pinned departures and the notification log are kept."
                })
        }
    }
}
