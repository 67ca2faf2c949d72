internal import ArgumentParser
internal import TransitControl

struct PlaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Your places.",
        discussion: "With home and work set, the commutes home-to-work and work-to-home are there of themselves.",
        subcommands: [PlaceListCommand.self, PlaceSetCommand.self, PlaceRemoveCommand.self])
}

struct PlaceListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your places.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(PlaceListParameters(), .placeList) } }
}

struct PlaceSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Say where a place is.")

    @Argument(help: "Its name: home, work, or another.")
    var name: String
    @Argument(help: "LAT,LON, or a stop that it is at.")
    var position: [String] = []
    @Option(help: ArgumentHelp("An address instead, which the geocoder finds.", valueName: "address"))
    var address: String?
    @Option(
        name: .customLong("walk-minutes"),
        help: ArgumentHelp("The walk from there to its stops; estimated when left out.", valueName: "minutes"))
    var walkMinutes: Int?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            session.attempt { () throws(ClientError) in
                let found = try address.map { (text) throws(ClientError) in try session.chosenAddress(text).position }
                let point = found ?? Coordinates.read(position.name)
                let call = PlaceSetParameters(
                    place: name, position: point, stop: point == nil ? position.name : nil,
                    walk: walkMinutes.map { $0 * 60 })
                return session.show(call, .placeSet)
            }
        }
    }

    func validate() throws {
        guard position.isEmpty != (address == nil) else {
            throw ValidationError("Say where it is: LAT,LON, a stop, or --address.")
        }
        // Reports invalid coordinates instead of searching for a stop.
        if Coordinates.isMeant(by: position.name), Coordinates.read(position.name) == nil {
            throw ValidationError("Coordinates are LAT,LON in degrees, such as 37.3942,-122.0764.")
        }
        guard (0...180).contains(walkMinutes ?? 0) else { throw ValidationError("A walk is 0 to 180 minutes.") }
    }
}

struct PlaceRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a place.")

    @Argument(help: "Its name.")
    var name: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(PlaceRemoveParameters(place: name), .placeRemove) } }
}
