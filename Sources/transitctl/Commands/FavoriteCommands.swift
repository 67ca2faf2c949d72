internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct FavoriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite", abstract: "Your favorite stops and routes.",
        discussion: "Favorites are named by their name or their number. Without a command: what leaves next of each.",
        subcommands: [
            FavoriteShowCommand.self, FavoriteListCommand.self, FavoriteAddCommand.self, FavoriteRenameCommand.self,
            FavoriteCategoryCommand.self, FavoriteOrderCommand.self, FavoriteRemoveCommand.self,
        ], defaultSubcommand: FavoriteShowCommand.self)
}

/// Which favourites are meant.
struct FavoriteChoice: ParsableArguments {
    @Argument(help: "Only this one: its name or number.")
    var favorite: [String] = []
    @Option(help: ArgumentHelp("Only those of this category.", valueName: "category"))
    var category: String?

    /// `nil`: all.
    var name: String? { favorite.isEmpty ? nil : favorite.name }
}

struct FavoriteShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "What leaves next of each favorite.")

    @OptionGroup var options: FavoriteChoice
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run([.at, .count]) { session in
            var call = FavoriteShowParameters(
                favorite: options.name, category: options.category, at: session.settings.at,
                language: session.language)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .favoriteShow)
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

    @Argument(help: "A stop; left out for a route alone.")
    var stop: [String] = []
    @Option(help: ArgumentHelp("A route: at the stop only, where one is given.", valueName: "route"))
    var route: String?
    @Option(help: ArgumentHelp("Only in this feed.", valueName: "feed"))
    var feed: String?
    @Option(help: ArgumentHelp("What to call it; by its stop and route when left out.", valueName: "name"))
    var name: String?
    @Option(help: ArgumentHelp("What to group it under.", valueName: "category"))
    var category: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let call = FavoriteAddParameters(
            stop: stop.isEmpty ? nil : stop.name, route: route, feed: feed.map { FeedID($0) }, name: name,
            category: category)
        try global.run { $0.show(call, .favoriteAdd) }
    }

    func validate() throws {
        if stop.isEmpty, route == nil { throw ValidationError("Give a stop, or --route ROUTE, or both.") }
    }
}

struct FavoriteRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a favorite.")

    @Argument(help: "Its name or number now.")
    var favorite: String
    @Argument(help: "Its new name.")
    var name: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FavoriteRenameParameters(favorite: favorite, name: name.name), .favoriteChanged) }
    }
}

struct FavoriteCategoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "category", abstract: "Put a favorite into a category, or into none.")

    @Argument(help: "Its name or number.")
    var favorite: String
    @Argument(help: "The category; none when left out.")
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
        commandName: "order", abstract: "Put favorites first, in the order in which they are given.",
        discussion: "The others follow as they stood. Those of one category always stand together.")

    @Argument(help: "Their names or numbers.")
    var favorites: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FavoriteOrderParameters(favorites: favorites), .favoriteOrder) }
    }
}

struct FavoriteRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a favorite.")

    @Argument(help: "Its name or number.")
    var favorite: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FavoriteRemoveParameters(favorite: favorite.name), .favoriteRemove) }
    }
}
