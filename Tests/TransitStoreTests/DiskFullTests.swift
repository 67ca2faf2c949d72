import Glibc
import Testing
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitStore

/// A full disk does not change the current version.
@Suite(.ownThreads) struct DiskFullTests {
    fileprivate static let limit = 96 * 1024

    private static func small() -> TimetableDraft { RandomDraft.make(seed: 31, stops: 5, trips: 20) }
    private static func large() -> TimetableDraft { RandomDraft.make(seed: 32, stops: 3000, trips: 9000) }

    /// Imports a version that fits, one that does not, and another one that fits.
    fileprivate static func importSmallLargeSmall(in folder: String) throws {
        let library = try TimetableLibrary(directory: folder)
        try library.add(small(), origin: .sample, contentDigest: "first", report: .sample)
        #expect(throws: StoreError.diskFull(path: folder + "/2.timetable.building")) {
            try library.add(large(), origin: .sample, contentDigest: "large", report: .sample)
        }
        #expect(library.currentNumber == 1)
        #expect(TemporaryDirectory.names(folder) == ["1.timetable", "live"])
        #expect(try library.current?.stop(StopIndex(0)) == small().stops[0])
        #expect(try library.add(small(), origin: .sample, contentDigest: "second", report: .sample).isCurrent)
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "mounting a small tmpfs needs root"))
    func fullDiskKeepsCurrentVersion() throws {
        let disk = try SmallDisk(bytes: Self.limit)
        try withExtendedLifetime(disk) { try Self.importSmallLargeSmall(in: disk.path + "/feed") }
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "mounting a small tmpfs needs root"))
    func fullDiskKeepsState() throws {
        let disk = try SmallDisk(bytes: 512 * 1024)
        let store = try StateStore(directory: disk.path, today: ServiceDate(daysSince1970: 20_000))
        try store.addCommute(SavedCommute(name: "0", from: "a", to: "b"), of: 1)
        disk.fill()
        var added = 0
        let text = String(repeating: "x", count: 2000)
        #expect(throws: StoreError.diskFull(path: store.path)) {
            for number in 1..<StateStore.maximumPerUser {
                try store.addCommute(SavedCommute(name: "\(number)", from: text, to: text), of: 1)
                added += 1
            }
        }
        #expect(store.userRecord(of: 1).commutes.count == 1 + added)
        // A single small change may fit even if a commute does not, but many small changes do not fit.
        #expect(throws: StoreError.diskFull(path: store.path)) {
            for _ in 0..<200 { try store.checkIsWritable() }
        }
        #expect(throws: StoreError.self) { try store.backUp(today: ServiceDate(daysSince1970: 20_000)) }
        disk.free()
        try store.checkIsWritable()
        try store.addCommute(SavedCommute(name: "after", from: "a", to: "b"), of: 1)
        #expect(store.userRecord(of: 1).commutes.count == 2 + added)
        withExtendedLifetime(disk) {}
    }

    /// Tests the same behavior with a limit on file sizes, which requires no privileges. The limit applies to a whole
    /// process, so the test runs in a child process.
    @Test func fileSizeLimitKeepsCurrentVersion() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(DiskFullTests.limit), rlim_max: rlim_t(DiskFullTests.limit))
            try #require(setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
            let folder = try TemporaryDirectory()
            try withExtendedLifetime(folder) { try DiskFullTests.importSmallLargeSmall(in: folder.path) }
        }
    }
}
