internal import Glibc
internal import TransitControl
internal import TransitDaemon
internal import TransitFeeds
internal import TransitModel
internal import TransitStore
internal import TransitTestSupport
internal import TransitWire

internal import struct TransitSimulation.SeededGenerator

/// Applies mutated GTFS-Realtime messages to a small timetable, and sends all requests that read the result: boards,
/// direct trips, explanations, trips, vehicles and alerts.
///
/// Most messages are well-formed and refer to trips and stops of the timetable, because only those reach the engine.
/// They contain several updates for one trip instance, assigned stops, trips that are matched by their scheduled times,
/// and times at the limits of their types. In some messages, bytes are corrupted.
package struct RealtimeFuzz: FuzzTarget {
    package static let name = "realtime"
    package static let defaultCount = 100_000

    private let folder: TemporaryFolder
    private let daemon: InProcessDaemon
    private static let feed: FeedID = "city"
    /// The time is on a Friday, half an hour before bus 24 leaves the harbor at 08:00.
    private static let now = Instant(secondsSince1970: 1_774_593_000)
    private static let caller: UInt32 = 1000

    package init() async throws {
        folder = try TemporaryFolder()
        daemon = try InProcessDaemon(
            folder: folder.path, feeds: [Self.feed: RealtimeFuzzFeed.archive], now: Self.now)
        try await daemon.importFeeds()
        try daemon.answer(
            CommuteAddParameters(name: "work", from: "city:harbor", to: "city:central"), uid: Self.caller)
    }

    package mutating func run(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        daemon.removeRealtimeData(of: Self.feed)
        // Further messages are applied to the state after the first one.
        for _ in 0..<random.number(1...3) { receive(sample(&random)) }
        try sendRequests(&random)
    }

    /// The datasets that the first byte of a sample selects.
    private static let kinds = [DatasetKind.tripUpdates, .tripUpdates, .vehicles, .alerts]

    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return sample(&random)
    }

    /// Returns a message after a byte that selects the dataset.
    private func sample(_ random: inout SeededGenerator) -> [UInt8] {
        let selector = random.number(0...Self.kinds.count - 1)
        var message = RandomMessage(random: random, now: Self.now)
        var bytes = message.bytes()
        random = message.random
        if random.once(in: 4) { damage(&bytes, &random) }
        return [UInt8(selector)] + bytes
    }

    package mutating func read(_ bytes: [UInt8]) throws {
        daemon.removeRealtimeData(of: Self.feed)
        receive(bytes)
        var random = SeededGenerator(seed: 1)
        try sendRequests(&random)
    }

    private func receive(_ sample: [UInt8]) {
        let kind = Self.kinds[Int(sample.first ?? 0) % Self.kinds.count]
        // Rejecting an unreadable message with a reason is not a failure.
        _ = daemon.receive(Array(sample.dropFirst()), of: kind, feed: Self.feed)
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<random.number(1...6) where !bytes.isEmpty {
            let place = random.number(0...bytes.count - 1)
            switch random.number(0...3) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...20)))
            case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
            default: bytes[place] ^= 1 << UInt8(random.number(0...7))
            }
        }
    }

    // MARK: Requests

    private func sendRequests(_ random: inout SeededGenerator) throws {
        var departures: [String] = []
        let at = random.pick([nil, nil, "2026-03-27T06:00:00Z", "2026-03-27T22:40:00Z", "2026-03-28T08:30:00Z"])
        for stop in RealtimeFuzzFeed.stops {
            let reply = try send(DeparturesParameters(stop: "city:\(stop)", at: at, count: 20))
            departures += ids("departures", in: reply)
        }
        departures += ids("departures", in: try send(NextParameters(commute: "work", at: at, count: 10)))
        // A few departures, which depend only on the seed.
        for _ in 0..<min(6, departures.count) {
            let departure = random.pick(departures)
            _ = try send(ExplainParameters(departure: departure))
            _ = try send(TripShowParameters(trip: departure))
        }
        _ = try send(TripShowParameters(trip: "city:\(random.pick(RealtimeFuzzFeed.trips))"))
        _ = try send(VehiclesParameters())
        _ = try send(AlertsParameters())
        _ = try send(StatusParameters())
        _ = try send(FeedValidateParameters(feed: Self.feed, realtime: true))
    }

    /// Sends a request and returns the reply. Returns `nil` for any error that is not internal, such as a request for a
    /// trip that exists only in the realtime data.
    private func send(_ request: some ControlParameters) throws -> JSONValue? {
        let bytes: [UInt8]
        do throws(ControlError) { bytes = try daemon.answer(request, uid: Self.caller) } catch {
            guard error.kind != .internalError else { throw FuzzFailure("\(request): \(error)") }
            return nil
        }
        return try JSONValue(parsing: bytes)
    }

    /// Returns the identifiers of the departures in a reply.
    private func ids(_ member: String, in reply: JSONValue?) -> [String] {
        guard case .object(let reply)? = reply, case .array(let list)? = reply[member] else { return [] }
        return list.compactMap { element in
            guard case .object(let departure) = element, case .string(let id)? = departure["id"] else { return nil }
            return id
        }
    }
}

/// A temporary folder that is removed when this object is deallocated.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws { path = try FileSystem.makeTemporaryDirectory("transit-fuzz-") }

    // If the folder cannot be removed, it stays until the system cleans up temporary files.
    deinit { try? FileSystem.remove(path) }
}

/// The small feed with additional trips that are hard to match: a trip that calls at a stop twice, a trip after midnight,
/// trips with both kinds of frequencies, and trips that differ only in their times.
enum RealtimeFuzzFeed {
    static let stops = ["harbor", "market", "central", "central:1", "central:2", "park"]
    static let trips = ["b1", "b2", "b3", "b4", "t1", "t2", "loop", "night", "often", "exact"]

    static var archive: [UInt8] {
        FeedBuilder.small
            .adding(
                """
                bus24,weekday,loop,Around,0
                bus24,weekday,night,Night,1
                tram1,weekday,often,City Park,0
                tram1,weekday,exact,City Park,1

                """, to: "trips.txt"
            )
            .adding(
                """
                loop,07:40:00,07:40:00,harbor,10
                loop,07:50:00,07:51:00,market,20
                loop,08:00:00,08:00:00,central:1,30
                loop,08:10:00,08:10:00,market,40
                loop,08:20:00,08:20:00,harbor,50
                night,24:35:00,24:35:00,central:1,1
                night,24:45:00,24:45:00,market,2
                night,25:05:00,25:05:00,harbor,3
                often,06:00:00,06:00:00,central:2,1
                often,06:12:00,06:12:00,park,2
                exact,06:00:00,06:00:00,park,1
                exact,06:12:00,06:12:00,central:2,2

                """, to: "stop_times.txt"
            )
            .file(
                "frequencies.txt",
                """
                trip_id,start_time,end_time,headway_secs,exact_times
                often,06:00:00,23:00:00,600,0
                exact,06:00:00,23:00:00,900,1

                """
            )
            .zip()
    }
}
