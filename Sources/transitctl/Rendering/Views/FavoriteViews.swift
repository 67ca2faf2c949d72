internal import TransitControl
internal import TransitModel

extension View where Result == FavoriteListResult {
    /// The user's favorites with their numbers.
    static let favoriteList = View(page: page, rows: { $0.favorites.map(\.row) })

    /// The list after a change of the order.
    static let favoriteOrder = favoriteList

    private static func page(_ result: FavoriteListResult) -> Page {
        var page = Page()
        var table = Table([
            .init(title: "", alignment: .trailing), .init(title: "favorite", shrinks: true),
            .init(title: "category", shrinks: true), .init(title: "route"), .init(title: "stop", shrinks: true),
            .init(title: "feed"), .init(title: "", shrinks: true),
        ])
        for favorite in result.favorites {
            table.add([
                Line(String(favorite.number), .faint), Line(favorite.name, .strong), Line(favorite.category ?? ""),
                Line(favorite.route?.words ?? ""), Line(favorite.stop?.name ?? ""),
                Line(favorite.feed.rawValue, .faint), Line(favorite.problem ?? "", .caution),
            ])
        }
        page.table(table)
        if result.favorites.isEmpty { page.line(FavoriteText.none) }
        return page
    }
}

extension View where Result == FavoriteShowResult {
    /// A board for each favorite, grouped by category.
    static let favoriteShow = View(
        page: { result in
            var numbers = RowNumbers.none
            return page(result, &numbers)
        },
        rows: { result in
            result.boards.flatMap { board in
                let name = [String(board.favorite.number), board.favorite.name, board.favorite.category ?? ""]
                return board.departures.map { name + $0.row }
            }
        }
    ).numbered { result in
        var numbers = RowNumbers(count: result.boards.reduce(0) { $0 + $1.departures.count })
        let page = page(result, &numbers)
        return ListedPage(page: page, kind: .departure, command: "transitctl favorite", rows: numbers.rows)
    }

    private static func page(_ result: FavoriteShowResult, _ numbers: inout RowNumbers) -> Page {
        var page = Page()
        var category: String?
        for board in result.boards {
            page.blank()
            if board.favorite.category != category, let own = board.favorite.category {
                page.line(own.uppercased(), .faint)
            }
            category = board.favorite.category
            page.line(board.favorite.heading(boarding: board.boardingStops))
            if let reason = board.emptyReason { page.line(reason, .caution, indent: 2) }
            page.table(Self.table(of: board, &numbers))
        }
        if result.boards.isEmpty { page.line(FavoriteText.none) }
        return page
    }

    private static func table(of board: FavoriteBoard, _ numbers: inout RowNumbers) -> Table {
        var table = Table(
            [.init(title: "departure"), .init(title: "to", shrinks: true), .init(title: "from", shrinks: true)],
            indent: 2, showsTitles: false)
        for departure in board.departures {
            table.add([
                numbers.next(departure.listedRow) + departure.line(from: board.at), departure.destination,
                Line(board.favorite.stop?.name == departure.stop.name ? "" : "from \(departure.stop.words)"),
            ])
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
