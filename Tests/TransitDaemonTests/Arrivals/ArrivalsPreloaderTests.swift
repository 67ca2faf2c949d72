import Logging
import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestTraits

@testable import TransitDaemon

/// Arrivals are preloaded for users during the windows of their commutes and after a restart.
@Suite(.ownThreads) struct ArrivalsPreloaderTests: ArrivalsSuite {
    let scene: ArrivalsFixture

    init() async throws { scene = try await ArrivalsFixture() }

    @Test func personalCommuteIsPreloadedDuringItsWindow() async throws {
        upstream.set(Self.path, line("x1", in: 5000))
        // The window of the configured commute is over; the window of the user's commute starts in half an hour.
        daemon.clock.advance(by: 3600)
        _ = try daemon.ask(
            CommuteAddParameters(
                name: "own", from: "home", to: "work", windows: ["08:00-09:00"], days: ["mon-fri"]), uid: 7)
        #expect(daemon.preloader.preloadArrivals(), "adding a commute with a window counts as a view")
        daemon.clock.advance(by: 601)
        #expect(!daemon.preloader.preloadArrivals())
        daemon.clock.advance(by: 1260)
        try await expectKeptReady()
        daemon.clock.advance(by: 3600)
        #expect(!daemon.preloader.preloadArrivals())
    }

    @Test func recentViewsAreSavedToState() async throws {
        daemon.clock.advance(by: 3600)
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"), uid: 7)
        let service = daemon.preloader
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            let isWritten = eventually {
                (try? daemon.daemon.state.recentViews())?.isEmpty == false
            }
            #expect(isWritten)
            group.cancelAll()
        }
        let saved = try daemon.daemon.state.recentViews()
        #expect(saved.map(\.uid) == [7])
        #expect(saved.first?.commute == nil)
        #expect(saved.first?.at == daemon.clock.now())
    }
}
