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
    @Option(help: ArgumentHelp("Only where this route calls.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Only where the route of this favorite calls.", valueName: "favorite"))
    var favorite: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            var call = StopsSearchParameters(
                text: text.name, feed: feed.map { FeedID($0) }, route: route, favorite: favorite,
                language: session.language)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .stopsSearch)
        }
    }
}

struct StopsNearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "near",
        abstract: "The stops around a place, coordinates, an address or this machine, nearest first.",
        discussion: "Within 1 km, or within 3 km when there are none so near.")

    @Argument(help: "A place such as home, or LAT,LON; home when left out.")
    var place: [String] = []
    @Option(help: ArgumentHelp("Around an address, which the geocoder finds.", valueName: "address"))
    var address: String?
    @Flag(help: "Around where this machine is, as far as GeoClue knows.")
    var here = false
    @Option(help: ArgumentHelp("How far to look, in meters.", valueName: "meters"))
    var radius: Int?
    @Flag(help: "All of them, at most 50, instead of the nearest 3.")
    var all = false
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Only where this route calls.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Only where the route of this favorite calls.", valueName: "favorite"))
    var favorite: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            session.attempt { () throws(ClientError) in
                session.show(call(around: try position(session), session), .stopsNear)
            }
        }
    }

    /// `nil`: around the place.
    private func position(_ session: Session) throws(ClientError) -> Position? {
        if here { return try session.currentLocation() }
        if let address { return try session.bestAddress(address).position }
        return Coordinates.read(place.name)
    }

    private func call(around position: Position?, _ session: Session) -> StopsNearParameters {
        var call = StopsNearParameters(
            place: position == nil ? (place.isEmpty ? "home" : place.name) : nil, position: position, radius: radius,
            feed: feed.map { FeedID($0) }, route: route, favorite: favorite, language: session.language)
        call.count = session.settings.count ?? (all ? 50 : 3)
        return call
    }

    func validate() throws {
        if Coordinates.isMeant(by: place.name), Coordinates.read(place.name) == nil {
            throw ValidationError("Coordinates are LAT,LON in degrees, such as 37.3942,-122.0764.")
        }
        if [!place.isEmpty, address != nil, here].count(where: \.self) > 1 {
            throw ValidationError("Give one of a place, an address and --here.")
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
