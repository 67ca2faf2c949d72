import Testing
import TransitModel

@testable import TransitRefresh

@Suite struct ArrivalsCacheTests {
    private static let now = Instant(secondsSince1970: 1_800_000_000)

    private static func bus(_ id: EntityID) -> RealtimeEntity {
        .tripUpdate(TripUpdate(id: id, trip: TripDescriptor(tripID: "a", relationship: .added)))
    }

    private static func names(_ entities: [RealtimeEntity]) -> [String] {
        entities.map { entity in
            if case .deleted(let id) = entity { "-\(id)" } else { "\(entity.id)" }
        }.sorted()
    }

    @Test func responseReplacesPreviousOne() {
        var cache = ArrivalsCache()
        let first = cache.replace([Self.bus("1"), Self.bus("2")], of: ArrivalsQueryID("1A"), received: Self.now)
        #expect(Self.names(first) == ["1A#1", "1A#2"])
        #expect(Self.names(cache.replace([Self.bus("1")], of: ArrivalsQueryID("2"), received: Self.now)) == ["2#1"])
        let second = cache.replace([Self.bus("2"), Self.bus("3")], of: ArrivalsQueryID("1A"), received: Self.now)
        #expect(Self.names(second) == ["-1A#1", "1A#2", "1A#3"])
        #expect(Self.names(cache.entities) == ["1A#2", "1A#3", "2#1"])
        // A response without departures also replaces the previous one.
        #expect(Self.names(cache.replace([], of: ArrivalsQueryID("1A"), received: Self.now)) == ["-1A#2", "-1A#3"])
        #expect(cache.count == 2)
    }

    @Test func oldResponsesAreRemoved() {
        var cache = ArrivalsCache()
        _ = cache.replace([Self.bus("1")], of: ArrivalsQueryID("1A"), received: Self.now)
        _ = cache.replace([Self.bus("1")], of: ArrivalsQueryID("2"), received: Self.now.advanced(by: 100))
        #expect(Self.names(cache.remove(before: Self.now.advanced(by: 50))) == ["-1A#1"])
        #expect(cache.remove(before: Self.now.advanced(by: 50)).isEmpty)
        #expect(Self.names(cache.entities) == ["2#1"])
    }

    @Test func timestampIsNotLaterThanReceipt() {
        var cache = ArrivalsCache()
        func cachedTimestamp(_ timestamp: Instant?) -> Instant? {
            let trip = TripDescriptor(tripID: "a", relationship: .added)
            let bus = RealtimeEntity.tripUpdate(TripUpdate(id: "1", trip: trip, timestamp: timestamp))
            let cachedTimestamp = cache.replace([bus], of: ArrivalsQueryID("1A"), received: Self.now)
            guard case .tripUpdate(let update)? = cachedTimestamp.first else { return nil }
            return update.timestamp
        }
        #expect(cachedTimestamp(Self.now.advanced(by: -40)) == Self.now.advanced(by: -40))
        // A response without a timestamp, or with one from a fast clock, gets the time of receipt.
        #expect(cachedTimestamp(nil) == Self.now)
        #expect(cachedTimestamp(Self.now.advanced(by: 3600)) == Self.now)
    }

    @Test func capacityIsLimited() {
        var cache = ArrivalsCache(capacity: 2)
        for number in 0..<2 {
            _ = cache.replace(
                [Self.bus("1")], of: ArrivalsQueryID("\(number)"), received: Self.now.advanced(by: -number))
        }
        let changes = cache.replace([Self.bus("1")], of: ArrivalsQueryID("2"), received: Self.now)
        #expect(Self.names(changes) == ["-1#1", "2#1"])
        #expect(cache.count == 2)
    }
}
