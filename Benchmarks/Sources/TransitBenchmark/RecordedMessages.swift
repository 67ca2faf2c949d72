import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore

/// Recorded GTFS-Realtime messages.
enum RecordedMessages {
    /// Reads the messages of one day, in the order of their times.
    ///
    /// - Parameter path: A file of messages, each after its length as a 4-byte little-endian integer, or a folder whose
    ///   files `*.pb`, or those of its folder `trip_updates`, are one message each and named by the time of the message.
    static func read(_ path: String) throws(BenchmarkError) -> [[UInt8]] {
        for folder in [path + "/trip_updates", path] {
            let names = Files.names(in: folder).filter { $0.hasSuffix(".pb") }
            guard !names.isEmpty else { continue }
            var messages: [[UInt8]] = []
            for name in names { messages.append(try Files.bytes("\(folder)/\(name)")) }
            return messages
        }
        return try split(path)
    }

    private static func split(_ path: String) throws(BenchmarkError) -> [[UInt8]] {
        let bytes = try Files.bytes(path)
        var messages: [[UInt8]] = []
        var position = 0
        while position + 4 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
            guard position + 4 + length <= bytes.count else { throw BenchmarkError("\(path) is truncated") }
            messages.append(Array(bytes[(position + 4)..<(position + 4 + length)]))
            position += 4 + length
        }
        return messages
    }
}

/// A timetable to which realtime messages are applied one after the other, as in the daemon.
struct MessageReplay {
    let file: TimetableFile
    let lookup: BenchmarkLookup
    private let matcher: TripMatcher
    /// The data of the last message.
    private(set) var latest: RealtimeDataset?

    init(store: String) throws {
        file = try TimetableFile(path: store)
        lookup = BenchmarkLookup(file: file, context: BenchmarkContext(file).timetable)
        matcher = TripMatcher(lookup)
    }

    /// Applies a message and returns its data.
    @discardableResult
    mutating func apply(_ message: [UInt8]) throws -> RealtimeDataset {
        let reader = try RealtimeReader(message)
        guard let now = reader.header.timestamp else { throw BenchmarkError("a message has no timestamp") }
        var builder = RealtimeDatasetBuilder(header: reader.header, received: now, matcher: matcher, previous: latest)
        try builder.prepare(entities: reader.entityCount) { reader.tripIDs(limit: $0) }
        _ = try reader.read { (entity) throws in try builder.apply(entity) }
        let dataset = try builder.finish()
        latest = dataset
        return dataset
    }

    /// Forgets the messages, so that the next one may be of any time.
    mutating func reset() { latest = nil }
}
