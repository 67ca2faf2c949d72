import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// One message for each rule. The message violates that rule and few others.
struct RealtimeValidatorTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20"])
        scene.timetable.add([(1, 0), (2, 600), (1, 1200)], starts: ["06:20"], route: 1)
        let rows = [true, false].map {
            [Frequency(trip: 0, start: seconds("6:00"), end: seconds("8:00"), headway: 1200, isExact: $0)]
        }
        scene.timetable.add([(4, 0), (5, 600)], starts: ["00:00"], frequencies: rows[0])
        scene.timetable.add([(4, 0), (5, 600)], starts: ["00:00"], frequencies: rows[1])
    }

    func rules(_ entities: RealtimeEntity..., header: RealtimeHeader? = nil, previous: Int? = nil) throws -> [String] {
        var validator = RealtimeValidator(
            header: header ?? RealtimeHeader(version: "2.0", timestamp: scene.now),
            previous: previous.map { scene.now.advanced(by: $0) }, now: scene.now, matcher: TripMatcher(scene.table))
        for entity in entities { try validator.check(entity) }
        return validator.findings.sorted.map(\.rule.rawValue)
    }

    /// An update that is valid except for the given change.
    func update(_ trip: String? = "t0", _ change: (inout TripUpdate) -> Void = { _ in }) -> RealtimeEntity {
        var update = TripUpdate(
            id: "e", trip: TripDescriptor(tripID: trip.map { TripID($0) }), vehicle: VehicleDescriptor(id: "v"),
            updates: [.at(0, "2026-06-10T06:21:00+02:00"), .at(1, "2026-06-10T06:32:00+02:00")], timestamp: scene.now)
        change(&update)
        return .tripUpdate(update)
    }

    @Test("A valid message has no findings")
    func validMessageHasNoFindings() throws {
        #expect(try rules(update()) == [])
        let alert = Alert(id: "a", informed: [InformedEntity(routeID: "r0")])
        #expect(try rules(.alert(alert)) == [])
    }

    @Test("The rules for headers are checked")
    func headerRulesAreChecked() throws {
        #expect(try rules(header: RealtimeHeader(version: "3.5", timestamp: scene.now)) == ["E038"])
        #expect(try rules(header: RealtimeHeader(version: "2.0")) == ["E048"])
        #expect(try rules(header: RealtimeHeader(version: "1.0")) == ["W001"])
        #expect(try rules(previous: 5) == ["E018"])
        #expect(
            try rules(header: RealtimeHeader(version: "2.0", timestamp: scene.now.advanced(by: 70))) == ["E050"])
        #expect(
            try rules(header: RealtimeHeader(version: "2.0", timestamp: scene.now.advanced(by: -70))) == ["W008"])
    }

    @Test("The rules for trips are checked")
    func tripRulesAreChecked() throws {
        #expect(try rules(update("t99")) == ["E003"])
        #expect(try rules(update { $0.trip.routeID = "r9" }) == ["E004"])
        #expect(try rules(update { $0.trip.routeID = "r1" }) == ["E035"])
        #expect(try rules(update { $0.trip.startTime = ServiceTime(seconds: 1) }) == ["E023"])
        #expect(try rules(update { $0.trip.relationship = .added }) == ["E016"])
        #expect(try rules(update(nil)) == ["W006"])
        #expect(try rules(update { $0.vehicle = nil }) == ["W002"])
        #expect(try rules(update { $0.timestamp = nil }) == ["W001"])
        #expect(try rules(update { $0.timestamp = $0.timestamp?.advanced(by: 30) }) == ["E012"])
        #expect(try rules(update("t2") { $0.trip.startTime = ServiceTime(seconds: 22_000) }) == ["E019"])
        #expect(try rules(update("t3")) == ["E006"])
    }

    @Test("The rules for calls are checked")
    func callRulesAreChecked() throws {
        #expect(try rules(update { $0.updates.reverse() }) == ["E002", "E022"])
        #expect(try rules(update { $0.updates = [] }) == ["E041"])
        #expect(try rules(update { $0.updates = [.at(9, "2026-06-10T06:21:00+02:00")] }) == ["E051"])
        #expect(try rules(update { $0.updates[0].stopID = "s3" }) == ["E045"])
        #expect(try rules(update { $0.updates[0].stopID = "nowhere" }) == ["E011", "E045"])
        #expect(try rules(update { $0.updates = [.said(0, .scheduled)] }) == ["E043"])
        #expect(try rules(update { $0.updates = [.said(0, .skipped), .said(1, .noData)] }) == [])
        #expect(try rules(update { $0.updates[0].relationship = .noData }) == ["E042"])
        #expect(try rules(update { $0.updates[0].departure = StopTimeEvent() }) == ["E044"])
        #expect(try rules(update { $0.updates[0].sequence = nil }) == ["E040"])
        #expect(try rules(update { $0.updates[1].sequence = 0 }) == ["E036"])
        #expect(
            try rules(update { $0.updates[0].arrival = StopTimeEvent(time: instant("2026-06-10T06:22:00+02:00")) })
                == ["E025"])
        #expect(try rules(update("t1") { $0.updates = [.at(stop: "s1", "2026-06-10T06:21:00+02:00")] }) == ["E009"])
    }

    @Test("The rules for vehicles and alerts are checked")
    func vehicleAndAlertRulesAreChecked() throws {
        let vehicle = VehiclePosition(
            id: "p", vehicle: VehicleDescriptor(id: "v"), speed: 80, stopID: "nowhere", timestamp: scene.now)
        #expect(try rules(.vehicle(vehicle), .vehicle(vehicle)) == ["E011", "E052", "W004"])
        #expect(try rules(.alert(Alert(id: "a"))) == ["E032"])
        #expect(try rules(.alert(Alert(id: "a", informed: [InformedEntity()]))) == ["E033"])
        let mixed = InformedEntity(routeID: "r1", trip: TripDescriptor(tripID: "t0", routeID: "r0"))
        #expect(try rules(.alert(Alert(id: "a", informed: [mixed]))) == ["E030", "E031"])
    }

    @Test("All findings are counted, and the first few entities are listed")
    func findingsAreCountedAndExamplesLimited() throws {
        var validator = RealtimeValidator(
            header: RealtimeHeader(version: "2.0", timestamp: scene.now), now: scene.now,
            matcher: TripMatcher(scene.table))
        for _ in 0..<8 { try validator.check(update("t99")) }
        let finding = try #require(validator.findings.findings[.unknownTrip])
        #expect(finding.count == 8 && finding.examples.count == 5)
    }
}
