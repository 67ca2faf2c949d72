import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

@Suite struct FirstImportTests {
    /// How an update ends whose source has nothing any more.
    private func failure(of daemon: TestDaemon) async throws -> ControlError? {
        try FileManager.default.removeItem(atPath: daemon.folder("city.zip"))
        return await #expect(throws: ControlError.self) {
            try await daemon.running { try await daemon.askLengthy(FeedUpdateParameters(feed: "city", force: true)) }
        }
    }

    @Test func noVersionStaysWhereNoneIs() async throws {
        let error = try await failure(of: TestDaemon(feeds: ["city": .small]))
        #expect(error?.kind == .feedUnreachable)
        #expect(error?.hint == nil)
    }

    @Test func theVersionBeforeStaysWhereOneIs() async throws {
        let error = try await failure(of: TestDaemon.imported(["city": .small]))
        #expect(error?.kind == .feedUnreachable)
        #expect(error?.hint == "The version before stays.")
    }
}
