public import TransitModel

/// Reads a GTFS-Realtime message entity by entity. The message is protobuf or one of the JSON dialects.
///
///     let reader = try RealtimeReader(body)
///     begin(reader.header)
///     let problems = reader.read { entity in … }
///
/// The initializer checks the structure of the whole message, so no part of a truncated message is used. ``read(_:)``
/// reports problems in individual entities and fields.
public struct RealtimeReader {
    /// The encoding of a message.
    public enum Encoding: Hashable, Sendable {
        case protobuf
        /// Any JSON dialect: member names in snake case, camel case or Pascal case, enumeration values by number or
        /// name, and 64-bit integers as numbers, strings or `{low, high}`.
        case json
    }

    public let encoding: Encoding
    public let header: RealtimeHeader
    /// The number of entities in a protobuf message. The number is 0 for JSON, because counting would require a full
    /// read.
    public let entityCount: Int
    private let source: Source
    private let headerProblems: RealtimeProblems

    private enum Source {
        case array([UInt8])
        case memory(UnsafeRawBufferPointer)

        func withBytes<Result, Failure: Error>(
            _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            switch self {
            case .array(let bytes): try bytes.withUnsafeBufferPointer(body)
            case .memory(let bytes): try body(bytes.assumingMemoryBound(to: UInt8.self))
            }
        }
    }

    /// Detects the encoding from the content, checks the outer structure (for JSON, the whole document), and reads the
    /// header.
    ///
    /// Throws ``FeedError/notRealtime(_:)`` if the content is not a GTFS-Realtime message, and
    /// ``FeedError/message(_:offset:member:)`` if the message is truncated or malformed. The errors do not include any
    /// content.
    public init(_ bytes: [UInt8]) throws(FeedError) { try self.init(source: .array(bytes)) }

    /// Same as ``init(_:)-(Array<UInt8>)``. The bytes must stay valid while the reader is in use.
    public init(_ bytes: UnsafeRawBufferPointer) throws(FeedError) { try self.init(source: .memory(bytes)) }

    private init(source: Source) throws(FeedError) {
        var log = ProblemLog()
        (encoding, header, entityCount) = try source.withBytes { bytes throws(FeedError) in
            try Self.open(bytes, &log)
        }
        headerProblems = log.problems
        self.source = source
    }

    private static func open(
        _ bytes: UnsafeBufferPointer<UInt8>, _ log: inout ProblemLog
    ) throws(FeedError) -> (Encoding, RealtimeHeader, entityCount: Int) {
        let encoding = try encoding(of: bytes)
        do throws(MalformedMessageError) {
            switch encoding {
            case .protobuf:
                if let (header, count) = try RealtimeProtobufMessage.header(bytes, &log) {
                    return (.protobuf, header, count)
                }
            case .json:
                if let header = try RealtimeJSONMessage.header(bytes, &log) { return (.json, header, 0) }
            }
        } catch {
            throw encoding == .json ? error.feedError(in: bytes) : error.feedError
        }
        throw .notRealtime(encoding == .json ? .otherJSON : .unknown)
    }

    /// Returns the trips in a protobuf message, limited to about `limit`, so that they can be looked up together before
    /// ``read(_:)``. Returns no trips for JSON, because finding them would require a full read.
    public func tripIDs(limit: Int) -> [TripID] {
        guard encoding == .protobuf else { return [] }
        return source.withBytes { RealtimeProtobufMessage.tripIDs($0, limit: limit) }
    }

    /// Passes every entity to `body` in the order of the message, and returns the problems of the header and the
    /// entities.
    ///
    /// Entities share memory, so a trip update that `body` stores is copied. The method can be called more than once.
    public func read<Failure: Error>(
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) -> RealtimeProblems {
        var log = ProblemLog(headerProblems)
        try source.withBytes { bytes throws(Failure) in
            switch encoding {
            case .protobuf: try RealtimeProtobufMessage.entities(bytes, &log, body)
            case .json: try RealtimeJSONMessage.entities(bytes, &log, body)
            }
        }
        return log.problems
    }
}
