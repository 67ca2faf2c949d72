public import TransitModel

/// A cache of the last usable response of each realtime source. After a restart, or with a new timetable version, the
/// daemon uses the cached response until the next one arrives.
///
/// There is one file for each dataset of a feed, which is replaced atomically. A corrupt file is set aside and
/// reported, and the next response of the source replaces it. Plain files are used because SQLite would write each
/// response twice, once to its log, and a response is replaced as a whole every minute.
public final class RealtimeCache: Sendable {
    public let directory: String
    /// Maximum size of a cached body in bytes.
    public static let maximumBodySize = 256 << 20

    /// - Throws: ``StoreError`` if the folder cannot be created or listed.
    public init(directory: String) throws(StoreError) {
        self.directory = directory
        try FileSystem.makeDirectory(directory)
        for name in try FileSystem.names(in: directory) where name.hasSuffix(TimetableFile.buildingSuffix) {
            try FileSystem.remove(directory + "/" + name)
        }
    }

    /// Replaces the cached response of a dataset. Does not wait until the file is on disk; after a power loss, the
    /// checksum detects an incomplete file.
    ///
    /// The previous file is kept and overwritten by the next response, because creating a new multi-megabyte file every
    /// minute would take several times as long. Each response therefore takes up twice its size on disk.
    public func save(_ response: CachedRealtimeResponse, feed: FeedID, dataset: String) throws(StoreError) {
        guard response.body.count <= Self.maximumBodySize else {
            throw .invalid(
                "the response of \(feed) \(dataset) has \(response.body.count) bytes; the limit is \(Self.maximumBodySize)"
            )
        }
        let path = path(feed, dataset)
        let building = path + TimetableFile.buildingSuffix
        do throws(StoreError) {
            try FileSystem.write(parts: [response.header, response.body, response.seal], to: building)
            try FileSystem.swap(building, with: path)
        } catch {
            // Report the first error.
            try? FileSystem.remove(building)
            throw error
        }
    }

    /// Returns the cached response of a dataset, or `nil` if there is none.
    ///
    /// - Throws: ``StoreError/corrupt(path:detail:)`` if the file is corrupt or not a regular file. The file is renamed
    ///   to `….damaged` and not read again.
    public func response(feed: FeedID, dataset: String) throws(StoreError) -> CachedRealtimeResponse? {
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

    /// Renames a corrupt file and returns an error that describes the corruption.
    private func setAside(_ path: String, _ reason: String) throws(StoreError) -> StoreError {
        try FileSystem.setAside(path, as: path + FileSystem.damagedSuffix)
        return .corrupt(path: path, detail: reason)
    }

    public func remove(feed: FeedID, dataset: String) throws(StoreError) {
        let path = path(feed, dataset)
        try FileSystem.remove(path + TimetableFile.buildingSuffix)
        try FileSystem.remove(path)
    }

    /// Removes the responses of all feeds except the given ones.
    public func removeFeeds(except feeds: [FeedID]) throws(StoreError) {
        let known = Set(feeds.map(\.rawValue))
        for name in try FileSystem.names(in: directory) {
            guard let dot = name.firstIndex(of: "."), !known.contains(String(name[..<dot])) else { continue }
            try FileSystem.remove(directory + "/" + name)
        }
    }

    /// Feed IDs contain no dot, so the part before the first dot is the feed ID.
    private func path(_ feed: FeedID, _ dataset: String) -> String { "\(directory)/\(feed).\(dataset).live" }
}

/// A cached response of a realtime source.
public struct CachedRealtimeResponse: Hashable, Sendable {
    /// The decompressed body.
    public var body: [UInt8]
    /// The time at which the response was complete.
    public var fetched: Instant

    public init(body: [UInt8], fetched: Instant) {
        self.body = body
        self.fetched = fetched
    }
}

/// The file format: `TLIVE1\n\0`, the time in seconds since 1970 and the size of the body as little-endian 8-byte
/// numbers, the body, and the checksums of the header and of the body.
extension CachedRealtimeResponse {
    private static let magic: [UInt8] = [0x54, 0x4C, 0x49, 0x56, 0x45, 0x31, 0x0A, 0x00]
    private static let headerSize = 24
    static let overhead = headerSize + 2 * Checksum.size

    var header: [UInt8] {
        Self.magic + Self.bytes(UInt64(bitPattern: fetched.secondsSince1970)) + Self.bytes(UInt64(body.count))
    }

    /// The checksums of the header and of the body.
    var seal: [UInt8] {
        [header, body].flatMap { part in
            let sum = part.withUnsafeBytes { Checksum.of($0) }
            return (0..<Checksum.size).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
        }
    }

    init(sealed bytes: [UInt8]) throws(MalformedDataError) {
        guard bytes.count >= Self.overhead else { throw MalformedDataError("it is shorter than its header") }
        guard Array(bytes[..<8]) == Self.magic else {
            throw MalformedDataError("it does not begin with the expected header")
        }
        let size = Self.number(bytes[16..<24])
        guard size == UInt64(bytes.count - Self.overhead) else {
            throw MalformedDataError("its size differs from the size in its header")
        }
        let seconds = Int64(bitPattern: Self.number(bytes[8..<16]))
        let end = bytes.count - 2 * Checksum.size
        self.init(body: Array(bytes[Self.headerSize..<end]), fetched: Instant(secondsSince1970: seconds))
        guard Array(bytes[end...]) == seal else { throw MalformedDataError("its checksum is wrong") }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
