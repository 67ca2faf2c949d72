internal import Synchronization
public import TransitModel

/// The versions of one feed's timetable: a folder with files `1.timetable`, `2.timetable` and so on, and a symbolic
/// link `live` to the current version.
///
/// To make a version current, the link is replaced. Thus, even after a crash or power loss, the current version is
/// complete, or there is none yet. A ``TimetableFile`` remains usable after its version was replaced or removed.
/// The current version can have a ``JourneyNetwork`` in a file beside it (``JourneyNetworkFile``); the other versions have
/// none.
///
/// Thread-safe. Only one process may use the folder.
public final class TimetableLibrary: Sendable {
    public let directory: String
    /// The reasons why versions could not be used when the library was opened, newest version first.
    public let openErrors: [StoreError]
    private let cacheSize: Int
    private let state: Mutex<State>

    /// The number of versions that are kept, including the current one.
    public static let maximumVersions = 7

    struct State {
        var current: (number: Int, file: TimetableFile)?
        /// The number of the next version.
        var next: Int
    }

    /// A version in the folder.
    public struct Version: Hashable, Sendable {
        /// Versions are numbered from 1. A number is not reused while a newer version exists.
        public var number: Int
        public var summary: TimetableSummary
        /// Size of the file in bytes.
        public var size: Int
        public var isCurrent: Bool
    }

    /// Opens the folder, creates it if it is missing, and removes the files of an interrupted import. If the current
    /// version cannot be read, the newest readable one replaces it; see ``openErrors``.
    public init(directory: String, cacheSize: Int = TimetableFile.defaultCacheSize) throws(StoreError) {
        try FileSystem.makeDirectory(directory)
        let folder = VersionFolder(directory)
        try folder.removeUnfinishedFiles()
        var openErrors: [StoreError] = []
        let current = try folder.openCurrent(cacheSize: cacheSize, openErrors: &openErrors)
        folder.removeNetworks(except: current?.number)
        self.directory = directory
        self.cacheSize = cacheSize
        self.openErrors = openErrors
        state = Mutex(State(current: current, next: (try folder.numbers().last ?? 0) + 1))
    }

    private var folder: VersionFolder { VersionFolder(directory) }

    /// The current version; `nil` before the first import.
    public var current: TimetableFile? { state.withLock { $0.current?.file } }

    public var currentNumber: Int? { state.withLock { $0.current?.number } }

    /// Returns all readable versions, newest first.
    public func versions() throws(StoreError) -> [Version] {
        let current = currentNumber
        var versions: [Version] = []
        for number in try folder.numbers().reversed() {
            let path = folder.path(number)
            guard let summary = try? TimetableFile.summary(ofFileAt: path), let size = FileSystem.size(of: path) else {
                continue
            }
            versions.append(Version(number: number, summary: summary, size: size, isCurrent: number == current))
        }
        return versions
    }

    /// Opens any version, current or not.
    public func file(version number: Int) throws(StoreError) -> TimetableFile {
        if let current = state.withLock({ $0.current }), current.number == number { return current.file }
        guard try folder.numbers().contains(number) else { throw .notFound("version \(number)") }
        return try TimetableFile(path: folder.path(number), cacheSize: cacheSize)
    }

    /// Returns the version whose content makes a new import unnecessary: the current version, or the newest one,
    /// because a user may have rolled back from it on purpose. `nil` if neither has the given digest and the given rule of
    /// `TimetableSummary.Subset`.
    public func unchanged(contentDigest: String, rule: String? = nil) throws(StoreError) -> Version? {
        let versions = try versions()
        return versions.first {
            ($0.isCurrent || $0.number == versions[0].number) && $0.summary.contentDigest == contentDigest
                && $0.summary.subset?.rule == rule
        }
    }

