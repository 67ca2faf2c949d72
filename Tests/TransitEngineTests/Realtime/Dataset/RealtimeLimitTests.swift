import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Tests the limits for messages that are larger than those of any publisher.
struct RealtimeLimitTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20"])
    }

    private static let route = InformedEntity(routeID: "r0")

    @Test func alertsBeyondLimitAreCountedAndNoticed() throws {
        let alerts = (0..<20_050).map { number in
            RealtimeEntity.alert(Alert(id: EntityID("a\(number)"), informed: [Self.route]))
        }
        let dataset = try scene.dataset(alerts)
        #expect(dataset.alerts.alerts.count == 20_000)
        #expect(dataset.alerts.alerts.last?.id == "a19999")
        #expect(dataset.statistics.leftOut == 50)
        #expect(dataset.notes == [.tooLarge(leftOut: 50)])
    }

    @Test func vehiclesBeyondLimitAreCountedAndNoticed() throws {
        let position = VehiclePosition(id: "v", coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
        let dataset = try scene.dataset(Array(repeating: .vehicle(position), count: 200_010))
        #expect(dataset.vehicles.count <= 200_000)
        #expect(dataset.statistics.leftOut == 200_010 - dataset.vehicles.count)
        #expect(dataset.notes == [.tooLarge(leftOut: dataset.statistics.leftOut)])
        #expect(dataset.vehicles.count * MemoryLayout<RealtimeVehicle>.stride <= RealtimeLimits.memory)
        #expect(dataset.vehicles.count > 60_000)
    }

    @Test func unmatchedTripUpdatesAreLimited() throws {
        let matcher = TripMatcher(scene.table)
        let updates = (0..<200_005).map { RealtimeEntity.update($0 + 10, [.late(1, 60)]) }
        let dataset = try scene.dataset(updates, matcher: matcher)
        #expect(dataset.statistics.tripUpdates == 200_000)
        #expect(dataset.statistics.leftOut == 5)
        #expect(matcher.tripCount <= TripMatcher.maximumCachedNames + 1)
    }

    /// A few bytes of a message may refer to many calls of the timetable.
    @Test func validationOfManyAddedTripsCachesFewNames() throws {
        let matcher = TripMatcher(scene.table, cacheLimit: RealtimeValidator.cachedNames)
        let now = Instant(secondsSince1970: 1_774_593_000)
        var validator = RealtimeValidator(
            header: RealtimeHeader(version: "2.0", timestamp: now), now: now, matcher: matcher)
        for number in 0..<20_000 {
            let trip = TripDescriptor(tripID: TripID("added \(number)"), relationship: .added)
            try validator.check(.tripUpdate(TripUpdate(id: EntityID("\(number)"), trip: trip, timestamp: now)))
        }
        #expect(validator.findings.sorted.contains { $0.rule == .vehicleMissing && $0.finding.count == 20_000 })
        #expect(matcher.tripCount <= RealtimeValidator.cachedNames + 1)
    }

    @Test func updatesBeyondMemoryLimitAreLeftOut() throws {
        var scene = scene
        scene.timetable.add((0..<5_000).map { (4, $0 * 10) }, starts: ["06:20"])
        let dataset = try scene.dataset(Array(repeating: .update(1, [.late(1, 60)]), count: 2_000))
        #expect(dataset.statistics.leftOut > 0)
        #expect(
            dataset.statistics.tripUpdates * 5_000 * MemoryLayout<RealtimeCall>.stride <= RealtimeLimits.memory
                + 100_000)
        #expect(dataset.statistics.tripUpdates > 500)
    }

    @Test func differentialMessagesStayWithinLimits() throws {
        func alerts(_ range: Range<Int>) -> [RealtimeEntity] {
            range.map { .alert(Alert(id: EntityID("a\($0)"), informed: [Self.route])) }
        }
        let whole = try scene.dataset(alerts(0..<15_000))
        let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
        let changed = try scene.dataset(alerts(15_000..<25_000), header: header, previous: whole)
        #expect(changed.alerts.alerts.count == 20_000)
        #expect(changed.alerts.alerts.first?.id == "a15000")
        #expect(changed.statistics.leftOut == 5_000)
    }

    @Test func differentialMessagesStayWithinMemoryLimit() throws {
        let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
        let selectors = Array(repeating: Self.route, count: 1_000)
        var dataset = try scene.dataset([])
        for round in 0..<4 {
            let alerts = (0..<200).map { number in
                RealtimeEntity.alert(Alert(id: EntityID("a\(round)-\(number)"), informed: selectors))
            }
            dataset = try scene.dataset(alerts, header: header, previous: dataset)
        }
        #expect(dataset.alerts.alerts.reduce(0) { $0 + $1.memory } <= RealtimeLimits.memory)
        #expect(dataset.alerts.alerts.first?.id == "a3-0")
        #expect(dataset.statistics.leftOut > 0)
        #expect(dataset.notes == [.tooLarge(leftOut: dataset.statistics.leftOut)])
    }

    @Test func longTextsOfTripUpdatesAreLimited() throws {
        let headsign = String(repeating: "x", count: 1 << 20)
        let updates = (0..<60).map { number in
            RealtimeEntity.tripUpdate(
                TripUpdate(
                    id: EntityID("n\(number)"), trip: TripDescriptor(tripID: "new", relationship: .added),
                    updates: [StopTimeUpdate(stopID: "s1", departure: StopTimeEvent(time: scene.now))],
                    properties: TripProperties(headsign: headsign)))
        }
        let dataset = try scene.dataset(updates)
        #expect(dataset.statistics.leftOut > 0)
        #expect(dataset.extraTrips.count << 20 <= RealtimeLimits.memory + 1 << 20)
    }

    // MARK: Alerts of a departure

    @Test func departureShowsTwentyMostSevereAlerts() {
        let severities: [AlertSeverity] = [.info, .warning, .severe, .unknown]
        let alerts = AlertIndex(
            (0..<20_000).map { number in
                Alert(
                    id: EntityID("a\(number)"), informed: [Self.route, InformedEntity(stopID: "s1")],
                    severity: number == 19_999 ? .severe : severities[number % 2])
            })
        let subject = AlertIndex.Subject(route: "r0", stops: ["s1"])
        let shown = alerts.active(for: subject, at: scene.now)
        #expect(shown.count == 20)
        #expect(shown.first?.id == "a19999")
        #expect(shown.dropFirst().map(\.id) == (0..<19).map { EntityID("a\($0 * 2 + 1)") })
        #expect(alerts.naming(stops: ["s1"]).map(\.id) == shown.map(\.id))
    }

    /// Comparing every period for every selector would take hours.
    @Test(.timeLimit(.minutes(1))) func periodsOfAlertAreReadOnce() {
        let past = Alert.ActivePeriod(end: Instant(secondsSince1970: 1))
        let alerts = AlertIndex([
            Alert(
                id: "past", activePeriods: Array(repeating: past, count: 200_000),
                informed: Array(repeating: Self.route, count: 200_000)),
            Alert(id: "now", informed: [Self.route]),
        ])
        #expect(alerts.active(for: AlertIndex.Subject(route: "r0"), at: scene.now).map(\.id) == ["now"])
    }

    /// The index finds the same alerts as a scan of all alerts.
    @Test(arguments: 0..<20 as Range<UInt64>) func indexFindsSameAlertsAsFullScan(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func some<Value>(_ values: [Value]) -> Value? {
            Bool.random(using: &random) ? values.randomElement(using: &random) : nil
        }
        func selector() -> InformedEntity {
            InformedEntity(
                agencyID: some(["x", "y"]), routeID: some(["r0", "r1"]), routeType: some([2, 3]),
                direction: some([.zero, .one]),
                trip: Bool.random(using: &random)
                    ? nil : TripDescriptor(tripID: some(["t0", "t1"]), routeID: some(["r0", "r1"])),
                stopID: some(["s0", "s1"]))
        }
        let list = (0..<60).map { number in
            Alert(
                id: EntityID("a\(number)"),
                informed: (0..<Int.random(in: 0...4, using: &random)).map { _ in selector() },
                severity: AlertSeverity.allCases.randomElement(using: &random) ?? .unknown)
        }
        let alerts = AlertIndex(list)
        for _ in 0..<50 {
            let subject = AlertIndex.Subject(
                agency: some(["x", "y"]), route: some(["r0", "r1"]), routeType: some([2, 3]),
                direction: some([.zero, .one]), trip: some(["t0", "t1"]), stops: some([["s0"], ["s0", "s1"]]) ?? [])
            let plain = list.enumerated()
                .filter { $0.element.informed.contains { $0.matches(subject) } }
                .sorted { ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset) }
                .prefix(20).map(\.element.id)
            #expect(alerts.active(for: subject, at: scene.now).map(\.id) == plain, "seed \(seed)")
        }
    }
}
