internal import Synchronization
public import TransitModel

/// The versions of one feed's timetable: a folder of files `1.timetable`, `2.timetable`, … and a link `live` to the one
/// that answers.
///
/// A version goes live by replacing the link, so at every moment, also after a kill or a loss of power, there is one
/// whole live version or none yet. Who holds a ``TimetableFile`` may keep asking it after it was replaced or removed.
/// Safe to use from every thread; only one process may have the folder.
public final class TimetableLibrary: Sendable {
    public let directory: String
    /// Why versions that should have been usable were passed over when the library was opened, newest first.
    public let damages: [StoreError]
    private let cacheSize: Int
    private let state: Mutex<State>

    /// How many versions stay, the live one among them.
    public static let kept = 7

    struct State {
        var live: (number: Int, file: TimetableFile)?
        /// The number that the next version gets.
        var next: Int
    }

    /// One version as it stands in the folder.
    public struct Version: Hashable, Sendable {
        /// From 1, never used twice while a newer one is there.
        public var number: Int
        public var summary: TimetableSummary
        /// Of the file, in bytes.
        public var size: Int
        public var isLive: Bool
    }

    /// Opens the folder, makes it when it is missing, and removes what a killed import left there. When the live version
    /// cannot be read, the newest one that can goes live in its place; see ``damages``.
    public init(directory: String, cacheSize: Int = TimetableFile.defaultCacheSize) throws(StoreError) {
        try FileSystem.makeDirectory(directory)
        let folder = VersionFolder(directory)
        try folder.removeUnfinishedFiles()
        var damages: [StoreError] = []
        let live = try folder.openCurrent(cacheSize: cacheSize, damages: &damages)
        self.directory = directory
        self.cacheSize = cacheSize
        self.damages = damages
        state = Mutex(State(live: live, next: (try folder.numbers().last ?? 0) + 1))
    }

    private var folder: VersionFolder { VersionFolder(directory) }

    /// The version that answers; `nil` before the first import.
    public var live: TimetableFile? { state.withLock { $0.live?.file } }

    public var currentNumber: Int? { state.withLock { $0.live?.number } }

    /// Everything that is there, newest first. Damaged files are left out.
    public func versions() throws(StoreError) -> [Version] {
        let live = currentNumber
        var versions: [Version] = []
        for number in try folder.numbers().reversed() {
            let path = folder.path(number)
            guard let summary = try? TimetableFile.summary(ofFileAt: path), let size = FileSystem.size(of: path) else {
                continue
            }
            versions.append(Version(number: number, summary: summary, size: size, isLive: number == live))
        }
        return versions
    }

    /// Opens a version that need not be the live one.
    public func file(version number: Int) throws(StoreError) -> TimetableFile {
        if let live = state.withLock({ $0.live }), live.number == number { return live.file }
        guard try folder.numbers().contains(number) else { throw .notFound("version \(number)") }
        return try TimetableFile(path: folder.path(number), cacheSize: cacheSize)
    }

    /// The version with that content, when importing it again would change nothing: the live one, or the newest one,
    /// which somebody may have rolled back from on purpose.
    public func unchanged(contentDigest: String) throws(StoreError) -> Version? {
        let versions = try versions()
        return versions.first {
            ($0.isLive || $0.number == versions[0].number) && $0.summary.contentDigest == contentDigest
        }
    }

    /// Writes a draft as the next version and makes it live. After an error the live version is what it was.
    ///
    /// For the parameters and errors see ``TimetableFile/write(_:origin:contentDigest:report:to:progress:isCancelled:)``.
    @discardableResult
    public func add(
        _ draft: TimetableDraft, origin: TimetableSummary.Origin, contentDigest: String, report: ValidationReport,
        progress: @escaping (TimetableFile.WriteProgress) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws(StoreError) -> Version {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        let path = folder.path(number)
        try TimetableFile.write(
            draft, origin: origin, contentDigest: contentDigest, report: report, to: path, progress: progress,
            isCancelled: isCancelled)
        do throws(StoreError) {
            try makeCurrent(number)
        } catch {
            // It was never live, so nobody misses it; the first error is the one to tell.
            try? FileSystem.remove(path)
            throw error
        }
        try folder.endRollback()
        try folder.prune(keeping: Self.kept, live: number)
        return try version(number)
    }

    /// Makes an older version live again: the one with that number, or the one before the live one.
    ///
    /// It stays live until a feed with new content is imported; see ``unchanged(contentDigest:)``.
    @discardableResult
    public func rollback(to number: Int? = nil) throws(StoreError) -> Version {
        let numbers = try folder.numbers()
        let live = currentNumber ?? 0
        guard let target = number ?? numbers.last(where: { $0 < live }) else {
            throw .notFound("version before version \(live)")
        }
        guard numbers.contains(target) else { throw .notFound("version \(target)") }
        try folder.recordRollback(newest: numbers[numbers.count - 1])
        try makeCurrent(target)
        return try version(target)
    }

    /// Puts the live version out of use, after it was found damaged while it answered, and makes the newest one that can
    /// be read live. Returns it, or `nil` when there is none.
    @discardableResult
    public func abandonCurrent() throws(StoreError) -> Version? {
        guard let live = currentNumber else { return nil }
        try folder.setAside(live)
        var damages: [StoreError] = []
        let next = try folder.openCurrent(cacheSize: cacheSize, damages: &damages)
        state.withLock { $0.live = next }
        guard let next else { return nil }
        return try version(next.number)
    }

    private func makeCurrent(_ number: Int) throws(StoreError) {
        let file = try TimetableFile(path: folder.path(number), cacheSize: cacheSize)
        try folder.point(to: number)
        state.withLock { $0.live = (number, file) }
    }

    private func version(_ number: Int) throws(StoreError) -> Version {
        let path = folder.path(number)
        guard let size = FileSystem.size(of: path) else { throw FileSystem.failure(path, "look at") }
        return Version(
            number: number, summary: try TimetableFile.summary(ofFileAt: path), size: size,
            isLive: number == currentNumber)
    }
}