    /// Writes a draft as the next version and makes it current. After an error, the current version is unchanged.
    ///
    /// For the parameters and errors, see
    /// ``TimetableFile/write(_:origin:contentDigest:report:to:progress:isCancelled:)``.
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
            // The version was never current, so it can be removed. Report the first error.
            try? FileSystem.remove(path)
            throw error
        }
        try folder.endRollback()
        try folder.prune(keeping: Self.maximumVersions, current: number)
        return try version(number)
    }

    /// Makes an older version current: the one with the given number, or the one before the current version.
    ///
    /// The older version stays current until a feed with new content is imported; see ``unchanged(contentDigest:)``.
    @discardableResult
    public func rollback(to number: Int? = nil) throws(StoreError) -> Version {
        let numbers = try folder.numbers()
        let current = currentNumber ?? 0
        guard let target = number ?? numbers.last(where: { $0 < current }) else {
            throw .notFound("version before version \(current)")
        }
        guard numbers.contains(target) else { throw .notFound("version \(target)") }
        try folder.recordRollback(newest: numbers[numbers.count - 1])
        try makeCurrent(target)
        return try version(target)
    }

    /// Sets the current version aside after its file was found corrupt, and makes the newest readable version current.
    /// Does nothing if another version is current by now.
    ///
    /// - Returns: Whether the version was current.
    @discardableResult
    public func abandonCurrent(at path: String) throws(StoreError) -> Bool {
        guard let current = state.withLock({ $0.current }), current.file.path == path else { return false }
        try folder.setAside(current.number)
        var openErrors: [StoreError] = []
        let next = try folder.openCurrent(cacheSize: cacheSize, openErrors: &openErrors)
        state.withLock { $0.current = next }
        folder.removeNetworks(except: next?.number)
        return true
    }

    // MARK: Pathways

    /// Whether the current version was written before this program read pathways.txt.
    ///
    /// - Throws: ``StoreError/corrupt(path:detail:)`` if its file cannot be read.
    public func lacksPathways() throws(StoreError) -> Bool {
        guard let file = current else { return false }
        return try !file.hasPathwaysTable()
    }

    /// Whether ``recordPathwaysRequest()`` was called for the current version, in this process or an earlier one.
    public var hasRequestedPathways: Bool {
        currentNumber.map { FileSystem.size(of: folder.pathwaysRequestPath($0)) != nil } ?? false
    }

    /// Records that the whole source of the current version is requested, so that its pathways are imported. The record
    /// survives a restart.
    public func recordPathwaysRequest() throws(StoreError) {
        guard let number = currentNumber else { return }
        try FileSystem.write([], to: folder.pathwaysRequestPath(number))
        try FileSystem.synchronizeDirectory(directory)
    }

    /// Removes the record of ``recordPathwaysRequest()``, because nothing was requested after all.
    public func removePathwaysRequest() throws(StoreError) {
        guard let number = currentNumber else { return }
        try FileSystem.remove(folder.pathwaysRequestPath(number))
    }

    private func makeCurrent(_ number: Int) throws(StoreError) {
        let file = try TimetableFile(path: folder.path(number), cacheSize: cacheSize)
        try folder.point(to: number)
        state.withLock { $0.current = (number, file) }
        folder.removeNetworks(except: number)
    }

    /// Writes the network of the current version.
    ///
    /// - Returns: False if `file` is not the current version, or no longer. There is no network of it then.
    /// - Throws: ``StoreError/diskFull(path:)`` and errors of the operating system.
    public func writeNetwork(_ bytes: [UInt8], of file: TimetableFile) throws(StoreError) -> Bool {
        guard current === file else { return false }
        try JourneyNetworkFile.write(bytes, of: file)
        if current === file { return true }
        // Another version became current meanwhile, after the networks of the others were removed.
        folder.removeNetworks(except: currentNumber)
        return false
    }

    private func version(_ number: Int) throws(StoreError) -> Version {
        let path = folder.path(number)
        guard let size = FileSystem.size(of: path) else { throw FileSystem.failure(path, "get the status of") }
        return Version(
            number: number, summary: try TimetableFile.summary(ofFileAt: path), size: size,
            isCurrent: number == currentNumber)
    }
}

/// The file names in the folder of a ``TimetableLibrary`` and their meaning.
struct VersionFolder {
    private let directory: String
    static let suffix = ".timetable"
    private static let damagedSuffix = FileSystem.damagedSuffix

    init(_ directory: String) { self.directory = directory }

    func path(_ number: Int) -> String { directory + "/" + Self.name(number) }
    private static func name(_ number: Int) -> String { "\(number)\(suffix)" }

