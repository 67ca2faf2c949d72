internal import TransitControl
internal import TransitModel
internal import TransitWire

// Reads and checks `supplements`, which pairs two feeds of one agency.
extension FeedSection {
    func readSupplements(_ table: ConfigurationTable) -> FeedID? {
        table.text("supplements", example: "town-gtfs").flatMap { FeedID(validating: $0) }
    }

    /// Reports invalid values of `supplements`. Call this after all tables have been read, because it looks up feeds
    /// by id.
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
                    remedy: "remove `supplements` from one of them")
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
        // Stops and departures take their names from the supplemented feed, so chains and cycles are not allowed.
        guard let third = other.supplements else { return nil }
        return (
            "the feed \"\(supplements)\" itself supplements \"\(third)\"",
            third == id ? "remove `supplements` from one of them" : "name a feed that has no `supplements`"
        )
    }
}

extension Configuration {
    /// Returns the other feeds of the same agency: the one that the feed supplements, or the one that supplements it.
    func supplementedFeeds(of feed: FeedID) -> [FeedID] {
        feeds.compactMap { $0.id == feed ? $0.supplements : $0.supplements == feed ? $0.id : nil }
    }
}
