import Foundation
import Logging
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitFetch
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// What a user sees of the delays that were learned on earlier days. Nine buses leave the harbor from 08:00 on, every ten
/// minutes, about four minutes late on weekdays.
@Suite(.ownThreads)
struct LearnedDelayTests {
    private let fixture: NotificationFixture
    private var daemon: TestDaemon { fixture.daemon }

    init() async throws {
        fixture = try await NotificationFixture(at: "2026-03-02T06:30:00Z", feed: .nineBuses)
    }

    /// Plays weekdays: a message every two minutes states the time of each bus at its next stop.
    ///
    /// - Parameter delay: Returns the delay of all buses on a day.
    private func play(days: Int, delay: (Int) -> Int = { 210 + 10 * ($0 % 6) }) {
        for day in 0..<days {
            let zone = daemon.daemon.feeds.snapshot("city")?.timetable?.zone ?? .utc
            let date = zone.civil(at: daemon.clock.now()).date
            let start = zone.instant(date: date, secondsOfDay: 7 * 3600 + 55 * 60)
            daemon.clock.advance(by: daemon.clock.now().seconds(to: start))
            for _ in 0..<60 {
                receive(on: date, zone.serviceDayStart(date), delay: delay(day))
                daemon.clock.advance(by: 120)
            }
            let next = date.advanced(by: date.weekday == .friday ? 3 : 1)
            let morning = zone.instant(date: next, secondsOfDay: 7 * 3600 + 30 * 60)
            daemon.clock.advance(by: daemon.clock.now().seconds(to: morning))
        }
    }

    private func receive(on date: ServiceDate, _ dayStart: Instant, delay: Int) {
        let now = daemon.clock.now()
        var entities: [RealtimeEntity] = []
        for bus in 0..<9 {
            let next = (0..<3).first { stop in
                dayStart.advanced(by: (480 + 10 * bus + 10 * stop) * 60 + delay) > now
            }
            guard let next, dayStart.advanced(by: (480 + 10 * bus) * 60 - 1800) < now else { continue }
            let event = StopTimeEvent(delay: Int32(delay))
            entities.append(
                .tripUpdate(
                    TripUpdate(
                        id: EntityID("\(bus)"), trip: TripDescriptor(tripID: TripID("b\(bus + 1)"), startDate: date),
                        updates: [StopTimeUpdate(sequence: UInt32(next + 1), arrival: event, departure: event)])))
        }
        let result = daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: now), entities),
            of: DatasetID("city", .tripUpdates), received: now, now: now)
        #expect(result.isUsed)
    }

    private func next() throws -> Departure {
        try #require(try daemon.ask(DeparturesParameters(stop: "harbor", punctuality: true)).departures.first)
    }

    private func history() throws -> LearnedDelayStatus? {
        try #require(try daemon.ask(FeedHistoryParameters()).feeds.first).delays
    }

    /// Writes what was learned, as a daemon does before it stops.
    private func stop() {
        daemon.daemon.realtimeFeeds.saveDelays(now: daemon.clock.now())
        daemon.daemon.realtimeFeeds.write()
    }

    /// Reads the learned delays as a daemon does that starts with the same folders.
    private func afterRestart() throws -> FeedView {
        let subsystem = try RefreshSubsystem(
            daemon.daemon.configuration.current,
            RefreshSubsystem.Dependencies(
                directories: daemon.daemon.directories, state: daemon.daemon.state, clock: daemon.clock, boot: "other",
                transport: LocalFileTransport(fallback: CurlTransport()), keys: FeedKeys(), zones: TimeZoneDatabase(),
                logger: .init(label: "test"), changed: { _ in }))
        return try #require(subsystem.registry.snapshot("city")?.view)
    }

    private var file: URL {
        URL(filePath: daemon.daemon.directories.cache).appending(path: "live/city.delays.live")
    }

    @Test func usualDelayIsShownFromTenDaysOn() throws {
        play(days: 9)
        #expect(try next().usual == nil)
        play(days: 1)
        let departure = try next()
        let usual = try #require(departure.usual)
        #expect((200...270).contains(usual.delay))
        #expect(usual.earliest <= usual.delay && usual.delay <= usual.latest)
        #expect((usual.days, usual.dayKind, usual.basis) == (10, .weekday, .departure))
        // The operator's time stays as it is, and nobody misses the bus because it is usually late.
        #expect(departure.expected == nil && departure.source == .scheduled && departure.delay == nil)
        #expect(departure.leaveIn == daemon.clock.now().seconds(to: try #require(departure.scheduled).instant))
        let shares = try #require(departure.punctuality)
        #expect(shares.days == 10)
        #expect(shares.delays.filter { ($0.from ?? -1) >= 180 }.map(\.share).reduce(0, +) >= 90)
    }

    @Test func sourceThatFallsSilentLeavesTheUsualDelay() throws {
        play(days: 12)
        daemon.clock.advance(by: 3600)
        let departure = try next()
        #expect(departure.usual?.basis == .departure)
        #expect(departure.source == .scheduled)
    }

    @Test func learnedDelaysSurviveARestart() throws {
        play(days: 10)
        stop()
        let history = try afterRestart().history
        #expect(history?.knownDepartures == daemon.daemon.feeds.snapshot("city")?.view.history?.knownDepartures)
        #expect((history?.knownDepartures ?? 0) >= 9)
    }

    @Test func damagedFileLosesOnlyWhatWasLearned() throws {
        play(days: 10)
        stop()
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 0xFF
        try bytes.write(to: file)
        let feed = try afterRestart()
        #expect(feed.history == nil)
        #expect(feed.timetable != nil)
    }

    @Test func clearingRemovesWhatWasLearned() throws {
        play(days: 10)
        #expect(try #require(try history()).departures >= 9)
        #expect(try daemon.ask(FeedHistoryClearParameters(), uid: 0).feeds == ["city"])
        #expect(try history() == nil)
        #expect(try next().usual == nil)
        daemon.daemon.realtimeFeeds.write()
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try daemon.ask(FeedHistoryClearParameters(), uid: 0).feeds == [])
    }

    @Test func sourceThatIsAnHourOffForAMorningTeachesNothing() throws {
        play(days: 10)
        let before = try #require(try next().usual)
        play(days: 1) { _ in 3840 }
        let after = try #require(try next().usual)
        #expect(after.delay == before.delay && after.latest == before.latest)
    }

    @Test func sourceThatReportsAllTripsOnTimeTeachesNothing() throws {
        play(days: 30) { _ in 0 }
        #expect(try next().usual == nil)
        #expect(try history()?.repeatsTimetable == true)
    }

    @Test func renumberedDeparturesInheritTheirDelays() async throws {
        play(days: 10)
        let usual = try #require(try next().usual)
        // The new timetable has other trip identifiers, and all buses leave two minutes later.
        var (trips, times) = (FeedBuilder.nineBuses["trips.txt"], FeedBuilder.nineBuses["stop_times.txt"])
        trips = trips.replacingOccurrences(of: "weekday,b", with: "weekday,n")
        times = times.replacingOccurrences(of: "0:00,", with: "2:00,").replacingOccurrences(of: "\nb", with: "\nn")
        try daemon.publish(FeedBuilder.nineBuses.file("trips.txt", trips).file("stop_times.txt", times), as: "city")
        try await daemon.update("city", force: true)
        let departure = try next()
        #expect(departure.trip == "n1")
        #expect(departure.usual?.days == usual.days)
        #expect(departure.usual?.delay == usual.delay)
    }
}