    private static func number(_ name: String, suffix: String) -> Int? {
        guard name.hasSuffix(suffix), let number = Int(name.dropLast(suffix.count)), number > 0,
            name == "\(number)\(suffix)"
        else { return nil }
        return number
    }

    /// Returns the numbers of all versions in ascending order.
    func numbers() throws(StoreError) -> [Int] {
        try FileSystem.names(in: directory).compactMap { Self.number($0, suffix: Self.suffix) }.sorted()
    }

    // MARK: The current version

    private var currentPath: String { directory + "/live" }
    /// A link to the version that was the newest at a rollback. Versions up to it are kept although they are newer than
    /// the current one.
    private var rollbackPath: String { directory + "/rolled-back-from" }

    private func pointer(_ path: String) -> Int? {
        FileSystem.target(of: path).flatMap { Self.number($0, suffix: Self.suffix) }
    }

    func point(to number: Int) throws(StoreError) {
        try FileSystem.setSymbolicLink(currentPath, to: Self.name(number))
        try FileSystem.synchronizeDirectory(directory)
    }

    func recordRollback(newest: Int) throws(StoreError) {
        try FileSystem.setSymbolicLink(rollbackPath, to: Self.name(newest))
        try FileSystem.synchronizeDirectory(directory)
    }

    func endRollback() throws(StoreError) { try FileSystem.remove(rollbackPath) }

    /// Opens the current version or, if it cannot be read, the newest readable one, which becomes current.
    func openCurrent(
        cacheSize: Int, openErrors: inout [StoreError]
    ) throws(StoreError) -> (number: Int, file: TimetableFile)? {
        let current = pointer(currentPath)
        let numbers = try numbers()
        if let current, !numbers.contains(current) {
            openErrors.append(.notFound("version \(current) in \(directory)"))
        }
        let candidates = numbers.filter { $0 == current } + numbers.filter { $0 != current }.reversed()
        for number in candidates {
            do throws(StoreError) {
                let file = try TimetableFile(path: path(number), cacheSize: cacheSize)
                if number != current { try point(to: number) }
                return (number, file)
            } catch {
                openErrors.append(error)
            }
        }
        return nil
    }

    /// The empty file that records that the whole source of a version was requested for its pathways.
    func pathwaysRequestPath(_ number: Int) -> String { directory + "/\(number)\(Self.pathwaysRequestSuffix)" }

    private static let pathwaysRequestSuffix = ".pathways-requested"

    // MARK: Removing

    /// Removes unfinished files, and finished ones that an interrupted import did not make current.
    func removeUnfinishedFiles() throws(StoreError) {
        for name in try FileSystem.names(in: directory) where name.hasSuffix(TimetableFile.buildingSuffix) {
            try FileSystem.remove(directory + "/" + name)
        }
        // If the link is missing, the folder was copied by a tool that does not copy links. Nothing is removed then.
        guard let current = pointer(currentPath) else { return }
        let newest = max(current, pointer(rollbackPath) ?? 0)
        for number in try numbers() where number > newest { try FileSystem.remove(path(number)) }
    }

    /// Removes the networks of all versions except one. If this fails, they are removed later; they only take space.
    func removeNetworks(except current: Int?) {
        for name in (try? FileSystem.names(in: directory)) ?? [] {
            guard let number = Self.number(name, suffix: JourneyNetworkFile.suffix), number != current else { continue }
            try? FileSystem.remove(directory + "/" + name)
        }
    }

    /// Removes the oldest versions, but never the current one.
    func prune(keeping count: Int, current: Int) throws(StoreError) {
        let others = try numbers().filter { $0 != current }
        for number in others.dropLast(count - 1) { try FileSystem.remove(path(number)) }
        let oldest = try numbers().first ?? 0
        for name in try FileSystem.names(in: directory) {
            let suffixes = [Self.damagedSuffix, Self.pathwaysRequestSuffix]
            let number = suffixes.lazy.compactMap { Self.number(name, suffix: $0) }.first
            guard let number, number < oldest else { continue }
            try FileSystem.remove(directory + "/" + name)
        }
    }

    func setAside(_ number: Int) throws(StoreError) {
        try FileSystem.setAside(path(number), as: directory + "/\(number)\(Self.damagedSuffix)")
        try FileSystem.synchronizeDirectory(directory)
    }
}
