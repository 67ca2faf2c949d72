package import TransitControl
package import TransitQueries
internal import TransitStore

/// Handles `recent.list`.
package struct RecentListHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: RecentListParameters, _ context: QueryContext) -> RecentListResult {
        RecentListResult(
            at: context.at,
            searches: context.personal.searches.prefix(parameters.count).map { search in
                RecentSearch(
                    kind: search.kind == .stops ? .stops : .routes, text: search.text,
                    at: Timestamp(search.at, in: context.zone))
            })
    }
}
