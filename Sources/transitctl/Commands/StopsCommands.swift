internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct StopsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Search for stops and show them.",
        subcommands: [StopsSearchCommand.self, StopsNearCommand.self, StopsShowCommand.self])
}

struct StopsSearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search for stops by name, code or identifier, ignoring case and accents.")

    @Argument(help: "The text to search for.", completion: .names(.stop))
    var text: [String]
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Show stops of this route only.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Show stops of this favorite's route only.", valueName: "favorite"))
    var favorite: String?
    @OptionGroup var global: ListOptions

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
        abstract: "List the stops near a place, coordinates, an address or this machine, nearest first.",
        discussion: "The search radius is 1 km, or 3 km if there are no stops within 1 km.")

    @Argument(help: "A place such as home, or LAT,LON. The default is home.")
    var place: [String] = []
    @Option(help: ArgumentHelp("Search near an address, which the geocoder looks up.", valueName: "address"))
    var address: String?
    @Flag(help: "Search near the location of this machine, according to GeoClue.")
    var here = false
    @Option(help: ArgumentHelp("The search radius in meters.", valueName: "meters"))
    var radius: Int?
    @Flag(help: "List up to 50 stops instead of the nearest 3.")
    var all = false
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("Show stops of this route only.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Show stops of this favorite's route only.", valueName: "favorite"))
    var favorite: String?
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { (session) throws(ClientError) in
            session.show(call(around: try position(session), session), .stopsNear(in: session.units))
        }
    }

    /// Returns the center of the search, or `nil` if it is a place of the user.
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
            throw ValidationError("Coordinates have the format LAT,LON in degrees, such as 37.3942,-122.0764.")
        }
        if [!place.isEmpty, address != nil, here].count(where: \.self) > 1 {
            throw ValidationError("Give only one of a place, --address and --here.")
        }
    }
}

struct StopsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a stop with its platforms, transfers, and routes with their headsigns there.")

    @Argument(help: "A stop name that matches a single stop, a stop code, or a reference such as caltrain:70211.")
    var stop: [String]
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
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

struct RecentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recent", abstract: "Show or clear your recent searches.",
        subcommands: [RecentListCommand.self, RecentClearCommand.self], defaultSubcommand: RecentListCommand.self)
}

struct RecentListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your recent searches, newest first.")

    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            session.show(RecentListParameters(count: session.settings.count ?? 10), .recentList)
        }
    }
}

struct RecentClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Clear your recent searches.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(RecentClearParameters(), .recentClear) } }
}
