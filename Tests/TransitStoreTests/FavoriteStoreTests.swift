import Testing
import TransitModel

@testable import TransitStore

@Suite struct FavoriteStoreTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore { try StateStore(directory: folder.path, today: today) }

    private let stop = SavedFavorite(
        name: "Mill Lane", category: "morning", feed: "demo", target: .stop("70211", bothSides: true))
    private let route = SavedFavorite(name: "24", feed: "demo", target: .route("R24"))
    private let both = SavedFavorite(
        name: "24 at Mill Lane", feed: "demo", target: .routeAtStop("R24", "70211", bothSides: false))

    @Test func favoritesArePersistentAndPerUser() throws {
        for favorite in [stop, route, both] { try open().addFavorite(favorite, of: 1) }
        #expect(try open().userRecord(of: 1).favorites == [stop, route, both])
        #expect(try open().userRecord(of: 2).favorites.isEmpty)
    }

    @Test func duplicateNameIsRejected() throws {
        let store = try open()
        try store.addFavorite(stop, of: 1)
        try store.addFavorite(route, of: 1)
        #expect(throws: StoreError.exists("favorite \"24\"")) { try store.addFavorite(route, of: 1) }
        #expect(throws: StoreError.exists("favorite \"24\"")) {
            try store.changeFavorite("Mill Lane", to: "24", category: nil, of: 1)
        }
        #expect(store.userRecord(of: 1).favorites == [stop, route])
    }

    @Test func changeKeepsPosition() throws {
        let store = try open()
        for favorite in [stop, route, both] { try store.addFavorite(favorite, of: 1) }
        try store.changeFavorite("Mill Lane", to: "school", category: nil, of: 1)
        #expect(store.userRecord(of: 1).favorites.map(\.name) == ["school", "24", "24 at Mill Lane"])
        #expect(store.userRecord(of: 1).favorites[0].category == nil)
        #expect(throws: StoreError.notFound("favorite \"Mill Lane\"")) {
            try store.changeFavorite("Mill Lane", to: "x", category: nil, of: 1)
        }
    }

    @Test func namedFavoritesComeFirst() throws {
        let store = try open()
        for favorite in [stop, route, both] { try store.addFavorite(favorite, of: 1) }
        try store.orderFavorites(["24 at Mill Lane", "24"], of: 1)
        #expect(try open().userRecord(of: 1).favorites.map(\.name) == ["24 at Mill Lane", "24", "Mill Lane"])
        #expect(throws: StoreError.notFound("favorite \"x\"")) { try store.orderFavorites(["24", "x"], of: 1) }
        #expect(store.userRecord(of: 1).favorites.map(\.name) == ["24 at Mill Lane", "24", "Mill Lane"])
    }

    @Test func removedFavoriteIsGone() throws {
        let store = try open()
        for favorite in [stop, route] { try store.addFavorite(favorite, of: 1) }
        try store.removeFavorite("Mill Lane", of: 1)
        #expect(store.userRecord(of: 1).favorites == [route])
        #expect(throws: StoreError.notFound("favorite \"24\"")) { try store.removeFavorite("24", of: 2) }
    }

    @Test func numberOfFavoritesIsLimited() throws {
        let store = try open()
        for number in 0..<StateStore.maximumPerUser {
            try store.addFavorite(SavedFavorite(name: "\(number)", feed: "demo", target: .route("R")), of: 1)
        }
        #expect(throws: StoreError.invalid("you cannot have more than 200 favorites")) {
            try store.addFavorite(stop, of: 1)
        }
    }
}
