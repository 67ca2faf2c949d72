internal import TransitFeeds
internal import TransitModel

/// The latest responses from an on-demand source, in the format of the disk cache.
///
/// Each response is stored as three 8-byte little-endian integers (the time of receipt in seconds since 1970, the
/// size of the query, and the size of the body), followed by the query and the body. ``RealtimeCache`` adds a
/// checksum over the whole file.
struct ArrivalsCacheFile: Sendable {
    struct Response: Hashable, Sendable {
        var received: Instant
        var body: [UInt8]
    }

    private(set) var responses: [ArrivalsQuery: Response] = [:]
    /// The total size of all bodies in bytes.
    private var size = 0

    /// The maximum size of all bodies in bytes. If it is exceeded, the oldest responses are dropped.
    static let maximumSize = 4 << 20

    init() {}

    mutating func store(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) {
        size += body.count - (responses[query]?.body.count ?? 0)
        responses[query] = Response(received: received, body: body)
        guard size > Self.maximumSize else { return }
        for (query, response) in responses.sorted(by: { ($0.value.received, $0.key) < ($1.value.received, $1.key) }) {
            guard size > Self.maximumSize else { return }
            size -= response.body.count
            responses[query] = nil
        }
    }

    /// Drops the responses received before a moment.
    mutating func drop(before moment: Instant) {
        responses = responses.filter { $0.value.received >= moment }
        size = responses.values.reduce(0) { $0 + $1.body.count }
    }

    /// Drops the responses received after a moment.
    mutating func drop(after moment: Instant) {
        responses = responses.filter { $0.value.received <= moment }
        size = responses.values.reduce(0) { $0 + $1.body.count }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (query, response) in responses.sorted(by: { $0.key < $1.key }) {
            let name = Array(query.description.utf8)
            for number in [
                UInt64(bitPattern: response.received.secondsSince1970), UInt64(name.count), UInt64(response.body.count),
            ] {
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
            }
            bytes += name
            bytes += response.body
        }
        return bytes
    }

    /// Returns `nil` if the bytes are not an archive.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 24 else { return nil }
            let numbers = (0..<3).map { number in
                rest.dropFirst(8 * number).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            rest = rest.dropFirst(24)
            let (sum, overflow) = numbers[1].addingReportingOverflow(numbers[2])
            guard !overflow, sum <= UInt64(rest.count) else { return nil }
            let query = ArrivalsQuery(String(decoding: rest.prefix(Int(numbers[1])), as: UTF8.self))
            rest = rest.dropFirst(Int(numbers[1]))
            let received = Instant(secondsSince1970: Int64(bitPattern: numbers[0]))
            store(Array(rest.prefix(Int(numbers[2]))), of: query, received: received)
            rest = rest.dropFirst(Int(numbers[2]))
        }
    }
}
