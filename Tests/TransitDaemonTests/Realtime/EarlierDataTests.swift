import Testing
import TransitEngine
import TransitModel
import TransitStore

@testable import TransitDaemon
@testable import TransitFeeds

/// The formats in which data is cached that is not part of a source's last response.
struct EarlierDataTests {
    private static let time = Instant(secondsSince1970: 1_780_000_000)

    private static func update(_ id: String, _ trip: String, delay: Int32 = 0) -> RealtimeEntity {
        .tripUpdate(
            TripUpdate(
                id: EntityID(id), trip: TripDescriptor(tripID: TripID(trip)),
                updates: [StopTimeUpdate(sequence: 1, departure: StopTimeEvent(delay: delay))]))
    }

    private func message(_ entities: [RealtimeEntity]) -> DecodedMessage {
        DecodedMessage(header: RealtimeHeader(version: "2.0", timestamp: Self.time), entities: entities)
    }

    private func entities(_ message: AccumulatedMessage) throws -> [RealtimeEntity] {
        var entities: [RealtimeEntity] = []
        let reader = try RealtimeReader(message.bytes)
        #expect(reader.header.incrementality == .differential)
        #expect(reader.header.timestamp == Self.time)
        _ = reader.read { entities.append($0) }
        return entities
    }

    @Test func accumulatedMessageHasTheLastEntityOfEachIdentifier() throws {
        let position = RealtimeEntity.vehicle(VehiclePosition(id: "b", trip: TripDescriptor(tripID: "t2")))
        var sum = AccumulatedMessage()
        try sum.apply(message([Self.update("a", "t1"), Self.update("b", "t2"), position, Self.update("c", "t3")]))
        #expect(try entities(sum).count == 4)
        try sum.apply(message([.deleted("c"), Self.update("a", "t1", delay: 60), Self.update("d", "t4")]))
        #expect(
            try entities(sum) == [
                Self.update("a", "t1", delay: 60), Self.update("b", "t2"), position, Self.update("d", "t4"),
            ])
        // A new entity replaces both earlier ones with its identifier.
        try sum.apply(message([Self.update("b", "t2", delay: 30)]))
        #expect(try entities(sum).map(\.id) == ["a", "b", "d"])
        let size = sum.size
        try sum.apply(message([.deleted("d"), .deleted("unknown")]))
        #expect(try entities(sum).map(\.id) == ["a", "b"])
        #expect(sum.size < size)
    }

    @Test func entitiesThatHaveNotChangedForLongestAreRemovedFirst() throws {
        var sum = AccumulatedMessage(maximumCount: 8)
        try sum.apply(message((0..<8).map { Self.update("\($0)", "t\($0)") }))
        try sum.apply(message([Self.update("0", "t0", delay: 60)]))
        try sum.apply(message([Self.update("8", "t8")]))
        #expect(try entities(sum).map(\.id) == ["0", "4", "5", "6", "7", "8"])
    }

    @Test func entitiesOfTripsThatAreOverAreRemovedFirst() throws {
        var sum = AccumulatedMessage(maximumCount: 8)
        // Cancellations for the evening, sent in the morning, and trips that are over since.
        try sum.apply(message((0..<4).map { Self.update("\($0)", "t\($0)") }), received: Self.time)
        try sum.apply(message((4..<8).map { Self.update("\($0)", "t\($0)") }), received: Self.time.advanced(by: 60))
        try sum.apply(message([Self.update("8", "t8")]), received: Self.time.advanced(by: 120)) {
            ["5", "6", "unknown"]
        }
        #expect(try entities(sum).map(\.id) == ["0", "1", "2", "3", "4", "7", "8"])
        #expect(sum.removedSince == nil)
        let size = sum.size
        // If none is over, what is removed counts as lost.
        try sum.apply(message((10..<12).map { Self.update("\($0)", "t\($0)") }), received: Self.time.advanced(by: 180))
        #expect(try entities(sum).count == 6 && sum.size < size)
        #expect(sum.removedSince == Self.time)
    }

    @Test func clockStepIsTheDifferenceOfBothClocks() {
        func reading(_ wall: Int, _ boot: Int64) -> ClockReading {
            ClockReading(wall: Self.time.advanced(by: wall), boot: BootTime(milliseconds: boot))
        }
        var data = EarlierData()
        data.retained.groups = [
            RetainedTripsFile.Group(
                retention: TripRetention(reported: Self.time, missingSince: Self.time), entities: [],
                response: CachedRealtimeResponse(body: [], fetched: Self.time))
        ]
        var steps: [Int] = []
        // Whole seconds of the wall clock differ by up to one from the boot clock.
        for (wall, boot) in [(0, Int64(500_000)), (60, 560_900), (3720, 620_000), (180, 680_400), (240, 740_000)] {
            steps.append(data.step(to: reading(wall, boot), received: Self.time.advanced(by: wall)))
        }
        #expect(steps == [0, 0, 3600, -3600, 0])
        #expect(data.retained.groups.map(\.retention.missingSince) == [Self.time])
        // A clock that is slowly adjusted.
        var slow = EarlierData()
        #expect(
            (0..<8).map { slow.step(to: reading($0 * 101, Int64($0) * 100_500), received: Self.time) }.reduce(0, +) == 2
        )
    }

    @Test func memoryOfEarlierDataIsCounted() throws {
        var data = EarlierData()
        #expect(data.memory == 0)
        var sum = AccumulatedMessage()
        try sum.apply(message((0..<100).map { Self.update("\($0)", "t\($0)") }))
        data.accumulated = sum
        #expect(data.memory > sum.size && sum.size > 100)
        data.accumulated = nil
        data.retained.groups = [
            RetainedTripsFile.Group(
                retention: TripRetention(reported: Self.time, missingSince: Self.time), entities: ["a"],
                response: CachedRealtimeResponse(body: [UInt8](repeating: 0, count: 500), fetched: Self.time))
        ]
        #expect(data.memory > 500)
    }

    @Test func retainedTripsAreReadAsWritten() throws {
        var file = RetainedTripsFile()
        #expect(file.isEmpty)
        file.withdrawal = ConfirmedWithdrawal(
            since: Self.time, confirmed: Self.time.advanced(by: 300), trips: 9, cancellations: 2,
            end: Self.time.advanced(by: 4000))
        file.lostSince = Self.time.advanced(by: -5)
        file.groups = [
            RetainedTripsFile.Group(
                retention: TripRetention(reported: Self.time, missingSince: Self.time.advanced(by: 60), messages: 2),
                entities: ["a", "line\nbreak"],
                response: CachedRealtimeResponse(body: [1, 2, 3], fetched: Self.time.advanced(by: 1))),
            RetainedTripsFile.Group(
                retention: TripRetention(reported: Self.time, missingSince: Self.time), entities: [],
                response: CachedRealtimeResponse(body: [], fetched: Self.time)),
        ]
        let read = try #require(RetainedTripsFile(file.bytes))
        #expect(read.withdrawal == file.withdrawal && read.lostSince == file.lostSince)
        #expect(read.groups.map(\.retention) == file.groups.map(\.retention))
        #expect(read.groups.map(\.entities) == file.groups.map(\.entities))
        #expect(read.groups.map(\.response) == file.groups.map(\.response))
        // A file that is cut or has other bytes is not read, and nothing crashes.
        for length in 0..<file.bytes.count where length != 64 {
            let cut = RetainedTripsFile(Array(file.bytes.prefix(length)))
            #expect((cut?.groups.count ?? 0) < 2)
        }
        for position in file.bytes.indices {
            var bytes = file.bytes
            bytes[position] = 0xFF
            _ = RetainedTripsFile(bytes)
        }
    }
}
