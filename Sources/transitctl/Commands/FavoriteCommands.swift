internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct FavoriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite", abstract: "Show and manage your favorite stops and routes.",
        discussion: "Favorites are identified by name or number. Without a subcommand, shows their next departures.",
        subcommands: [
            FavoriteShowCommand.self, FavoriteListCommand.self, FavoriteAddCommand.self, FavoriteRenameCommand.self,
            FavoriteCategoryCommand.self, FavoriteOrderCommand.self, FavoriteRemoveCommand.self,
        ], defaultSubcommand: FavoriteShowCommand.self)
}

/// The options that select favorites.
struct FavoriteChoice: ParsableArguments {
    @Argument(help: "Show this favorite only, given by name or number.")
    var favorite: [String] = []
    @Option(help: ArgumentHelp("Show favorites in this category only.", valueName: "category"))
    var category: String?

    /// The name or number; `nil` selects all favorites.
    var name: String? { favorite.isEmpty ? nil : favorite.name }
}

struct FavoriteShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the next departures for each favorite.")

    @OptionGroup var options: FavoriteChoice
    @OptionGroup var global: BoardOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            var call = FavoriteShowParameters(
                favorite: options.name, category: options.category, at: session.settings.at,
                language: session.language)
            call.interactive = session.isInteractive
            if let count = session.settings.count { call.count = count }
            return session.show(call, .favoriteShow, heading: { $0.at.heading(for: session.requestedTime) })
        }
    }
}

struct FavoriteListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your favorites.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(FavoriteListParameters(), .favoriteList) } }
}

struct FavoriteAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a stop, a route, or a route at a stop.")

    @Argument(help: "The stop; omit it to add only a route.")
    var stop: [String] = []
    @Option(help: ArgumentHelp("The route, at the stop if one is given.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Use this feed only.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("The name. The default is the name of the stop, the route or both.", valueName: "name"))
    var name: String?
    @Option(help: ArgumentHelp("The category.", valueName: "category"))
    var category: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let call = FavoriteAddParameters(
            stop: stop.isEmpty ? nil : stop.name, route: route, feed: feed.map { FeedID($0) }, name: name,
            category: category)
        try global.run { $0.show(call, .favoriteAdd) }
    }

    func validate() throws {
        if stop.isEmpty, route == nil { throw ValidationError("Give a stop, --route ROUTE, or both.") }
    }
}

struct FavoriteRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a favorite.")

    @Argument(help: "The current name or number.")
    var favorite: String
    @Argument(help: "The new name.")
    var name: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FavoriteRenameParameters(favorite: favorite, name: name.name), .favoriteChanged) }
    }
}

struct FavoriteCategoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "category", abstract: "Set or clear the category of a favorite.")

    @Argument(help: "The name or number.")
    var favorite: String
    @Argument(help: "The category; omit it to clear the category.")
    var category: [String] = []
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let call = FavoriteCategoryParameters(
            favorite: favorite, category: category.isEmpty ? nil : category.name)
        try global.run { $0.show(call, .favoriteChanged) }
    }
}

struct FavoriteOrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Move favorites to the top of the list, in the given order.",
        discussion:
            "The remaining favorites keep their order. Favorites in the same category are always listed together.")

    @Argument(help: "The names or numbers.")
    var favorites: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FavoriteOrderParameters(favorites: favorites), .favoriteOrder) }
    }
}

struct FavoriteRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a favorite.")

    @Argument(help: "The name or number.")
    var favorite: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FavoriteRemoveParameters(favorite: favorite.name), .favoriteRemove) }
    }
}
