internal import TransitEngine
internal import TransitModel
package import TransitStore

/// The favorites of a caller, numbered in display order: the caller's order, but with the favorites of each category
/// grouped together.
package struct FavoriteList: Sendable {
    package struct Entry: Hashable, Sendable {
        /// Counts from 1.
        package var number: Int
        package var favorite: SavedFavorite
    }

    package let entries: [Entry]

    /// - Parameter favorites: In the caller's order.
    package init(_ favorites: [SavedFavorite]) {
        // A category takes the position of its first favorite.
        var categories: [String?] = []
        for favorite in favorites where !categories.contains(favorite.category) { categories.append(favorite.category) }
        let sorted = categories.flatMap { category in favorites.filter { $0.category == category } }
        entries = sorted.enumerated().map { Entry(number: $0.offset + 1, favorite: $0.element) }
    }

    /// Returns the favorite with the given name or, if there is none, with the given number, such as "2" or "#2".
    ///
    /// - Throws: ``QueryError/favoriteNotFound(_:known:similar:)``.
    package func entry(_ text: String) throws(QueryError) -> Entry {
        if let entry = entries.first(where: { $0.favorite.name == text }) { return entry }
        let number = Int(text.hasPrefix("#") ? String(text.dropFirst()) : text)
        if let entry = entries.first(where: { $0.number == number }) { return entry }
        let folded = SearchText.fold(text)
        let alike = entries.filter { SearchText.fold($0.favorite.name) == folded }
        if alike.count == 1 { return alike[0] }
        let known = entries.map(\.favorite.name)
        throw .favoriteNotFound(text, known: known, similar: ApproximateSearch.names(meantBy: text, among: known))
    }

    package func contains(name: String) -> Bool { entries.contains { $0.favorite.name == name } }

    /// Returns the favorite with the same target; `nil` if there is none.
    package func same(as favorite: SavedFavorite) -> Entry? {
        entries.first { $0.favorite.feed == favorite.feed && $0.favorite.target == favorite.target }
    }

    /// Returns the favorites of a category, in display order.
    ///
    /// - Throws: ``QueryError/favoriteCategoryNotFound(_:known:)``.
    package func entries(ofCategory category: String, among entries: [Entry]) throws(QueryError) -> [Entry] {
        let folded = SearchText.fold(category)
        let found = entries.filter { $0.favorite.category.map { SearchText.fold($0) } == folded }
        guard found.isEmpty else { return found }
        let known = self.entries.compactMap(\.favorite.category)
        throw .favoriteCategoryNotFound(
            category, known: known.enumerated().filter { known.firstIndex(of: $0.element) == $0.offset }.map(\.element))
    }
}
