import Testing
import TransitFeeds
import TransitModel

struct RealtimeProtobufTests {
    /// Returns the bytes of a message from numbers (single bytes) and strings.
    private func wire(_ parts: Any...) -> [UInt8] {
        parts.flatMap { part -> [UInt8] in
            switch part {
            case let number as Int: [UInt8(number)]
            case let text as String: Array(text.utf8)
            case let bytes as [UInt8]: bytes
            default: []
            }
        }
    }

    /// Returns a message with a header and an entity "e", whose `id` is followed by the given fields.
    private func message(_ fields: [UInt8]) -> [UInt8] {
        wire(0x0A, 5, 0x0A, 3, "2.0", 0x12, 3 + fields.count, 0x0A, 1, "e", fields)
    }

    /// Reads a trip update whose trip "t" is followed by the given fields.
    private func update(_ fields: [UInt8]) throws -> RealtimeReading {
        try RealtimeReading(message(wire(0x1A, 5 + fields.count, 0x0A, 3, 0x0A, 1, "t", fields)))
    }

    @Test func writtenMessageIsReadBack() throws {
        let reading = try RealtimeReading(FullMessage.bytes)
        #expect(reading.header == FullMessage.header)
        #expect(reading.entities == FullMessage.entities)
        #expect(reading.problems.isEmpty)
    }

    @Test func handwrittenBytesAreRead() throws {
        // The arrival at stop "A" (stop_sequence 7) has delay 60 and time 1,781,700,000.
        let call = wire(0x08, 7, 0x12, 8, 0x08, 60, 0x10, 0xA0, 0xDB, 0xCA, 0xD1, 0x06, 0x22, 1, "A")
        let reading = try update(wire(0x12, call.count, call))
        let expected = StopTimeUpdate(
            sequence: 7, stopID: "A",
            arrival: StopTimeEvent(time: Instant(secondsSince1970: 1_781_706_144), delay: 60))
        #expect(reading.updates == [TripUpdate(id: "e", trip: TripDescriptor(tripID: "t"), updates: [expected])])
    }

    @Test func headerCanBeAnywhere() throws {
        let entities = wire(0x12, 6, 0x0A, 1, "e", 0x10, 1, 0x00).dropLast()
        let bytes = wire(0x12, 5, Array(entities.dropFirst(2)), 0x0A, 5, 0x0A, 3, "2.0", 0x0A, 2, 0x10, 1)
        let reader = try RealtimeReader(bytes)
        // The second part of the header is merged with the first.
        #expect(reader.header == RealtimeHeader(version: "2.0", incrementality: .differential))
        #expect(try RealtimeReading(bytes).entities == [.deleted("e")])
    }

