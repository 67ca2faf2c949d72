internal import TransitControl
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func favoriteList(_ question: Question) -> FavoriteListResult {
        let finder = FavoriteFinder(question: question)
        return FavoriteListResult(
            at: question.at, favorites: question.favorites.entries.map(finder.summary),
            notices: personalNotices(question))
    }

    func favoriteAdd(_ parameters: FavoriteAddParameters, _ question: Question) throws -> FavoriteResult {
        let finder = FavoriteFinder(question: question)
        var favorite = try finder.favorite(parameters)
        let book = question.favorites
        if let same = book.same(as: favorite) {
            throw ControlError(
                .favoriteExists, "\"\(same.favorite.name)\" shows that already.",
                hint: "Change it: transitctl favorite rename, or transitctl favorite category.")
        }
        if let name = parameters.name {
            try Self.checkFree(name, book)
            favorite.name = name
        } else {
            favorite.name = Self.freeName(favorite.name, book)
        }
        if let category = parameters.category { try FavoriteName.check(category, "category") }
        favorite.category = parameters.category
        try daemon.state.addFavorite(favorite, of: question.caller.uid)
        daemon.looks.note(.favorites, of: question.caller.uid, at: daemon.clock.reading())
        return try changed(favorite: favorite.name, question)
    }

    private static func checkFree(_ name: String, _ book: FavoriteBook) throws(ControlError) {
        try FavoriteName.check(name, "name")
        guard !book.contains(name: name) else {
            throw ControlError(.favoriteExists, "You have a favourite \"\(name)\" already.")
        }
    }

    /// The name, or with a number behind it what no other has.
    private static func freeName(_ name: String, _ book: FavoriteBook) -> String {
        var free = String(name.prefix(60))
        var number = 2
        while book.contains(name: free) {
            free = "\(name.prefix(56)) \(number)"
            number += 1
        }
        return free
    }

    func favoriteChange(_ parameters: FavoriteChangeParameters, _ question: Question) throws -> FavoriteResult {
        let book = question.favorites
        let favorite = try book.entry(parameters.favorite).favorite
        if let name = parameters.name, name != favorite.name { try Self.checkFree(name, book) }
        if let category = parameters.category, !category.isEmpty { try FavoriteName.check(category, "category") }
        let name = parameters.name ?? favorite.name
        let category = parameters.category.map { $0.isEmpty ? nil : $0 } ?? favorite.category
        try daemon.state.changeFavorite(favorite.name, to: name, category: category, of: question.caller.uid)
        return try changed(favorite: name, question)
    }

    func favoriteOrder(_ parameters: FavoriteOrderParameters, _ question: Question) throws -> FavoriteListResult {
        let book = question.favorites
        let first = try parameters.favorites.map { (text) throws(ControlError) in try book.entry(text).favorite.name }
        // The others follow as they are shown, not as they were added.
        let rest = book.entries.map(\.favorite.name)
        try daemon.state.orderFavorites(first + rest, of: question.caller.uid)
        return favoriteList(afterwards(question))
    }

    func favoriteRemove(_ parameters: FavoriteRemoveParameters, _ question: Question) throws -> FavoriteResult {
        let entry = try question.favorites.entry(parameters.favorite)
        let summary = FavoriteFinder(question: question).summary(entry)
        try daemon.state.removeFavorite(entry.favorite.name, of: question.caller.uid)
        return FavoriteResult(at: question.at, favorite: summary)
    }

    /// The favourite as it is after the change.
    private func changed(favorite name: String, _ question: Question) throws -> FavoriteResult {
        let question = afterwards(question)
        let entry = try question.favorites.entry(name)
        return FavoriteResult(at: question.at, favorite: FavoriteFinder(question: question).summary(entry))
    }
}

extension Question {
    var favorites: FavoriteBook { FavoriteBook(personal.favorites) }
}
