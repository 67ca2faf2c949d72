import TransitModel
import TransitNotifications
import TransitQueries

extension SubjectFinder {
    /// Returns the input of an engine at the time of a context, as the daemon passes it.
    ///
    /// - Parameter isSearching: Whether searches have ended before.
    mutating func input(
        _ context: QueryContext, changed: Set<FeedID>?, for engine: NotificationEngine, isSearching: Bool = true
    ) -> NotificationInput {
        func evaluate(_ finder: inout SubjectFinder, _ changed: Set<FeedID>?) -> [WatchedSubject]? {
            finder.subjects(
                context, changed: changed, following: engine.followedDepartures, awaiting: engine.awaitedDepartures)
        }
        var subjects = evaluate(&self, changed)
        for search in isSearching ? startSearches() : [] {
            record(search.result())
            subjects = evaluate(&self, [])
        }
        var input = NotificationInput(now: context.now, zone: context.zone, subjects: subjects)
        input.detours = detours(keeping: engine.state.detours)
        return input
    }
}