    @Test func tripIDsAreKnownBeforeReading() throws {
        let reader = try RealtimeReader(FullMessage.bytes)
        let named = FullMessage.entities.compactMap { entity in
            switch entity {
            case .tripUpdate(let update): update.trip.tripID
            case .vehicle(let position): position.trip?.tripID
            case .alert, .deleted: nil
            }
        }
        #expect(reader.entityCount == FullMessage.entities.count && !named.isEmpty)
        #expect(reader.tripIDs(limit: 100) == named)
        #expect(reader.tripIDs(limit: 1) == Array(named.prefix(1)) && reader.tripIDs(limit: 0).isEmpty)
        // An update that is truncated within its trip has no trip identifier and does not affect other entities.
        let damaged = wire(0x1A, 4, 0x0A, 9, 0x0A, 1)
        let bytes = message(damaged) + wire(0x12, 10, 0x0A, 1, "f", 0x1A, 5, 0x0A, 3, 0x0A, 1, "t")
        #expect(try RealtimeReader(bytes).tripIDs(limit: 100) == ["t"])
        let json = try RealtimeReader(Array(#"{"header":{},"entity":[{"id":"e"}]}"#.utf8))
        #expect(json.entityCount == 0 && json.tripIDs(limit: 100).isEmpty)
    }

    @Test func missingHeaderIsReported() throws {
        let reading = try RealtimeReading(wire(0x12, 5, 0x0A, 1, "e", 0x10, 1))
        #expect(reading.header == RealtimeHeader())
        #expect(reading.problems.count(.missingHeader) == 1)
    }

    @Test func unknownFieldsAreSkipped() throws {
        // Extension 1001, a nested group, and 64-bit and 32-bit fields.
        let unknown = wire(
            0xCA, 0x3E, 2, 0x0A, 0x00, 0xA3, 0x06, 0xAB, 0x06, 0x08, 1, 0xAC, 0x06, 0xA4, 0x06, 0xA1, 0x06, 1, 2, 3, 4,
            5, 6, 7, 8, 0xA5, 0x06, 1, 2, 3, 4)
        let reading = try update(unknown)
        #expect(reading.updates.map(\.trip.tripID) == ["t"])
        #expect(reading.problems.isEmpty)
    }

    @Test func lastOfRepeatedFieldsWinsAndPartsAreMerged() throws {
        // The trip has two parts, the delay occurs twice, and the arrival of a call has two parts.
        let call = wire(0x12, 2, 0x08, 1, 0x12, 2, 0x18, 9, 0x12, 2, 0x08, 2)
        let reading = try update(wire(0x0A, 3, 0x2A, 1, "r", 0x28, 1, 0x28, 2, 0x12, call.count, call))
        let update = try #require(reading.updates.first)
        #expect(update.trip == TripDescriptor(tripID: "t", routeID: "r"))
        #expect(update.delay == 2)
        #expect(update.updates == [StopTimeUpdate(arrival: StopTimeEvent(delay: 2, uncertainty: 9))])
    }

    @Test func tripUpdateInTwoPartsIsMerged() throws {
        let first = wire(0x1A, 9, 0x0A, 3, 0x0A, 1, "t", 0x12, 2, 0x08, 1)
        let second = wire(0x1A, 4, 0x12, 2, 0x08, 2)
        let reading = try RealtimeReading(message(first + second))
        #expect(reading.updates.map { $0.updates.map(\.sequence) } == [[1, 2]])
    }

    @Test func entityDoesNotContainPreviousOne() throws {
        var bare = TripUpdate(id: "bare", trip: TripDescriptor(tripID: "x"))
        bare.updates = [StopTimeUpdate(sequence: 1)]
        let entities: [RealtimeEntity] = [
            .tripUpdate(FullMessage.tripUpdate), .tripUpdate(bare), .alert(.init(id: "a")),
        ]
        #expect(try RealtimeReading(RealtimeWriter.bytes(.init(version: "2.0"), entities)).entities == entities)
    }

    @Test func problemsAreCounted() throws {
        let call = wire(
            0x28, 9,  // schedule_relationship 9
            0x12, 2, 0x10, 0,  // arrival.time 0
            0x22, 2, 0xFF, "A",  // stop_id
            0x0D, 1, 2, 3, 4)  // stop_sequence as 32 bits
        let trip = wire(0x30, 7, 0x12, 4, "9:99", 0x1A, 8, "20269999", 0x3A, 0)
        let reading = try update(wire(0x0A, trip.count, trip, 0x12, call.count, call))
        let update = try #require(reading.updates.first)
        #expect(update.trip == TripDescriptor(tripID: "t"))
        #expect(update.updates == [StopTimeUpdate(stopID: "\u{FFFD}A", arrival: StopTimeEvent())])
        let rules: [RealtimeProblems.Rule] = [
            .invalidDirection, .invalidTime, .invalidDate, .unsupportedField, .unknownEnumValue, .invalidTimestamp,
            .invalidText, .unexpectedType,
        ]
        #expect(reading.problems.findings.map(\.rule) == rules)
        #expect(reading.problems.findings.allSatisfy { $0.count == 1 && $0.example.entity == "e" })
        #expect(reading.problems.findings[1].example.field == "TripDescriptor.start_time")
        #expect(reading.problems.findings[1].example.value == "9:99")
        #expect(reading.problems.findings[4].example.value == "9")
    }

    @Test func onlyDamagedEntityIsSkipped() throws {
        let good = wire(0x12, 5, 0x0A, 1, "e", 0x10, 1)
        let damaged = wire(0x12, 6, 0x0A, 1, "d", 0x1A, 9, 0)
        let reading = try RealtimeReading(wire(0x0A, 0, good, damaged, good))
        #expect(reading.entities == [.deleted("e"), .deleted("e")])
        #expect(reading.problems.findings.map(\.rule) == [.malformedEntity])
        #expect(reading.problems.findings.first?.example.entity == "d")
        #expect(reading.problems.findings.first?.example.offset == 16)
    }

    @Test func unusableEntitiesAreCounted() throws {
        let shape = wire(0x12, 5, 0x0A, 1, "s", 0x32, 0)
        let empty = wire(0x12, 3, 0x0A, 1, "n")
        let nameless = wire(0x12, 2, 0x10, 1)
        let tripless = wire(0x12, 5, 0x0A, 1, "u", 0x1A, 0)
        let reading = try RealtimeReading(wire(0x0A, 0, shape, empty, nameless, tripless))
        #expect(reading.entities == [.deleted("")])
        #expect(
            reading.problems.findings.map(\.rule)
                == [.unsupportedEntity, .emptyEntity, .missingEntityID, .missingTrip])
        #expect(reading.problems.findings.map(\.example.entity) == ["s", "n", nil, "u"])
    }

    @Test func invalidPositionsAndSpeedsAreRejected() throws {
        func float(_ value: Float) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
        let position = wire(0x0D, float(91), 0x15, float(0), 0x1D, float(-1), 0x2D, float(.nan))
        let reading = try RealtimeReading(message(wire(0x22, position.count + 2, 0x12, position.count, position)))
        #expect(reading.vehicles == [VehiclePosition(id: "e")])
        #expect(reading.problems.count(.invalidCoordinate) == 1)
        #expect(reading.problems.count(.invalidBearing) == 1)
        #expect(reading.problems.count(.invalidSpeed) == 1)
    }

    @Test func allEnumerationValuesAreRead() throws {
        var entities: [RealtimeEntity] = []
        for value in TripScheduleRelationship.allCases {
            entities.append(.tripUpdate(TripUpdate(id: "t", trip: TripDescriptor(relationship: value))))
        }
        for value in StopScheduleRelationship.allCases {
            entities.append(
                .tripUpdate(TripUpdate(id: "s", trip: TripDescriptor(), updates: [.init(relationship: value)])))
        }
        for value in Occupancy.allCases { entities.append(.vehicle(VehiclePosition(id: "o", occupancy: value))) }
        for value in VehicleStopStatus.allCases { entities.append(.vehicle(VehiclePosition(id: "v", status: value))) }
        for value in [nil, Accessibility.unknown, .possible, .notPossible] {
            let vehicle = VehicleDescriptor(wheelchair: value)
            entities.append(.vehicle(VehiclePosition(id: "w", vehicle: vehicle)))
        }
        for value in AlertCause.allCases { entities.append(.alert(Alert(id: "c", cause: value))) }
        for value in AlertEffect.allCases { entities.append(.alert(Alert(id: "e", effect: value))) }
        for value in AlertSeverity.allCases { entities.append(.alert(Alert(id: "l", severity: value))) }
        let reading = try RealtimeReading(RealtimeWriter.bytes(RealtimeHeader(version: "2.0"), entities))
        #expect(reading.entities == entities)
        #expect(reading.problems.isEmpty)
    }
}
