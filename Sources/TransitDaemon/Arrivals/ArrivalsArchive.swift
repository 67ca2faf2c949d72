internal import TransitFeeds
internal import TransitModel

/// The last answers about arrivals as they came, in the form in which they lie on the disk.
///
/// One after the other: the seconds since 1970 at which it came, the sizes of the query and of the body, each of 8 bytes,
/// the least significant first; then both. ``RealtimeCache`` puts a checksum around the whole.
struct ArrivalsArchive: Sendable {
    struct Answer: Hashable, Sendable {
        var received: Instant
        var body: [UInt8]
    }

    private(set) var answers: [ArrivalsQuery: Answer] = [:]
    /// Bytes of all bodies.
    private var size = 0

    /// More than so many bytes are not kept: the oldest answers go.
    static let largest = 4 << 20

    init() {}

    mutating func take(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) {
        size += body.count - (answers[query]?.body.count ?? 0)
        answers[query] = Answer(received: received, body: body)
        guard size > Self.largest else { return }
        for (query, answer) in answers.sorted(by: { ($0.value.received, $0.key) < ($1.value.received, $1.key) }) {
            guard size > Self.largest else { return }
            size -= answer.body.count
            answers[query] = nil
        }
    }

    /// Lets go of answers that came before a moment.
    mutating func drop(before moment: Instant) {
        answers = answers.filter { $0.value.received >= moment }
        size = answers.values.reduce(0) { $0 + $1.body.count }
    }

    /// Lets go of answers that came after a moment.
    mutating func drop(after moment: Instant) {
        answers = answers.filter { $0.value.received <= moment }
        size = answers.values.reduce(0) { $0 + $1.body.count }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (query, answer) in answers.sorted(by: { $0.key < $1.key }) {
            let name = Array(query.description.utf8)
            for number in [
                UInt64(bitPattern: answer.received.secondsSince1970), UInt64(name.count), UInt64(answer.body.count),
            ] {
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
            }
            bytes += name
            bytes += answer.body
        }
        return bytes
    }

    /// `nil` for what is not an archive.
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
            take(Array(rest.prefix(Int(numbers[2]))), of: query, received: received)
            rest = rest.dropFirst(Int(numbers[2]))
        }
    }
}
