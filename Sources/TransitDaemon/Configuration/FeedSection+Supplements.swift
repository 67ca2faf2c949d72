internal import TransitControl
internal import TransitModel

// Two feeds of one agency: which feed another one is beside.
extension FeedSection {
    func readSupplements(_ table: ConfigurationTable) -> FeedID? {
        table.text("beside", example: "town-gtfs").flatMap { FeedID(validating: $0) }
    }

    /// Reports what `beside` cannot mean; to be called when all feeds are known by name.
    func checkSupplements(_ tables: [ConfigurationTable]) {
        let feeds = tables.compactMap { table in
            table.text("id", example: "my-city").map {
                (id: $0, beside: table.text("beside", example: "town-gtfs"), table)
            }
        }
        var taken: [String: String] = [:]
        for (id, beside, table) in feeds {
            guard let beside else { continue }
            if let problem = problem(beside, of: id, among: feeds.map { ($0.id, $0.beside) }) {
                table.report("beside", problem.message, remedy: problem.remedy)
            } else if let other = taken.updateValue(id, forKey: beside) {
                table.report(
                    "beside", "the feeds \"\(other)\" and \"\(id)\" are both beside \"\(beside)\"",
                    remedy: "leave one of them")
            }
        }
    }

    private func problem(
        _ beside: String, of id: String, among feeds: [(id: String, beside: String?)]
    ) -> (message: String, remedy: String)? {
        if beside == id { return ("the feed \"\(id)\" is beside itself", "name the agency's other feed") }
        guard let other = feeds.first(where: { $0.id == beside }) else {
            let near = Spelling.closest(to: beside, among: feeds.map(\.id).filter { $0 != id })
            return (
                "there is no feed \"\(beside)\"",
                near.map { "did you mean \"\($0)\"?" } ?? "name another [[feed]] by its id"
            )
        }
        // One of both is the one that stops and departures are named after, so there is no chain and no circle.
        guard let third = other.beside else { return nil }
        return (
            "the feed \"\(beside)\" is itself beside \"\(third)\"",
            third == id ? "remove the line in one of them" : "name a feed that has no `beside`"
        )
    }
}

extension Configuration {
    /// The feeds of the same agency: that which the feed is beside, or the one that is beside it.
    func supplementedFeeds(of feed: FeedID) -> [FeedID] {
        feeds.compactMap { $0.id == feed ? $0.beside : $0.beside == feed ? $0.id : nil }
    }
}
