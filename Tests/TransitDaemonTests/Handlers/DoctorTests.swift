import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

@Suite(.ownThreads) struct DoctorTests {
    @Test func importInProgressIsWarning() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        func check() async throws -> DoctorCheck? {
            try await daemon.askLengthy(DoctorParameters()).checks.first { $0.check == "feed.city.timetable" }
        }
        #expect(try await check()?.outcome == .failed)
        daemon.daemon.feeds.update("city") { $0.progress = .starting }
        let importing = try await check()
        #expect(importing?.outcome == .warning)
        #expect(importing?.message == "city is being imported for the first time.")
        try await daemon.update("city")
        #expect(try await check()?.outcome == .ok)
        #expect(try await check()?.message == "The timetable of city is available.")
    }

    @Test func sharedDiskIsCheckedOnce() async throws {
        let daemon = try TestDaemon()
        let directories = daemon.daemon.directories
        #expect(DiskUsage.device(of: directories.cache) == DiskUsage.device(of: directories.state))
        #expect(DiskUsage.device(of: "/proc") != DiskUsage.device(of: directories.state))
        let disks = try await daemon.askLengthy(DoctorParameters()).checks.map(\.check).filter { $0.hasPrefix("disk") }
        #expect(disks == ["disk"])
    }
}
