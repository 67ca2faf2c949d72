import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

@Suite(.ownThreads) struct FirstImportTests {
    /// Returns the error of an update whose source file is missing.
    private func failure(of daemon: TestDaemon) async throws -> ControlError? {
        try FileManager.default.removeItem(atPath: daemon.folder("city.zip"))
        return await #expect(throws: ControlError.self) {
            try await daemon.running { try await daemon.askLengthy(FeedUpdateParameters(feed: "city", force: true)) }
        }
    }

    @Test func failedFirstImportHasNoHint() async throws {
        let error = try await failure(of: TestDaemon(feeds: ["city": .small]))
        #expect(error?.kind == .feedUnreachable)
        #expect(error?.hint == nil)
    }

    @Test func failedImportKeepsPreviousVersion() async throws {
        let error = try await failure(of: TestDaemon.imported(["city": .small]))
        #expect(error?.kind == .feedUnreachable)
        #expect(error?.hint == "The previous version stays in use.")
    }
}
