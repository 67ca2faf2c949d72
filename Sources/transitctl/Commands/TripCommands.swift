internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct TripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip", abstract: "Look at trips.", subcommands: [TripShowCommand.self])
}

struct TripShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "All calls of a trip on a date.")

    @Argument(help: "A trip's identifier, a reference such as caltrain:152, or a departure's id.")
    var trip: String
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @Option(
        help: ArgumentHelp("The service date; when left out, the one that runs now or next.", valueName: "date"),
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
