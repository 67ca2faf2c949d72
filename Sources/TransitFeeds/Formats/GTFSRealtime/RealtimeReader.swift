public import TransitModel

/// Reads a GTFS-Realtime message, as protobuf or as one of the JSON dialects, entity by entity.
///
///     let reader = try RealtimeReader(body)
///     begin(reader.header)
///     let problems = reader.read { entity in … }
///
/// What makes a message unreadable as a whole is found by the initializer, which walks over all of it; so nothing of a
/// message that arrived cut is ever used. What is wrong with single entities and fields is counted by ``read(_:)``.
public struct RealtimeReader {
    /// How a message is written down.
    public enum Encoding: Hashable, Sendable {
        case protobuf
        /// Any of the dialects: members in snake case, camel case or Pascal case, enumerations by number or name,
        /// large numbers as numbers, texts or `{low, high}`.
        case json
    }

    public let encoding: Encoding
    public let header: RealtimeHeader
    /// How many entities there are; 0 where only reading all of it would tell, as in JSON.
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

    /// Recognises the encoding from the content, checks the outer structure (of JSON: all of it) and reads the header.
    ///
    /// Throws ``FeedError/notRealtime(_:)`` for what is no such message, and ``FeedError/message(_:offset:member:)`` for one that
    /// is cut or damaged. Neither holds anything of the content.
    public init(_ bytes: [UInt8]) throws(FeedError) { try self.init(source: .array(bytes)) }

    /// As ``init(_:)-(Array<UInt8>)``. The bytes must stay where they are for as long as the reader is used.
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

    /// The trips that are told of, at most so many, for whoever looks them up together before ``read(_:)``; none where only
    /// reading all of it would tell, as in JSON.
    public func tripIDs(most: Int) -> [TripID] {
        guard encoding == .protobuf else { return [] }
        return source.withBytes { RealtimeProtobufMessage.tripIDs($0, most: most) }
    }

    /// Hands over every entity, in the order of the message, and returns what was found to be wrong, also in the header.
    ///
    /// Only one entity exists at a time; a trip update that `body` keeps costs a copy. May be called again.
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
