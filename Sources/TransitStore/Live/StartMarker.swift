internal import Glibc
internal import Synchronization
public import TransitModel

/// A small file beside the kept live answers that says with which of them the process started, until it has lived for a minute.
///
/// A kept answer that ends the process at the next question ends it again after every restart. ``begin()`` writes the file
/// before kept answers are used, and ``end()`` removes it after ``longEnough`` seconds or at an orderly stop: where it is still
/// there at a start, the process before died within a minute of its own start. An answer with which that happened twice in a
/// row is set aside. An answer is known by its content, so that a newer one begins anew; and one death, as by a loss of power or
/// by lack of memory, costs nothing.
///
/// ```swift
/// let marker = StartMarker(directory: directories.live)
/// let setAside = marker.begin().setAside
/// // … use the kept answers; after a minute:
/// marker.end()
/// ```
public final class StartMarker: Sendable {
    /// A process that has lived for so many seconds did not die of what it started with.
    public static let longEnough = 60
    /// After so many deaths with the same answer it is set aside.
    static let mostDeaths = 2
    static let setAsideSuffix = ".set-aside"
    private static let suffix = ".live"
    private static let name = "started"
    private static let magic = "transitd started with, deaths content name:"

    private let directory: String
    private let isBegun = Mutex(false)
    private var path: String { directory + "/" + Self.name }

    /// A kept answer that was set aside.
    public struct SetAside: Hashable, Sendable {
        public var feed: FeedID
        public var dataset: String
        /// Where it lies now.
        public var path: String
    }

    /// What ``begin()`` did.
    public struct Beginning: Hashable, Sendable {
        public var setAside: [SetAside] = []
        /// Why the marker could not be kept, or an answer not be set aside; `nil` when all went well.
        public var failure: StoreError?
    }

    /// - Parameter directory: of the ``LiveCache``.
    public init(directory: String) { self.directory = directory }

    /// A start that ends by an error is an orderly end, too.
    deinit { end() }

    /// Sets aside the answers with which the process died twice, and marks the others as in use. To be called before any kept
    /// answer is used.
    public func begin() -> Beginning {
        var beginning = Beginning()
        do throws(StoreError) {
            try FileSystem.makeDirectory(directory)
            let deaths = readDeaths()
            var lines = [Self.magic]
            for name in try FileSystem.names(in: directory) where name.hasSuffix(Self.suffix) {
                guard let content = content(of: name) else { continue }
                let died = deaths[name].flatMap { $0.content == content ? $0.count : nil } ?? 0
                if died >= Self.mostDeaths, let answer = setAside(name, &beginning.failure) {
                    beginning.setAside.append(answer)
                } else {
                    // Counted as a death already: only ``end()`` says that it was none.
                    lines.append("\(died + 1) \(content) \(name)")
                }
            }
            isBegun.withLock { $0 = true }
            let building = path + TimetableFile.buildingSuffix
            try FileSystem.remove(building)
            try FileSystem.write(Array(lines.joined(separator: "\n").utf8), to: building)
            try FileSystem.rename(building, to: path)
        } catch {
            beginning.failure = error
        }
        return beginning
    }

    /// Says that the process has lived long enough, or ends in order.
    public func end() {
        isBegun.withLock { isBegun in
            guard isBegun else { return }
            isBegun = false
            // Where it cannot be removed, a later death is counted too early: that costs a live answer at most.
            unlink(path)
        }
    }

    private func setAside(_ name: String, _ failure: inout StoreError?) -> SetAside? {
        let parts = name.dropLast(Self.suffix.count).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let feed = FeedID(validating: String(parts[0])) else { return nil }
        let target = "\(directory)/\(name)\(Self.setAsideSuffix)"
        do throws(StoreError) { try FileSystem.rename(directory + "/" + name, to: target) } catch {
            failure = error
            return nil
        }
        return SetAside(feed: feed, dataset: String(parts[1]), path: target)
    }

    private struct Deaths {
        var count: Int
        var content: String
    }

    /// What the marker of the process before says; empty when there is none, or it is not whole.
    private func readDeaths() -> [String: Deaths] {
        guard let bytes = Self.read(path, from: 0, limit: 1 << 20) else { return [:] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first.map(String.init) == Self.magic else { return [:] }
        var deaths: [String: Deaths] = [:]
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let count = Int(words[0]), count > 0 else { continue }
            deaths[String(words[2])] = Deaths(count: min(count, Self.mostDeaths), content: String(words[1]))
        }
        return deaths
    }

    /// Names the content of a kept answer: its size and the checksum of its body, which ends the file. Not when it came, so that
    /// the same answer that is fetched again is the same.
    private func content(of name: String) -> String? {
        let path = directory + "/" + name
        guard let size = FileSystem.size(of: path), size >= LiveSnapshot.overhead,
            let sum = Self.read(path, from: size - Checksum.size, limit: Checksum.size)
        else { return nil }
        return "\(size)-" + sum.map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// A part of a file; `nil` when it is no file that can be read.
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
