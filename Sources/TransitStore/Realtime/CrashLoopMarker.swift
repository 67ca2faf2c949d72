internal import Glibc
internal import Synchronization
public import TransitModel

/// Detects cached realtime responses that crash the process after every restart.
///
/// The marker is a small file in the folder of the cached responses. It lists the responses with which the process
/// started, until the process has run for a minute.
///
/// A cached response that crashes the process at the next request would crash it again after every restart. ``begin()``
/// writes the file before cached responses are used. ``end()`` removes it after ``crashWindow`` seconds or at an
/// orderly exit. If the file exists at a start, the previous process crashed within a minute of its start. A response
/// that was in use in two consecutive crashes of this kind is set aside. Responses are identified by their content, so
/// the count restarts for a new response. A single crash, such as one caused by a power loss or lack of memory, has no
/// effect.
/// ```swift
/// let marker = CrashLoopMarker(directory: directories.live)
/// let setAside = marker.begin().setAside
/// // … use the cached responses; after a minute:
/// marker.end()
/// ```
public final class CrashLoopMarker: Sendable {
    /// Seconds after which a crash is no longer attributed to the responses that the process started with.
    public static let crashWindow = 60
    /// The number of crashes with the same response after which the response is set aside.
    static let maximumCrashes = 2
    static let setAsideSuffix = ".set-aside"
    private static let suffix = ".live"
    private static let name = "started"
    private static let magic = "transitd started with, deaths content name:"

    private let directory: String
    private let hasBegun = Mutex(false)
    private var path: String { directory + "/" + Self.name }

    /// A cached response that was set aside.
    public struct SetAsideResponse: Hashable, Sendable {
        public var feed: FeedID
        public var dataset: String
        /// The file's new path.
        public var path: String
    }

    /// The result of ``begin()``.
    public struct BeginResult: Hashable, Sendable {
        public var setAside: [SetAsideResponse] = []
        /// The reason why the marker could not be written or a response could not be set aside; `nil` on success.
        public var failure: StoreError?
    }

    /// - Parameter directory: The folder of the ``RealtimeCache``.
    public init(directory: String) { self.directory = directory }

    /// A start that ends with an error also counts as an orderly exit.
    deinit { end() }

    /// Sets aside the responses with which the process crashed twice, and marks the remaining ones as in use. Must be
    /// called before any cached response is used.
    public func begin() -> BeginResult {
        var result = BeginResult()
        do throws(StoreError) {
            try FileSystem.makeDirectory(directory)
            let crashCounts = readCrashCounts()
            var lines = [Self.magic]
            for name in try FileSystem.names(in: directory) where name.hasSuffix(Self.suffix) {
                guard let content = content(of: name) else { continue }
                let crashes = crashCounts[name].flatMap { $0.content == content ? $0.count : nil } ?? 0
                if crashes >= Self.maximumCrashes, let response = setAside(name, &result.failure) {
                    result.setAside.append(response)
                } else {
                    // Counts this run as a crash in advance. ``end()`` removes the count.
                    lines.append("\(crashes + 1) \(content) \(name)")
                }
            }
            hasBegun.withLock { $0 = true }
            let building = path + TimetableFile.buildingSuffix
            try FileSystem.remove(building)
            try FileSystem.write(Array(lines.joined(separator: "\n").utf8), to: building)
            try FileSystem.rename(building, to: path)
        } catch {
            result.failure = error
        }
        return result
    }

    /// Records that the process has run for long enough, or that it exits in an orderly way.
    public func end() {
        hasBegun.withLock { hasBegun in
            guard hasBegun else { return }
            hasBegun = false
            // If the file cannot be removed, a later crash is counted even after a long run. At worst, a usable
            // response is set aside.
            unlink(path)
        }
    }

    private func setAside(_ name: String, _ failure: inout StoreError?) -> SetAsideResponse? {
        let parts = name.dropLast(Self.suffix.count).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let feed = FeedID(validating: String(parts[0])) else { return nil }
        let target = "\(directory)/\(name)\(Self.setAsideSuffix)"
        do throws(StoreError) { try FileSystem.rename(directory + "/" + name, to: target) } catch {
            failure = error
            return nil
        }
        return SetAsideResponse(feed: feed, dataset: String(parts[1]), path: target)
    }

    private struct CrashCount {
        var count: Int
        var content: String
    }

    /// Returns the crash counts in the previous process's marker; empty if the file is missing or incomplete.
    private func readCrashCounts() -> [String: CrashCount] {
        guard let bytes = Self.read(path, from: 0, limit: 1 << 20) else { return [:] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first.map(String.init) == Self.magic else { return [:] }
        var crashCounts: [String: CrashCount] = [:]
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let count = Int(words[0]), count > 0 else { continue }
            crashCounts[String(words[2])] = CrashCount(
                count: min(count, Self.maximumCrashes), content: String(words[1]))
        }
        return crashCounts
    }

    /// Identifies the content of a cached response by its size and by the checksum of its body at the end of the file.
    /// The time of receipt is not included, so that a repeated response has the same identifier.
    private func content(of name: String) -> String? {
        let path = directory + "/" + name
        guard let size = FileSystem.size(of: path), size >= CachedRealtimeResponse.overhead,
            let sum = Self.read(path, from: size - Checksum.size, limit: Checksum.size)
        else { return nil }
        return "\(size)-" + sum.map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// Reads a part of a file. Returns `nil` if it is not a readable regular file.
    private static func read(_ path: String, from offset: Int, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let count = min(limit, Int(status.st_size) - offset)
        guard count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
        return got == count ? bytes : nil
    }
}
