internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem

/// Handles `recent.clear`.
struct RecentClearHandler: MethodHandler {
    let state: StateStore

    func reply(to parameters: RecentClearParameters, _ context: RequestContext) throws -> RecentListResult {
        try state.clearSearches(of: context.caller.uid)
        return RecentListResult(at: context.at, searches: [])
    }
}

/// Records the searches of users.
struct SearchRecorder: Sendable {
    let state: StateStore
    /// The time at which unsaved searches must be written.
    let saveTimer: WakeTimer
    let clock: any DaemonClock

    /// Records a search with results. A restricted connection leaves no trace.
    func record(_ kind: SavedSearch.Kind, _ text: String, _ context: RequestContext) {
        guard context.caller.restriction == .none else { return }
        let search = SavedSearch(kind: kind, text: text, at: context.now)
        guard let change = RecentSearches(context.personal.searches).change(for: search) else { return }
        state.recordSearch(search, instead: change.instead, of: context.caller.uid)
        saveTimer.setIfUnset(clock.reading().boot.advanced(by: SearchHistoryService.saveInterval))
    }
}

/// Decides which searches the history records.
struct RecentSearches {
    /// Newest first.
    private let searches: [SavedSearch]

    struct Change: Hashable {
        /// The earlier search to replace, whose text was an unfinished form of this one.
        var instead: SavedSearch?
    }

    /// The number of seconds within which a search for a longer text counts as a continuation of the previous search.
    private static let typing = 60
    /// The minimum number of characters of a recorded search.
    private static let shortest = 2

    init(_ searches: [SavedSearch]) { self.searches = searches }

    /// Returns `nil` if the search adds nothing, as when a program repeats a request.
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
