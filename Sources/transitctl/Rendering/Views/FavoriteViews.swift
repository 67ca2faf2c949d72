internal import TransitControl
internal import TransitModel

extension View where Result == FavoriteListResult {
    /// The user's favorites with their numbers.
    static let favoriteList = View(page: page, rows: { $0.favorites.map(\.row) })

    /// The list after a change of the order.
    static let favoriteOrder = favoriteList

    private static func page(_ page: inout Page, _ result: FavoriteListResult) {
        page.table(
            [
                .trailing(""), .shrinking("favorite"), .shrinking("category"), "route", .shrinking("stop"), "feed",
                .shrinking(""),
            ], of: result.favorites
        ) { favorite in
            [
                Line(String(favorite.number), .faint), Line(favorite.name, .strong), Line(favorite.category ?? ""),
                Line(favorite.route?.words ?? ""), Line(favorite.stop?.name ?? ""),
                Line(favorite.feed.rawValue, .faint), Line(favorite.problem ?? "", .caution),
            ]
        }
        if result.favorites.isEmpty { page.line(FavoriteText.none) }
    }
}

extension View where Result == FavoriteShowResult {
    /// A board for each favorite, grouped by category.
    static let favoriteShow = View(
        page: page,
        rows: { result in
            result.boards.flatMap { board in
                let name = [String(board.favorite.number), board.favorite.name, board.favorite.category ?? ""]
                return board.departures.map { name + $0.row }
            }
        }
    ).numbered(
        .departure, count: { $0.boards.reduce(0) { $0 + $1.departures.count } }, command: { _ in "transitctl favorite" }
    )

    private static func page(_ page: inout Page, _ result: FavoriteShowResult) {
        var category: String?
        for board in result.boards {
            page.blank()
            if board.favorite.category != category, let own = board.favorite.category {
                page.line(own.uppercased(), .faint)
            }
            category = board.favorite.category
            page.line(board.favorite.heading(boarding: board.boardingStops))
            if let reason = board.emptyReason { page.line(reason, .caution, indent: 2) }
            page.table(Self.table(of: board, &page.numbers))
        }
        if result.boards.isEmpty { page.line(FavoriteText.none) }
    }

    private static func table(of board: FavoriteBoard, _ numbers: inout RowNumbers) -> Table {
        var table = Table(
            ["departure", "leave", .shrinking("to"), .shrinking("from")], indent: 2, showsTitles: false)
        for departure in board.departures {
            let number = numbers.next(departure.listedRow)
            table.add([
                number + departure.line(from: board.at), departure.leaveCell(from: board.at, isReachable: false),
                departure.destination,
                Line(board.favorite.stop?.name == departure.stop.name ? "" : "from \(departure.stop.words)"),
            ])
            table.shortCells.append(departure.shortLines(from: board.at).map { number + $0 })
        }
        return table
    }
}

extension View where Result == FavoriteResult {
    static let favoriteAdd = View.sentence { "Added \($0.favorite.name) as favorite \($0.favorite.number)." }
    static let favoriteChanged = View.sentence { result in
        let category = result.favorite.category.map { "in the category \($0)" } ?? "in no category"
        return "Favorite \(result.favorite.number) is now \(result.favorite.name), \(category)."
    }
    static let favoriteRemove = View.sentence { "Removed \($0.favorite.name) from your favorites." }
}

/// Texts about favorites.
private enum FavoriteText {
    static let none = "No favorites yet. To add one: transitctl favorite add STOP, or --route ROUTE"
}

extension FavoriteSummary {
    /// Returns the name and number, such as "Mill Lane (favorite 1)", followed by the route and stops that the name does
    /// not contain. The numbers before departures are other numbers.
    fileprivate func heading(boarding: [StopReference]) -> Line {
        var line = Line(name, .heading) + Line(" (favorite \(number))", .faint)
        let stops = boarding.isEmpty ? [stop?.name].compactMap { $0 } : boarding.map(\.name)
        let additions = ([route?.words].compactMap { $0 } + stops.unique).filter { !name.contains($0) }
        if !additions.isEmpty { line.append("  \(additions.joined(separator: ", "))", .faint) }
        return line
    }

    /// The row for scripts: number, name, category, kind, feed, stop ID, stop name, route ID, route name.
    fileprivate var row: [String] {
        [
            String(number), name, category ?? "", kind.rawValue, feed.rawValue, stop?.id.rawValue ?? "",
            stop?.name ?? "", route?.id.rawValue ?? "", route?.words ?? "",
        ]
    }
}

extension [String] {
    /// The elements without duplicates, in order of their first occurrence.
    fileprivate var unique: [String] {
        reduce(into: []) { unique, text in if !unique.contains(text) { unique.append(text) } }
    }
}
