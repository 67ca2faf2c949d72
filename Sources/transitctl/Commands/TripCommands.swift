internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct TripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip", abstract: "Show trips.", subcommands: [TripShowCommand.self])
}

struct TripShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the calls of a trip on a service date.")

    @Argument(help: "A trip ID, a reference such as caltrain:152, or a departure's id.")
    var trip: String
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(
        help: ArgumentHelp(
            "The service date. The default is the date of the trip's current or next run.", valueName: "date"),
        transform: DateArgument.read)
    var date: ServiceDate?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            let call = TripShowParameters(
                trip: trip, feed: feed.map { FeedID($0) }, date: date, language: session.language)
            return session.show(call, .tripShow)
        }
    }
}
