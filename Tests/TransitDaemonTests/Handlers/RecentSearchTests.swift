import Logging
import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

@Suite(.ownThreads) struct RecentSearchTests {
    private func search(_ text: String, _ second: Int64, _ kind: SavedSearch.Kind = .stops) -> SavedSearch {
        SavedSearch(kind: kind, text: text, at: Instant(secondsSince1970: second))
    }

    @Test func typedTextReplacesItsBeginning() {
        let recent = RecentSearches([search("cen", 100)])
        #expect(recent.change(for: search("centr", 110)) == .init(instead: search("cen", 100)))
        #expect(recent.change(for: search("centr", 200)) == .init(instead: nil))
        #expect(recent.change(for: search("market", 110)) == .init(instead: nil))
        #expect(recent.change(for: search("centr", 110, .routes)) == .init(instead: nil))
        // A repeated text and a single letter are not recorded.
        #expect(recent.change(for: search("cen", 110)) == nil)
        #expect(recent.change(for: search("c", 110)) == nil)
    }

    @Test func successfulSearchesAreRecorded() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        _ = try daemon.ask(StopsSearchParameters(text: "harbor"))
        _ = try daemon.ask(StopsSearchParameters(text: "nothing"))
        daemon.clock.advance(by: 5)
        _ = try daemon.ask(RoutesSearchParameters(text: "24"))
        // Completion of a command line is no search of the user.
        _ = try daemon.ask(StopsSearchParameters(text: "mill", remember: false))
        _ = try daemon.ask(RoutesSearchParameters(text: "2", remember: false))
        let recent = try daemon.ask(RecentListParameters()).searches
        #expect(recent.map(\.text) == ["24", "harbor"])
        #expect(recent.map(\.kind) == [.routes, .stops])
        #expect(try daemon.ask(RecentListParameters(count: 1)).searches.count == 1)
        #expect(try daemon.ask(RecentListParameters(), uid: 2).searches.isEmpty)
        #expect(try daemon.ask(RecentClearParameters()).searches.isEmpty)
        #expect(try daemon.ask(RecentListParameters()).searches.isEmpty)
    }

    @Test("Searches are written 30 seconds after the first unsaved one, and when the daemon stops")
    func searchesAreWrittenTogether() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let context = daemon.daemon
        let service = SearchHistoryService(
            state: context.state, travel: context.travel, wake: context.searchSaveTimer, clock: daemon.clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            _ = try daemon.ask(StopsSearchParameters(text: "harbor"))
            let due = context.searchSaveTimer.snapshot.moment
            #expect(due == daemon.clock.reading().boot.advanced(by: 30))
            daemon.clock.advance(by: 29)
            _ = try daemon.ask(StopsSearchParameters(text: "market"))
            #expect(context.searchSaveTimer.snapshot.moment == due)
            #expect(context.state.hasUnsavedSearches)
            daemon.wait { !context.state.hasUnsavedSearches }
            #expect(!context.state.hasUnsavedSearches)
            _ = try daemon.ask(StopsSearchParameters(text: "central"))
            #expect(context.state.hasUnsavedSearches)
            group.cancelAll()
        }
        #expect(!context.state.hasUnsavedSearches)
    }
}
