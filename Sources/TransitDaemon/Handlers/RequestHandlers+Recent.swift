internal import TransitControl
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func recentList(_ parameters: RecentListParameters, _ context: RequestContext) -> RecentListResult {
        RecentListResult(
            at: context.at,
            searches: context.personal.searches.prefix(parameters.count).map { search in
                RecentSearch(
                    kind: search.kind == .stops ? .stops : .routes, text: search.text,
                    at: Timestamp(search.at, in: context.zone))
            })
    }

    func recentClear(_ context: RequestContext) throws -> RecentListResult {
        try daemon.state.clearSearches(of: context.caller.uid)
        return RecentListResult(at: context.at, searches: [])
    }

    /// Keeps what somebody looked for and found.
    func note(_ kind: SavedSearch.Kind, _ text: String, _ context: RequestContext) {
        let search = SavedSearch(kind: kind, text: text, at: context.now)
        guard let change = RecentSearches(context.personal.searches).change(for: search) else { return }
        daemon.state.recordSearch(search, instead: change.instead, of: context.caller.uid)
        guard daemon.searchesUnsaved.look.moment == nil else { return }
        daemon.searchesUnsaved.set(daemon.clock.reading().boot.advanced(by: SearchHistoryService.saveInterval))
    }
}

/// Decides what is kept of searches.
struct RecentSearches {
    /// Newest first.
    private let searches: [SavedSearch]

    struct Change: Hashable {
        /// The one that was only the beginning of it.
        var instead: SavedSearch?
    }

    /// Seconds in which a longer text is taken for the same one, still being typed.
    private static let typing = 60
    /// Shorter texts are beginnings.
    private static let shortest = 2

    init(_ searches: [SavedSearch]) { self.searches = searches }

    /// Returns `nil` if the search adds nothing, as when programs repeat a request.
    func change(for search: SavedSearch) -> Change? {
        guard search.text.unicodeScalars.count >= Self.shortest else { return nil }
        guard let newest = searches.first else { return Change() }
        if newest.kind == search.kind, newest.text == search.text { return nil }
        let isTyped =
            newest.kind == search.kind && search.text.hasPrefix(newest.text)
            && (0...Self.typing).contains(newest.at.seconds(to: search.at))
        return Change(instead: isTyped ? newest : nil)
    }
}
