internal import ArgumentParser
internal import TransitClient
internal import TransitControl

struct PlaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Manage your places.",
        discussion: "Setting home and work creates the commutes home-to-work and work-to-home.",
        subcommands: [PlaceListCommand.self, PlaceSetCommand.self, PlaceRemoveCommand.self])
}

struct PlaceListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your places.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(PlaceListParameters(), .placeList) } }
}

struct PlaceSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Set the location of a place.")

    @Argument(help: "The name: home, work, or another.", completion: .names(.placeName))
    var name: String
    @Argument(help: "LAT,LON, or the stop at which the place is located.", completion: .names(.location))
    var position: [String] = []
    @Option(help: ArgumentHelp("The address of the place, which the geocoder looks up.", valueName: "address"))
    var address: String?
    @Option(
        name: .customLong("walk-minutes"),
        help: ArgumentHelp("The walk from the place to its stops. It is estimated by default.", valueName: "minutes"))
    var walkMinutes: Int?
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { (session) throws(ClientError) in
            let found = try address.map { (text) throws(ClientError) in try session.chosenAddress(text).position }
            let point = found ?? Coordinates.read(position.name)
            let call = PlaceSetParameters(
                place: name, position: point, stop: point == nil ? position.name : nil,
                walk: walkMinutes.map { $0 * 60 })
            return session.show(call, .placeSet(in: session.units))
        }
    }

    func validate() throws {
        guard position.isEmpty != (address == nil) else {
            throw ValidationError("Give one location: LAT,LON, a stop, or --address.")
        }
        // Reports invalid coordinates rather than searching for a stop.
        if Coordinates.isMeant(by: position.name), Coordinates.read(position.name) == nil {
            throw ValidationError("Coordinates have the format LAT,LON in degrees, such as 37.3942,-122.0764.")
        }
        guard (0...180).contains(walkMinutes ?? 0) else { throw ValidationError("--walk-minutes must be 0 to 180.") }
    }
}

struct PlaceRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a place.")

    @Argument(help: "The name.", completion: .names(.place))
    var name: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(PlaceRemoveParameters(place: name), .placeRemove) } }
}

struct AddressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Search for an address.",
        discussion: "The text is sent to the geocoder named in the configuration.")

    @Argument(help: "The address.", completion: .names(.address))
    var text: [String]
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            let call = AddressSearchParameters(
                text: text.name, count: session.settings.count ?? 5, language: session.language)
            return session.show(call, .addressSearch)
        }
    }
}
