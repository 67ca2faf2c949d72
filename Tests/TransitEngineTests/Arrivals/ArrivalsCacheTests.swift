import Testing
import TransitModel

@testable import TransitEngine

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

    @Test func anAnswerTakesThePlaceOfTheOneBefore() {
        var shelf = ArrivalsCache()
        let first = shelf.take([Self.bus("1"), Self.bus("2")], of: ArrivalsQueryID("1A"), received: Self.now)
        #expect(Self.names(first) == ["1A#1", "1A#2"])
        #expect(Self.names(shelf.take([Self.bus("1")], of: ArrivalsQueryID("2"), received: Self.now)) == ["2#1"])
        let second = shelf.take([Self.bus("2"), Self.bus("3")], of: ArrivalsQueryID("1A"), received: Self.now)
        #expect(Self.names(second) == ["-1A#1", "1A#2", "1A#3"])
        #expect(Self.names(shelf.entities) == ["1A#2", "1A#3", "2#1"])
        // An answer without departures is one, too.
        #expect(Self.names(shelf.take([], of: ArrivalsQueryID("1A"), received: Self.now)) == ["-1A#2", "-1A#3"])
        #expect(shelf.count == 2)
    }

    @Test func whatIsOldIsLetGo() {
        var shelf = ArrivalsCache()
        _ = shelf.take([Self.bus("1")], of: ArrivalsQueryID("1A"), received: Self.now)
        _ = shelf.take([Self.bus("1")], of: ArrivalsQueryID("2"), received: Self.now.advanced(by: 100))
        #expect(Self.names(shelf.drop(before: Self.now.advanced(by: 50))) == ["-1A#1"])
        #expect(shelf.drop(before: Self.now.advanced(by: 50)).isEmpty)
        #expect(Self.names(shelf.entities) == ["2#1"])
    }

    @Test func eachAnswerIsAtLeastAsOldAsItself() {
        var shelf = ArrivalsCache()
        func told(_ timestamp: Instant?) -> Instant? {
            let trip = TripDescriptor(tripID: "a", relationship: .added)
            let bus = RealtimeEntity.tripUpdate(TripUpdate(id: "1", trip: trip, timestamp: timestamp))
            let told = shelf.take([bus], of: ArrivalsQueryID("1A"), received: Self.now)
            guard case .tripUpdate(let update)? = told.first else { return nil }
            return update.timestamp
        }
        #expect(told(Self.now.advanced(by: -40)) == Self.now.advanced(by: -40))
        // Without a time of its own, or with one of a fast clock, the newest answer of all would tell its age.
        #expect(told(nil) == Self.now)
        #expect(told(Self.now.advanced(by: 3600)) == Self.now)
    }

    @Test func itIsBounded() {
        var shelf = ArrivalsCache(capacity: 2)
        for number in 0..<2 {
            _ = shelf.take(
                [Self.bus("1")], of: ArrivalsQueryID("\(number)"), received: Self.now.advanced(by: -number))
        }
        let changes = shelf.take([Self.bus("1")], of: ArrivalsQueryID("2"), received: Self.now)
        #expect(Self.names(changes) == ["-1#1", "2#1"])
        #expect(shelf.count == 2)
    }
}
