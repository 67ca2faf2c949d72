import Testing
import TransitModel

@testable import TransitStore

@Suite struct SearchStoreTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore { try StateStore(directory: folder.path, today: today) }

    private func search(_ text: String, _ second: Int64, _ kind: SavedSearch.Kind = .stops) -> SavedSearch {
        SavedSearch(kind: kind, text: text, at: Instant(secondsSince1970: second))
    }

    @Test func searchesArePersistentNewestFirst() throws {
        for search in [search("mill", 1), search("24", 2, .routes), search("mill", 3)] {
            let store = try open()
            store.recordSearch(search, of: 1)
            try store.saveSearches()
            #expect(!store.hasUnsavedSearches)
        }
        #expect(try open().userRecord(of: 1).searches == [search("mill", 3), search("24", 2, .routes)])
        #expect(try open().userRecord(of: 2).searches.isEmpty)
    }

    @Test func longerSearchReplacesItsBeginning() throws {
        let store = try open()
        store.recordSearch(search("mi", 1), of: 1)
        store.recordSearch(search("mill", 2), instead: search("mi", 1), of: 1)
        #expect(store.userRecord(of: 1).searches == [search("mill", 2)])
    }

    @Test func numberOfSearchesIsLimited() throws {
        let store = try open()
        for number in 0..<40 { store.recordSearch(search("\(number)", Int64(number)), of: 1) }
        #expect(store.userRecord(of: 1).searches.map(\.text) == (10..<40).reversed().map(String.init))
    }

    @Test func clearedSearchesDoNotReturn() throws {
        let store = try open()
        store.recordSearch(search("mill", 0), of: 1)
        try store.saveSearches()
        for uid in [1, 2] as [UInt32] { store.recordSearch(search("mill", 1), of: uid) }
        try store.clearSearches(of: 1)
        #expect(store.userRecord(of: 1).searches.isEmpty)
        #expect(store.userRecord(of: 2).searches.count == 1)
        // Unsaved searches do not return either.
        try store.saveSearches()
        #expect(try open().userRecord(of: 1).searches.isEmpty)
        #expect(try open().userRecord(of: 2).searches.count == 1)
    }

    @Test("A search is found at once and written by the next save, regardless of other changes before it")
    func searchesAreCollectedUntilSaved() throws {
        let store = try open()
        store.recordSearch(search("mill", 1), of: 1)
        try store.addCommute(SavedCommute(name: "gym", from: "a", to: "b"), of: 1)
        #expect(store.userRecord(of: 1).searches == [search("mill", 1)])
        #expect(store.hasUnsavedSearches)
        #expect(try open().userRecord(of: 1).searches.isEmpty)
        try store.saveSearches()
        #expect(try open().userRecord(of: 1).searches == [search("mill", 1)])
        #expect(try open().userRecord(of: 1).commutes.count == 1)
    }
}
