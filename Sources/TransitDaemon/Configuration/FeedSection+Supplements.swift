internal import TransitControl
internal import TransitModel

// Two feeds of one agency: which feed another one supplements.
extension FeedSection {
    func readSupplements(_ table: ConfigurationTable) -> FeedID? {
        table.text("supplements", example: "town-gtfs").flatMap { FeedID(validating: $0) }
    }

    /// Reports what `supplements` cannot mean; to be called when all feeds are known by name.
    func checkSupplements(_ tables: [ConfigurationTable]) {
        let feeds = tables.compactMap { table in
            table.text("id", example: "my-city").map {
                (id: $0, supplements: table.text("supplements", example: "town-gtfs"), table)
            }
        }
        var taken: [String: String] = [:]
        for (id, supplements, table) in feeds {
            guard let supplements else { continue }
            if let problem = problem(supplements, of: id, among: feeds.map { ($0.id, $0.supplements) }) {
                table.report("supplements", problem.message, remedy: problem.remedy)
            } else if let other = taken.updateValue(id, forKey: supplements) {
                table.report(
                    "supplements", "the feeds \"\(other)\" and \"\(id)\" both supplement \"\(supplements)\"",
                    remedy: "leave one of them")
            }
        }
    }

    private func problem(
        _ supplements: String, of id: String, among feeds: [(id: String, supplements: String?)]
    ) -> (message: String, remedy: String)? {
        if supplements == id { return ("the feed \"\(id)\" supplements itself", "name the agency's other feed") }
        guard let other = feeds.first(where: { $0.id == supplements }) else {
            let near = Spelling.closest(to: supplements, among: feeds.map(\.id).filter { $0 != id })
            return (
                "there is no feed \"\(supplements)\"",
                near.map { "did you mean \"\($0)\"?" } ?? "name another [[feed]] by its id"
            )
        }
        // One of both is the one that stops and departures are named after, so there is no chain and no circle.
        guard let third = other.supplements else { return nil }
        return (
            "the feed \"\(supplements)\" itself supplements \"\(third)\"",
            third == id ? "remove the line in one of them" : "name a feed that has no `supplements`"
        )
    }
}

extension Configuration {
    /// The feeds of the same agency: the feed that it supplements, or the one that supplements it.
    func supplementedFeeds(of feed: FeedID) -> [FeedID] {
        feeds.compactMap { $0.id == feed ? $0.supplements : $0.supplements == feed ? $0.id : nil }
    }
}
