internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles the methods that list and change favorites.
struct FavoriteHandlers: Sendable {
    let state: StateStore
    let recentViews: RecentViews
    let clock: any DaemonClock

    func favoriteList(_ context: RequestContext) -> FavoriteListResult {
        return FavoriteListResult(
            at: context.at, favorites: context.query.favorites.entries.map { context.query.summary(of: $0) },
            notices: state.personalNotices(context))
    }

    func favoriteAdd(_ parameters: FavoriteAddParameters, _ context: RequestContext) throws -> FavoriteResult {
        var favorite = try FavoriteFinder(context.query).favorite(
            stop: parameters.stop, route: parameters.route, feed: parameters.feed)
        let favorites = context.query.favorites
        if let same = favorites.same(as: favorite) {
            throw ControlError(
                .favoriteExists, "\"\(same.favorite.name)\" already shows that.",
                hint: "Change it with: transitctl favorite rename, or transitctl favorite category.")
        }
        if let name = parameters.name {
            try Self.checkUnused(name, favorites)
            favorite.name = name
        } else {
            favorite.name = Self.unusedName(favorite.name, favorites)
        }
        if let category = parameters.category { try FavoriteName.check(category, "category") }
        favorite.category = parameters.category
        try state.addFavorite(favorite, of: context.caller.uid)
        recentViews.record(.favorites, of: context.caller.uid, at: clock.reading())
        return try changed(favorite: favorite.name, context)
    }

    private static func checkUnused(_ name: String, _ favorites: FavoriteList) throws(ControlError) {
        try FavoriteName.check(name, "name")
        guard !favorites.contains(name: name) else {
            throw ControlError(.favoriteExists, "You already have a favorite \"\(name)\".")
        }
    }

    /// Returns the name, with a number appended if another favorite has it.
    private static func unusedName(_ name: String, _ favorites: FavoriteList) -> String {
        var free = String(name.prefix(60))
        var number = 2
        while favorites.contains(name: free) {
            free = "\(name.prefix(56)) \(number)"
            number += 1
        }
        return free
    }

    func favoriteRename(_ parameters: FavoriteRenameParameters, _ context: RequestContext) throws -> FavoriteResult {
        let favorites = context.query.favorites
        let favorite = try favorites.entry(parameters.favorite).favorite
        if parameters.name != favorite.name { try Self.checkUnused(parameters.name, favorites) }
        return try change(favorite, to: parameters.name, category: favorite.category, context)
    }

    func favoriteCategory(_ parameters: FavoriteCategoryParameters, _ context: RequestContext) throws -> FavoriteResult
    {
        let favorite = try context.query.favorites.entry(parameters.favorite).favorite
        if let category = parameters.category { try FavoriteName.check(category, "category") }
        return try change(favorite, to: favorite.name, category: parameters.category, context)
    }

    private func change(
        _ favorite: SavedFavorite, to name: String, category: String?, _ context: RequestContext
    ) throws -> FavoriteResult {
        try state.changeFavorite(favorite.name, to: name, category: category, of: context.caller.uid)
        return try changed(favorite: name, context)
    }

    func favoriteOrder(_ parameters: FavoriteOrderParameters, _ context: RequestContext) throws -> FavoriteListResult {
        let favorites = context.query.favorites
        let first = try parameters.favorites.map { (text) throws(QueryError) in
            try favorites.entry(text).favorite.name
        }
        // The remaining favorites follow in display order, not in the order in which they were added.
        let rest = favorites.entries.map(\.favorite.name)
        try state.orderFavorites(first + rest, of: context.caller.uid)
        return favoriteList(context.withCurrentUserData(state))
    }

    func favoriteRemove(_ parameters: FavoriteRemoveParameters, _ context: RequestContext) throws -> FavoriteResult {
        let entry = try context.query.favorites.entry(parameters.favorite)
        let summary = context.query.summary(of: entry)
        try state.removeFavorite(entry.favorite.name, of: context.caller.uid)
        return FavoriteResult(at: context.at, favorite: summary)
    }

    /// Returns the favorite after the change.
    private func changed(favorite name: String, _ context: RequestContext) throws -> FavoriteResult {
        let context = context.withCurrentUserData(state)
        let entry = try context.query.favorites.entry(name)
        return FavoriteResult(at: context.at, favorite: context.query.summary(of: entry))
    }
}

/// The rules for the names of favorites and categories.
enum FavoriteName {
    /// - Throws: ``ErrorKind/invalidParameters`` if the name is blank or contains control characters.
    static func check(_ name: String, _ parameter: String) throws(ControlError) {
        let isBlank = name.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard !isBlank, !hasControls else {
            throw ControlError(
                parameter: parameter, "cannot be used as a name.",
                hint: "Use 1 to 64 visible characters.")
        }
    }
}
