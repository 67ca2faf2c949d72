public import TransitModel

/// The last good answer of each live source, as it came, so that a daemon that starts again, or a new version of a
/// timetable, need not wait for the next one.
///
/// One file for each dataset of a feed, replaced in one step. It is a cache: a file that is damaged is set aside and
/// reported, and the source's next answer takes its place. A snapshot is a single blob that is replaced whole every
/// minute, which SQLite would write twice; hence plain files.
public final class RealtimeCache: Sendable {
    public let directory: String
    /// Largest body that is kept, in bytes.
    public static let maximumBodySize = 256 << 20

    /// - Throws: ``StoreError`` when the folder cannot be made or listed.
    public init(directory: String) throws(StoreError) {
        self.directory = directory
        try FileSystem.makeDirectory(directory)
        for name in try FileSystem.names(in: directory) where name.hasSuffix(TimetableFile.buildingSuffix) {
            try FileSystem.remove(directory + "/" + name)
        }
    }

    /// Puts an answer in the place of the one before it. Not waited for until it is on the disk: after a loss of power
    /// the checksum tells.
    ///
    /// The file of the one before it is written over by the next: every minute a new file of megabytes would cost several times
    /// as much. So each answer takes its size twice.
    public func keep(_ snapshot: CachedRealtimeResponse, feed: FeedID, dataset: String) throws(StoreError) {
        guard snapshot.body.count <= Self.maximumBodySize else {
            throw .invalid("\(feed) \(dataset) has \(snapshot.body.count) bytes, more than are kept")
        }
        let path = path(feed, dataset)
        let building = path + TimetableFile.buildingSuffix
        do throws(StoreError) {
            try FileSystem.write(parts: [snapshot.header, snapshot.body, snapshot.seal], to: building)
            try FileSystem.exchange(building, with: path)
        } catch {
            // The first error is the one to tell.
            try? FileSystem.remove(building)
            throw error
        }
    }

    /// The last answer that was kept; `nil` when there is none.
    ///
    /// - Throws: ``StoreError/corrupt(path:detail:)`` if the file is damaged or not a regular file. It is renamed to
    ///   `….damaged` and not read again.
    public func snapshot(feed: FeedID, dataset: String) throws(StoreError) -> CachedRealtimeResponse? {
        let path = path(feed, dataset)
        switch FileSystem.entry(at: path) {
        case .missing: return nil
        case .other: throw try setAside(path, FileSystem.notRegular)
        case .file: break
        }
        let bytes = try FileSystem.read(path, limit: Self.maximumBodySize + CachedRealtimeResponse.overhead)
        do throws(MalformedDataError) { return try CachedRealtimeResponse(sealed: bytes) } catch {
            throw try setAside(path, error.reason)
        }
    }

    /// Renames a damaged file and returns an error that describes the damage.
    private func setAside(_ path: String, _ reason: String) throws(StoreError) -> StoreError {
        try FileSystem.setAside(path, as: path + FileSystem.damagedSuffix)
        return .corrupt(path: path, detail: reason)
    }

    public func forget(feed: FeedID, dataset: String) throws(StoreError) {
        let path = path(feed, dataset)
        try FileSystem.remove(path + TimetableFile.buildingSuffix)
        try FileSystem.remove(path)
    }

    /// Removes what belongs to feeds that the configuration does not have any more.
    public func removeFeeds(besides feeds: [FeedID]) throws(StoreError) {
        let known = Set(feeds.map(\.rawValue))
        for name in try FileSystem.names(in: directory) {
            guard let dot = name.firstIndex(of: "."), !known.contains(String(name[..<dot])) else { continue }
            try FileSystem.remove(directory + "/" + name)
        }
    }

    /// What all files take, in bytes.
    public func size() throws(StoreError) -> Int {
        try FileSystem.names(in: directory).reduce(0) { $0 + (FileSystem.size(of: directory + "/" + $1) ?? 0) }
    }

    /// A feed's name has no dot, so that the part before the first one is the feed.
    private func path(_ feed: FeedID, _ dataset: String) -> String { "\(directory)/\(feed).\(dataset).live" }
}

/// One answer of a live source.
public struct CachedRealtimeResponse: Hashable, Sendable {
    /// As it came, decompressed.
    public var body: [UInt8]
    /// When the answer was complete.
    public var fetched: Instant

    public init(body: [UInt8], fetched: Instant) {
        self.body = body
        self.fetched = fetched
    }
}

/// A file is a header, the body, and a checksum over both: `TLIVE1\n\0`, then the time in seconds since 1970 and the
/// number of bytes of the body, each of 8 bytes, the least significant first.
extension CachedRealtimeResponse {
    private static let magic: [UInt8] = [0x54, 0x4C, 0x49, 0x56, 0x45, 0x31, 0x0A, 0x00]
    private static let headerSize = 24
    static let overhead = headerSize + 2 * Checksum.size

    var header: [UInt8] {
        Self.magic + Self.bytes(UInt64(bitPattern: fetched.secondsSince1970)) + Self.bytes(UInt64(body.count))
    }

    /// The checksum of the header and that of the body.
    var seal: [UInt8] {
        [header, body].flatMap { part in
            let sum = part.withUnsafeBytes { Checksum.of($0) }
            return (0..<Checksum.size).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
        }
    }

    init(sealed bytes: [UInt8]) throws(MalformedDataError) {
        guard bytes.count >= Self.overhead else { throw MalformedDataError("shorter than its frame") }
        guard Array(bytes[..<8]) == Self.magic else { throw MalformedDataError("does not begin as a snapshot") }
        let size = Self.number(bytes[16..<24])
        guard size == UInt64(bytes.count - Self.overhead) else { throw MalformedDataError("not as long as it says") }
        let seconds = Int64(bitPattern: Self.number(bytes[8..<16]))
        let end = bytes.count - 2 * Checksum.size
        self.init(body: Array(bytes[Self.headerSize..<end]), fetched: Instant(secondsSince1970: seconds))
        guard Array(bytes[end...]) == seal else { throw MalformedDataError("wrong checksum") }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
