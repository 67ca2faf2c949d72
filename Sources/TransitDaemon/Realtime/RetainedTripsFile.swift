internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What the cache contains besides the last response of a source: the trips that the response lacks and that are
/// retained (``TransitEngine/TripWithdrawal``), the trips that were believed to be gone, and since when changes may be lost.
///
/// The file begins with eight 8-byte little-endian integers: 1 if there is a withdrawal, its five values, 1 if changes may
/// be lost, and the time.
/// For each group of retained trips, six integers (its two times, the number of messages, the number of entities, the time
/// of the response, and its size) are followed by the identifiers of the entities, each with its size, and the response. ``TransitStore/RealtimeCache`` adds a checksum over the whole file.
struct RetainedTripsFile: Sendable {
    struct Group: Sendable {
        var retention: TripRetention
        /// The entities of the trips.
        var entities: Set<EntityID>
        /// The last response with the trips, as it was received.
        var response: CachedRealtimeResponse
    }

    var groups: [Group] = []
    var withdrawal: ConfirmedWithdrawal?
    /// The time from which changes of a source with differential messages may be lost.
    var lostSince: Instant?

    init() {}

    var isEmpty: Bool { groups.isEmpty && withdrawal == nil && lostSince == nil }

    /// Whether the file has the same meaning after a restart as an earlier one, which then need not be replaced: it
    /// contains whole responses. The number of messages without the trips may differ. Trips that are over may be missing.
    ///
    /// - Parameter areOver: Returns whether trips that are no longer retained are over, rather than reported again.
    func isStored(as earlier: RetainedTripsFile, areOver: (Set<EntityID>) -> Bool) -> Bool {
        guard withdrawal == earlier.withdrawal, lostSince == earlier.lostSince, groups.count == earlier.groups.count
        else { return false }
        return zip(groups, earlier.groups).allSatisfy { group, stored in
            group.retention.reported == stored.retention.reported
                && group.retention.missingSince == stored.retention.missingSince
                && group.entities.isSubset(of: stored.entities)
                && areOver(stored.entities.subtracting(group.entities))
        }
    }

    var bytes: [UInt8] {
        var numbers = [Int64](repeating: 0, count: 8)
        if let withdrawal {
            numbers[..<6] = [
                1, withdrawal.since.secondsSince1970, withdrawal.confirmed.secondsSince1970, Int64(withdrawal.trips),
                Int64(withdrawal.cancellations), withdrawal.end.secondsSince1970,
            ]
        }
        if let lostSince { numbers[6...] = [1, lostSince.secondsSince1970] }
        var bytes = numbers.flatMap(Self.bytes)
        for group in groups {
            for number in [
                group.retention.reported.secondsSince1970, group.retention.missingSince.secondsSince1970,
                Int64(group.retention.messages), Int64(group.entities.count),
                group.response.fetched.secondsSince1970, Int64(group.response.body.count),
            ] {
                bytes += Self.bytes(number)
            }
            for entity in group.entities.map(\.rawValue).sorted() {
                bytes += Self.bytes(Int64(entity.utf8.count)) + entity.utf8
            }
            bytes += group.response.body
        }
        return bytes
    }

    /// Returns `nil` if the bytes are not such a file.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func part(_ size: Int64) -> ArraySlice<UInt8>? {
            guard size >= 0, size <= rest.count else { return nil }
            defer { rest = rest.dropFirst(Int(size)) }
            return rest.prefix(Int(size))
        }
        func numbers(_ count: Int) -> [Int64]? {
            guard rest.count >= 8 * count else { return nil }
            let numbers = (0..<count).map { number in
                rest.dropFirst(8 * number).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            rest = rest.dropFirst(8 * count)
            return numbers.map { Int64(bitPattern: $0) }
        }
        guard let first = numbers(8) else { return nil }
        if first[0] == 1 {
            withdrawal = ConfirmedWithdrawal(
                since: Instant(secondsSince1970: first[1]), confirmed: Instant(secondsSince1970: first[2]),
                trips: Int(clamping: first[3]), cancellations: Int(clamping: first[4]),
                end: Instant(secondsSince1970: first[5]))
        }
        if first[6] == 1 { lostSince = Instant(secondsSince1970: first[7]) }
        while !rest.isEmpty {
            guard let next = numbers(6), (0...1_000_000).contains(next[2]), next[3] >= 0, next[3] <= rest.count else {
                return nil
            }
            var entities: Set<EntityID> = []
            for _ in 0..<next[3] {
                guard let size = numbers(1), let entity = part(size[0]) else { return nil }
                entities.insert(EntityID(String(decoding: entity, as: UTF8.self)))
            }
            guard let body = part(next[5]) else { return nil }
            groups.append(
                Group(
                    retention: TripRetention(
                        reported: Instant(secondsSince1970: next[0]), missingSince: Instant(secondsSince1970: next[1]),
                        messages: Int(next[2])), entities: entities,
                    response: CachedRealtimeResponse(
                        body: Array(body), fetched: Instant(secondsSince1970: next[4]))))
        }
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
    }
}
