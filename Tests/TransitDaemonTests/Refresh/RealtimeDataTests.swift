import Foundation
import Logging
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitFetch
import TransitModel
import TransitQueries
import TransitServer
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of the path of realtime data from a source's bytes to replies, for one feed whose sources the test writes.
@Suite("Realtime data in replies", .ownThreads)
struct RealtimeDataTests {
    private let daemon: TestDaemon

    init() async throws {
        daemon = try TestDaemon(feeds: ["city": .small], at: "2026-03-27T06:30:00Z") { configuration in
            for kind in DatasetKind.realtime {
                configuration.feeds[0].realtime[kind] = .file(path: "")
            }
        }
        for kind in DatasetKind.realtime {
            #expect(FileManager.default.createFile(atPath: daemon.folder("\(kind.rawValue).pb"), contents: Data()))
        }
        #expect(try await daemon.update("city").outcome == .updated)
    }

    private func tell(
        _ kind: DatasetKind, _ entities: [RealtimeEntity], at time: Instant? = nil, feed: FeedID = "city",
        version: String = "2.0"
    ) -> RealtimeFeed.ReceiveResult {
        let header = RealtimeHeader(version: version, timestamp: time ?? daemon.clock.now())
        return daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(header, entities), of: DatasetID(feed, kind), received: daemon.clock.now(),
            now: daemon.clock.now())
    }

    /// Returns the first departure of a stop.
    private func first(_ stop: String = "harbor") throws -> Departure {
        try #require(try daemon.ask(DeparturesParameters(stop: stop)).departures.first)
    }

    private func update(
        _ departure: Departure, _ relationship: TripScheduleRelationship = .scheduled, delay: Int32? = nil,
        time: Instant? = nil
    ) -> RealtimeEntity {
        .tripUpdate(
            TripUpdate(
                id: "1",
                trip: TripDescriptor(
                    tripID: departure.trip, startDate: departure.serviceDate, relationship: relationship),
                updates: delay.map {
                    [StopTimeUpdate(stopID: departure.stop.id, departure: StopTimeEvent(delay: $0, uncertainty: 20))]
                } ?? [], timestamp: time ?? daemon.clock.now()))
    }

    @Test("Without realtime data, departures are scheduled")
    func departuresAreScheduledWithoutRealtimeData() throws {
        let departure = try first()
        #expect(departure.source == .scheduled)
        #expect(departure.realtimeState == .notExpected)
        #expect(departure.delay == nil)
    }

    @Test(
        "A delay is live with high confidence, then aging, then the last known prediction"
    )
    func delayAgesAndExpires() throws {
        let planned = try first()
        #expect(tell(.tripUpdates, [update(planned, delay: 240)]).isUsed)
        let late = try first()
        #expect(late.trip == planned.trip)
        #expect((late.source, late.confidence, late.realtimeState) == (.live, .high, .fresh))
        #expect((late.delay, late.age, late.uncertainty) == (240, 0, 20))
        #expect(late.expected?.instant == planned.scheduled?.instant.advanced(by: 240))
        daemon.clock.advance(by: 150)
        let aging = try first()
        #expect((aging.source, aging.confidence, aging.realtimeState) == (.live, .medium, .aging))
        #expect(aging.age == 150)
        daemon.clock.advance(by: 300)
        let lost = try daemon.ask(DeparturesParameters(stop: "harbor"))
        let last = try #require(lost.departures.first)
        #expect((last.source, last.confidence, last.realtimeState) == (.live, .low, .expired))
        #expect((last.delay, last.age) == (240, 450))
        #expect(
            lost.notices.first { $0.kind == .stale }?.message.contains("Predictions from it that are still shown")
                == true)
        // `explain` and `trip show` agree.
        let explained = try daemon.ask(ExplainParameters(departure: last.id))
        #expect(explained.departure == last)
        #expect(explained.facts.first { $0.fact == "realtime" }?.value.contains("its last prediction is used") == true)
        let trip = try daemon.ask(TripShowParameters(trip: last.id))
        #expect((trip.source, trip.confidence, trip.realtimeState, trip.age) == (.live, .low, .expired, 450))
        #expect(trip.calls.contains { $0.source == .live && $0.delay == 240 })
        // The source recovers without a restart.
        #expect(tell(.tripUpdates, [update(planned, delay: 60)]).isUsed)
        #expect(try first().delay == 60)
    }

    @Test("A call without data is scheduled, and its trip is live if another call is")
    func callWithoutDataIsScheduled() throws {
        let planned = try first()
        let calls = try daemon.ask(TripShowParameters(trip: planned.id)).calls
        let second = try #require(calls.dropFirst().first)
        let told = StopTimeUpdate(
            sequence: UInt32(second.sequence), arrival: StopTimeEvent(delay: 120), departure: StopTimeEvent(delay: 120))
        var update = TripUpdate(
            id: "1", trip: TripDescriptor(tripID: planned.trip, startDate: planned.serviceDate),
            updates: [StopTimeUpdate(stopID: planned.stop.id, relationship: .noData), told])
        update.timestamp = daemon.clock.now()
        #expect(tell(.tripUpdates, [.tripUpdate(update)]).isUsed)
        let departure = try first()
        #expect((departure.trip, departure.source, departure.realtimeState) == (planned.trip, .scheduled, .notExpected))
        let trip = try daemon.ask(TripShowParameters(trip: planned.id))
        #expect((trip.source, trip.confidence, trip.realtimeState) == (.live, .high, .fresh))
        #expect(trip.calls.prefix(2).map(\.source) == [.scheduled, .live])
    }

    @Test("A canceled trip is listed as canceled")
    func canceledTripIsListed() throws {
        let planned = try first()
        #expect(tell(.tripUpdates, [update(planned, .canceled)]).isUsed)
        let canceled = try first()
        #expect((canceled.trip, canceled.status, canceled.source) == (planned.trip, .canceled, .live))
        #expect(canceled.expected == nil)
        let facts = try daemon.ask(ExplainParameters(departure: canceled.id)).facts
        #expect(facts.first { $0.fact == "run" }?.value == "does not run (CANCELED)")
        #expect(!facts.contains { $0.fact == "delay" || $0.value.contains("does not mention") })
    }

    @Test("A canceled trip stays canceled until a newer message, even after a restart")
    func canceledTripStaysCanceledWhileSourceIsSilent() throws {
        let planned = try first()
        #expect(tell(.tripUpdates, [update(planned, .canceled)]).isUsed)
        daemon.clock.advance(by: 600)
        func expectCancelled() throws {
            let last = try #require(
                daemon.ask(DeparturesParameters(stop: "harbor")).departures.first { $0.trip == planned.trip })
            #expect((last.status, last.source, last.confidence) == (.canceled, .live, .low))
            #expect((last.realtimeState, last.age) == (.expired, 600))
            #expect(try daemon.ask(ExplainParameters(departure: last.id)).departure == last)
        }
        try expectCancelled()
        let again = try #require(restarted().registry.snapshot("city"))
        let context = QueryContext(now: daemon.clock.now(), feeds: [again.view])
        let found = try ExplainQuery(planned.id, context).result(context).own.call
        #expect(found.status == .canceled && found.isLastKnown)
        #expect(tell(.tripUpdates, []).isUsed)
        #expect(try first().status == .scheduled)
    }

    @Test("A cancellation without a date means the same trip after a restart")
    func undatedCancellationKeepsItsTripAfterRestart() async throws {
        let planned = try first()
        let cancellation = RealtimeEntity.tripUpdate(
            TripUpdate(id: "1", trip: TripDescriptor(tripID: planned.trip, relationship: .canceled)))
        #expect(tell(.tripUpdates, [cancellation]).isUsed)
        #expect(try first().status == .canceled)
        // On Monday morning, the publisher still repeats the cancellation of Friday.
        daemon.clock.advance(by: 3 * 86_400)
        #expect(tell(.tripUpdates, [cancellation]).isUsed)
        for registry in [daemon.daemon.feeds, try restarted().registry] {
            let feed = try #require(registry.snapshot("city"))
            let dates = feed.view.realtime?.tripUpdates?.trips.map(\.key.serviceDate)
            #expect(dates == [planned.serviceDate])
        }
    }

    @Test("An extra trip has no scheduled time and can be explained")
    func extraTripIsExplained() throws {
        let planned = try first()
        let time = daemon.clock.now().advanced(by: 120)
        let entity = RealtimeEntity.tripUpdate(
            TripUpdate(
                id: "x",
                trip: TripDescriptor(
                    tripID: "extra-1", routeID: planned.route.id, startDate: planned.serviceDate, relationship: .added),
                updates: [
                    StopTimeUpdate(sequence: 1, stopID: planned.stop.id, departure: StopTimeEvent(time: time)),
                    StopTimeUpdate(
                        sequence: 2, stopID: "central:1", arrival: StopTimeEvent(time: time.advanced(by: 600))),
                ], timestamp: daemon.clock.now()))
        #expect(tell(.tripUpdates, [entity]).isUsed)
        let extra = try first()
        #expect((extra.trip, extra.status) == ("extra-1", .added))
        #expect(extra.scheduled == nil)
        #expect(extra.expected?.instant == time)
        let explained = try daemon.ask(ExplainParameters(departure: extra.id))
        #expect(explained.departure.id == extra.id)
        #expect(explained.facts.contains { $0.fact == "run" && $0.value == "is not in the timetable" })
    }

    @Test("explain lists the match, the delay, the age and the confidence")
    func explanationListsFacts() throws {
        let planned = try first()
        #expect(tell(.tripUpdates, [update(planned, delay: 240)]).isUsed)
        let facts = try daemon.ask(ExplainParameters(departure: planned.id)).facts
        #expect(
            facts.map(\.fact).starts(
                with: ["feed", "timetable", "trip", "message", "entity", "match", "run", "delay"]))
        #expect(facts.first { $0.fact == "delay" }?.value == "240 s, stated for this call")
        #expect(daemon.error(of: ExplainParameters(departure: "city:nonsense"))?.kind == .departureNotFound)
    }

    @Test("An older message is refused while the current one is usable")
    func olderMessageIsRefused() throws {
        let planned = try first()
        #expect(tell(.tripUpdates, [update(planned, delay: 240)]).isUsed)
        let old = daemon.clock.now().advanced(by: -60)
        #expect(!tell(.tripUpdates, [update(planned, delay: 0)], at: old).isUsed)
        #expect(try first().delay == 240)
    }

    @Test("An invalid message is refused without quoting it")
    func invalidMessageIsNotQuoted() throws {
        let taken = daemon.daemon.realtimeFeeds.receive(
            Array("<html>secret-token</html>".utf8), of: DatasetID("city", .vehicles), received: daemon.clock.now(),
            now: daemon.clock.now())
        guard case .refused(let reason) = taken else { return #expect(Bool(false), "the message was applied") }
        #expect(!reason.contains("secret-token"))
    }

    @Test("The last response survives a restart and a new timetable version")
    func responseSurvivesRestartAndNewVersion() async throws {
        let planned = try first()
        #expect(tell(.tripUpdates, [update(planned, delay: 240)]).isUsed)
        try daemon.publish(.small.without("calendar_dates.txt"), as: "city")
        #expect(try await daemon.update("city", force: true).outcome == .updated)
        #expect(try first().delay == 240)
        let realtime = try #require(restarted().registry.snapshot("city")?.realtimeTimetable)
        #expect(realtime.tripUpdates?.statistics.matchedTrips == 1)
    }

    /// Returns the subsystem of another daemon with the same folders.
    private func restarted() throws -> RefreshSubsystem {
        daemon.daemon.realtimeFeeds.write()
        return try RefreshSubsystem(
            daemon.daemon.configuration.current,
            RefreshSubsystem.Dependencies(
                directories: daemon.daemon.directories, state: daemon.daemon.state, clock: daemon.clock, boot: "other",
                transport: LocalFileTransport(fallback: CurlTransport()), keys: FeedKeys(), zones: TimeZoneDatabase(),
                logger: .init(label: "test"), changed: { _ in }))
    }

    @Test("Alerts are listed in the requested language and with the departures of their stop")
    func alertsAreListedWithDepartures() throws {
        let alert = Alert(
            id: "a1", informed: [InformedEntity(stopID: "harbor")], effect: .detour, severity: .warning,
            header: TranslatedText([.init("Works", language: "en"), .init("Bauarbeiten", language: "de")]))
        #expect(tell(.alerts, [.alert(alert)]).isUsed)
        #expect(try first().alerts == ["a1"])
        let listed = try daemon.ask(AlertsParameters(stop: "harbor", language: "de")).alerts
        #expect(listed.map(\.header) == ["Bauarbeiten"])
        #expect(listed.first?.severity == .warning)
    }

    /// A day is its 24 hours, a time of day is a moment, and the reply says which time was understood. The clock is at 07:30.
    @Test(arguments: [
        ("today", "2026-03-27T07:30:00+01:00", ["noon"]), ("12:30", "2026-03-27T12:30:00+01:00", ["noon"]),
        ("13:00", "2026-03-27T13:00:00+01:00", []), ("sat", "2026-03-28T00:00:00+01:00", ["saturday"]),
        ("sun", "2026-03-29T00:00:00+01:00", []),
    ])
    func alertsOfADayAreInEffectAtAnyTimeOfIt(at: String, requested: String, ids: [String]) throws {
        func alert(_ id: EntityID, _ start: String, _ end: String) -> RealtimeEntity {
            .alert(
                Alert(
                    id: id, activePeriods: [.init(start: Instant(rfc3339: start), end: Instant(rfc3339: end))],
                    informed: [InformedEntity(stopID: "harbor")]))
        }
        let alerts = [
            alert("noon", "2026-03-27T12:00:00+01:00", "2026-03-27T13:00:00+01:00"),
            alert("saturday", "2026-03-28T23:00:00+01:00", "2026-03-29T00:00:00+01:00"),
        ]
        #expect(tell(.alerts, alerts).isUsed)
        let reply = try daemon.ask(AlertsParameters(at: at))
        #expect(reply.requestedTime?.text == requested)
        #expect(reply.alerts.map(\.id) == ids)
        #expect(try daemon.ask(AlertsParameters()).requestedTime == nil)
    }

    @Test("An alert for 8,000 stops leaves room for the other alerts in the reply, and says how many it is for")
    func alertWithManyInformedEntitiesFitsIntoReply() throws {
        let informed = (0..<8000).map { InformedEntity(stopID: StopID("a stop with a long identifier \($0)")) }
        let large = Alert(id: "large", informed: informed + [InformedEntity(stopID: "harbor")])
        let others = (0..<99).map { Alert(id: EntityID("a\($0)"), informed: Array(informed.prefix(400))) }
        #expect(tell(.alerts, ([large] + others).map { .alert($0) }).isUsed)
        let reply = try daemon.ask(AlertsParameters(count: 100))
        #expect(reply.alerts.first?.informedEntities.count == 100)
        #expect(reply.alerts.first?.informedEntityCount == 8001)
        // The pages contain all alerts.
        var ids = reply.alerts.map(\.id)
        var cursor = reply.nextCursor
        while let next = cursor {
            let page = try daemon.ask(AlertsParameters(count: 100, cursor: next))
            #expect(page.encoded.count < ControlLimits().reply)
            ids += page.alerts.map(\.id)
            cursor = page.nextCursor
        }
        #expect(ids == ["large"] + others.map(\.id.rawValue))
        #expect(reply.encoded.count < ControlLimits().reply)
        // The requested stop is among the entities that are listed.
        let atHarbor = try daemon.ask(AlertsParameters(stop: "harbor")).alerts
        #expect(atHarbor.map(\.id) == ["large"])
        #expect(atHarbor.first?.informedEntities.contains { $0.stop == "harbor" } == true)
    }

    /// A character can have any number of combining marks, and an identifier any length.
    @Test func alertWithLongIdentifiersFitsIntoReply() throws {
        let marks = "a" + String(repeating: "\u{301}", count: 600_000)
        let text = TranslatedText([.init(marks, language: "en")])
        let address = TranslatedText([
            .init("https://a.example/" + String(repeating: "x", count: 2_000_000), language: "en")
        ])
        let informed = (0..<100).map { InformedEntity(stopID: StopID(String(repeating: "s", count: 20_000) + "\($0)")) }
        let hostile = Alert(
            id: EntityID(marks), informed: informed, url: address, header: text, description: text)
        #expect(tell(.alerts, [.alert(hostile), .alert(Alert(id: "b"))]).isUsed)
        let reply = try daemon.ask(AlertsParameters(count: 100))
        #expect(reply.alerts.count == 2 && reply.encoded.count < ControlLimits().reply)
        let first = try #require(reply.alerts.first { $0.informedEntityCount == 100 })
        #expect(first.informedEntities.isEmpty && first.url == nil && first.header?.hasSuffix("…") == true)
    }

    @Test func alertWhosePeriodsAreOverIsNotAlwaysActive() throws {
        let now = daemon.clock.now()
        let periods = (-150 ..< -30).map { day in
            Alert.ActivePeriod(start: now.advanced(by: day * 86_400), end: now.advanced(by: day * 86_400 + 3600))
        }
        #expect(tell(.alerts, [.alert(Alert(id: "a", activePeriods: periods))]).isUsed)
        #expect(try daemon.ask(AlertsParameters()).alerts.first?.activePeriods.count == 1)
    }

    @Test("An alert with a very long text, or with many periods, leaves room for the other alerts in the reply")
    func alertWithLongTextFitsIntoReply() throws {
        let now = daemon.clock.now()
        let periods = (-500..<8000).map { day in
            Alert.ActivePeriod(start: now.advanced(by: day * 86_400), end: now.advanced(by: day * 86_400 + 3600))
        }
        let text = TranslatedText([.init(String(repeating: "word ", count: 300_000), language: "en")])
        #expect(tell(.alerts, [.alert(Alert(id: "a", activePeriods: periods, header: text, description: text))]).isUsed)
        let reply = try daemon.ask(AlertsParameters())
        #expect(reply.encoded.count < ControlLimits().reply)
        #expect(reply.alerts.first?.activePeriods.count == 100)
        #expect(reply.alerts.first?.activePeriods.first?.start?.instant == now)
        #expect(reply.alerts.first?.description?.count == 20_001)
    }

    @Test("Times in milliseconds are reported as E001, wherever they are in a message", arguments: DatasetKind.realtime)
    func timesInMillisecondsAreReported(_ kind: DatasetKind) throws {
        guard kind != .arrivals else { return }
        let departure = try first()
        let now = daemon.clock.now()
        let wrong = Instant(secondsSince1970: now.secondsSince1970 * 1000)
        func count() throws -> Int {
            let report = try daemon.ask(FeedValidateParameters(feed: "city", realtime: true))
            return report.findings.filter { $0.rule == "E001" }.reduce(0) { $0 + $1.count }
        }
        let trip = TripDescriptor(tripID: departure.trip, startDate: departure.serviceDate)
        let entity: RealtimeEntity =
            switch kind {
            case .vehicles: .vehicle(VehiclePosition(id: "1", trip: trip, timestamp: wrong))
            case .alerts: .alert(Alert(id: "1", activePeriods: [Alert.ActivePeriod(start: wrong, end: wrong)]))
            default:
                .tripUpdate(
                    TripUpdate(
                        id: "1", trip: trip,
                        updates: [
                            StopTimeUpdate(
                                stopID: departure.stop.id, arrival: StopTimeEvent(time: wrong),
                                departure: StopTimeEvent(time: wrong))
                        ], timestamp: wrong))
            }
        #expect(tell(kind, [entity], at: wrong).isUsed)
        #expect(try count() == (kind == .vehicles ? 2 : kind == .alerts ? 3 : 4))
    }

    @Test(
        "Times in milliseconds in a JSON message are reported as E001",
        arguments: ["1774593000000", "\"1774593000000\"", "1774593000000.0", "1.774593e12"])
    func timesInMillisecondsInJSONAreReported(_ time: String) throws {
        let departure = try first()
        let text = """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(time)}, "entity": [{"id": "1", "trip_update": {
            "trip": {"trip_id": "\(departure.trip)"}, "timestamp": \(time), "stop_time_update": [
            {"stop_id": "harbor", "arrival": {"time": \(time)}, "departure": {"time": \(time)}}]}}]}
            """
        let received = daemon.daemon.realtimeFeeds.receive(
            Array(text.utf8), of: DatasetID("city", .tripUpdates), received: daemon.clock.now(), now: daemon.clock.now()
        )
        #expect(received.isUsed)
        let report = try daemon.ask(FeedValidateParameters(feed: "city", realtime: true))
        #expect(report.findings.first { $0.rule == "E001" }?.count == 4, "\(report.findings)")
    }

    @Test("An empty alerts message has no finding, and a finding about the message as a whole has an example")
    func findingAboutMessageHasExample() throws {
        #expect(tell(.alerts, []).isUsed)
        #expect(tell(.vehicles, [], version: "7").isUsed)
        let report = try daemon.ask(FeedValidateParameters(feed: "city", realtime: true))
        #expect(!report.findings.contains { $0.examples.contains { $0.file == "alerts" } })
        let version = try #require(report.findings.first { $0.rule == "E038" })
        #expect(version.examples.map(\.message) == ["unknown version"])
        #expect(version.examples.map(\.field) == ["header"])
        let status = try #require(daemon.ask(StatusParameters()).feeds.first)
        #expect(status.datasets.filter { $0.dataset == .alerts }.map(\.notes) == [[]])
    }

    @Test("Vehicles are listed with and without a trip")
    func vehiclesAreListed() throws {
        let planned = try first()
        let place = try #require(Coordinate(latitude: 1, longitude: 1))
        #expect(
            tell(
                .vehicles,
                [
                    .vehicle(
                        VehiclePosition(
                            id: "v1",
                            trip: TripDescriptor(tripID: planned.trip, startDate: planned.serviceDate),
                            vehicle: VehicleDescriptor(id: "7", label: "Tram 7"), stopID: planned.stop.id,
                            status: .stoppedAt, timestamp: daemon.clock.now())),
                    .vehicle(VehiclePosition(id: "v2", coordinate: place, timestamp: daemon.clock.now())),
                ]
            ).isUsed)
        let vehicles = try daemon.ask(VehiclesParameters()).vehicles
        #expect(vehicles.map(\.isMatched) == [true, false])
        #expect(vehicles.first?.status == .atStop)
        #expect(try first().vehicle?.label == "Tram 7")
    }

    @Test("status counts matched and unmatched trips")
    func statusCountsMatches() throws {
        let planned = try first()
        var stranger = planned
        stranger.trip = "nobody"
        #expect(tell(.tripUpdates, [update(planned, delay: 0), update(stranger, delay: 0)]).isUsed)
        let realtime = try #require(daemon.ask(StatusParameters()).feeds.first?.realtime)
        #expect((realtime.tripsMatched, realtime.tripsUnmatched) == (1, 1))
        let report = try daemon.ask(FeedValidateParameters(feed: "city", realtime: true))
        #expect(report.findings.contains { $0.rule.hasPrefix("unmatched_trip") && $0.count == 1 })
        // Only half of the trips are unmatched, which is too few for a notice.
        #expect(try board().isEmpty)
    }

    /// Returns the notices on a board about trips that are not in the timetable.
    private func board() throws -> [String] {
        try daemon.ask(DeparturesParameters(stop: "harbor")).notices.filter { $0.kind == .partial }.map(\.message)
    }

    private func freshness(_ dataset: DatasetName) throws -> DatasetFreshness? {
        try daemon.ask(StatusParameters()).feeds.first?.datasets.first { $0.dataset == dataset }?.freshness
    }

    @Test("A board reports that most trips are unmatched, and status does not call such data fresh")
    func mostlyUnmatchedTripsAreReported() throws {
        let planned = try first()
        var (one, other) = (planned, planned)
        (one.trip, other.trip) = ("nobody", "nobody else")
        let strangers = [update(one, delay: 0), update(other, delay: 0)]
        #expect(tell(.tripUpdates, [update(planned, delay: 0)] + strangers).isUsed)
        #expect(try board().count == 1)
        #expect(try board().first?.hasPrefix("2 of the 3 trips") == true)
        #expect(try freshness(.tripUpdates) == .fresh)
        // None of the trips is used.
        #expect(tell(.tripUpdates, strangers).isUsed)
        #expect(try freshness(.tripUpdates) == .unmatched)
        #expect(try board().first?.hasPrefix("2 of the 2 trips") == true)
        #expect(tell(.tripUpdates, [update(planned, delay: 0)]).isUsed)
        #expect(try board().isEmpty)
        #expect(try freshness(.tripUpdates) == .fresh)
        // Vehicles have a source of their own, so those from this source are not used.
        #expect(tell(.tripUpdates, [.vehicle(VehiclePosition(id: "v"))]).isUsed)
        #expect(try freshness(.tripUpdates) == .unmatched)
        #expect(tell(.tripUpdates, []).isUsed)
        #expect(try freshness(.tripUpdates) == .fresh)
    }

    @Test("A departed copy of a trip has its own identifier")
    func departedCopyHasOwnIdentifier() throws {
        let planned = try first()
        let copy = RealtimeEntity.tripUpdate(
            TripUpdate(
                id: "copy", trip: TripDescriptor(tripID: planned.trip, relationship: .duplicated),
                updates: [StopTimeUpdate(stopID: planned.stop.id, departure: StopTimeEvent(delay: 60))],
                properties: TripProperties(
                    startDate: planned.serviceDate, startTime: ServiceTime(seconds: 7 * 3600 + 1200))))
        #expect(tell(.tripUpdates, [copy]).isUsed)
        let at = daemon.clock.now().advanced(by: -1200).rfc3339()
        let departures = try daemon.ask(DeparturesParameters(stop: "harbor", at: at)).departures
        let departed = try #require(departures.first { $0.status == .departed })
        #expect(departed.id.hasSuffix("+07:20:00"))
        #expect(Set(departures.map(\.id)).count == departures.count)
    }
}

extension RealtimeFeed.ReceiveResult {
    /// Whether the response is used.
    var isUsed: Bool { if case .used = self { true } else { false } }
}
