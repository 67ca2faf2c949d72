internal import TransitControl
internal import TransitModel
internal import TransitStore
internal import TransitWire

/// The favorites of a caller, numbered in display order: the caller's order, but with the favorites of each category
/// grouped together.
struct FavoriteList: Sendable {
    struct Entry: Hashable, Sendable {
        /// Counts from 1.
        var number: Int
        var favorite: SavedFavorite
    }

    let entries: [Entry]

    /// - Parameter favorites: In the caller's order.
    init(_ favorites: [SavedFavorite]) {
        // A category takes the position of its first favorite.
        var categories: [String?] = []
        for favorite in favorites where !categories.contains(favorite.category) { categories.append(favorite.category) }
        let sorted = categories.flatMap { category in favorites.filter { $0.category == category } }
        entries = sorted.enumerated().map { Entry(number: $0.offset + 1, favorite: $0.element) }
    }

    /// Returns the favorite with the given name or, if there is none, with the given number, such as "2" or "#2".
    ///
    /// - Throws: ``ErrorKind/favoriteNotFound``.
    func entry(_ text: String) throws(ControlError) -> Entry {
        if let entry = entries.first(where: { $0.favorite.name == text }) { return entry }
        let number = Int(text.hasPrefix("#") ? String(text.dropFirst()) : text)
        if let entry = entries.first(where: { $0.number == number }) { return entry }
        let folded = SearchText.fold(text)
        let alike = entries.filter { SearchText.fold($0.favorite.name) == folded }
        if alike.count == 1 { return alike[0] }
        throw notFound(text)
    }

    func contains(name: String) -> Bool { entries.contains { $0.favorite.name == name } }

    /// Returns the favorite with the same target; `nil` if there is none.
    func same(as favorite: SavedFavorite) -> Entry? {
        entries.first { $0.favorite.feed == favorite.feed && $0.favorite.target == favorite.target }
    }

    private func notFound(_ text: String) -> ControlError {
        let names = entries.map(\.favorite.name)
        let hint: String
        if let near = Spelling.closest(to: text, among: names) {
            hint = "Did you mean \"\(near)\"?"
        } else if names.isEmpty {
            hint = "Add it with: transitctl favorite add STOP, or --route ROUTE."
        } else {
            hint = "Your favorites are \(names.prefix(10).joined(separator: ", "))\(names.count > 10 ? ", …" : "")."
        }
        return ControlError(.favoriteNotFound, "You have no favorite \"\(text)\".", hint: hint)
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
                .invalidParameters, "params.\(parameter) cannot be used as a name.",
                hint: "Use 1 to 64 visible characters.")
        }
    }
}
