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

// MARK: - Encoding
extension RealtimeReader {
    /// Detects the encoding of a message from its first bytes. Throws ``FeedError/notRealtime(_:)`` for other content.
    ///
    /// Control characters distinguish protobuf from text. A protobuf message begins with tags and lengths, and at least
    /// the length of the version "2.0" is a control character. The opening brace of a JSON object would be the start of
    /// a protobuf group, which the schema does not contain.
    private static func encoding(of bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) -> Encoding {
        let (kind, first) = UnexpectedContent.detect(bytes)
        if first == 0x7B { return isHeader(bytes) ? .protobuf : .json }
        // Binary data that is not an archive can be protobuf.
        if kind == .unknown { return .protobuf }
        throw .notRealtime(kind)
    }

    /// Returns whether a line feed and an opening brace are the tag and the length of a 123-byte header, as in the
    /// messages from New York. In JSON text, no other control characters follow, and the next 123 bytes do not parse as
    /// fields.
    private static func isHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x0A, bytes[1] == 0x7B else { return false }
        let header = UnsafeBufferPointer(rebasing: bytes[2..<min(bytes.count, 2 + 0x7B)])
        guard header.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }) else { return false }
        var wire = ProtobufReader(header)
        do throws(MalformedMessageError) {
            while let tag = try wire.nextTag() { try wire.skip(tag) }
            return true
        } catch {
            // In a message that is truncated within its header, the available part must parse.
            return header.count < 0x7B && error.fault == .truncated
        }
    }
}
