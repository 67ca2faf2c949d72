internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct StopsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Find stops and look at them.",
        subcommands: [StopsSearchCommand.self, StopsNearCommand.self, StopsShowCommand.self])
}

struct StopsSearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find stops by name, code or identifier; case and accents do not matter.")

    @Argument(help: "What to look for.")
    var text: [String]
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            var call = StopsSearchParameters(text: text.name, feed: feed.map { FeedID($0) })
            if let count = session.settings.count { call.count = count }
            return session.show(call, .stopsSearch)
        }
    }
}

struct StopsNearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "near", abstract: "The stops around a place or coordinates, nearest first.")

    @Argument(help: "A place such as home, or LAT,LON.")
    var place = "home"
    @Option(help: ArgumentHelp("How far to look, in metres.", valueName: "metres"))
    var radius: Int?
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            let position = Coordinates.read(place)
            var call = StopsNearParameters(
                place: position == nil ? place : nil, position: position, feed: feed.map { FeedID($0) })
            if let radius { call.radius = radius }
            if let count = session.settings.count { call.count = count }
            return session.show(call, .stopsNear)
        }
    }
}

struct StopsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One stop with its platforms, routes and transfers.")

    @Argument(help: "A name that fits one stop, a code, or a reference such as caltrain:70211.")
    var stop: [String]
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            let call = StopsShowParameters(
                stop: stop.name, feed: feed.map { FeedID($0) }, language: session.language)
            return session.show(call, .stopsShow)
        }
    }
}
