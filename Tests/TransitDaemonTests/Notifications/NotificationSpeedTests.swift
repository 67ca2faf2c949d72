import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport

@testable import TransitDaemon

/// The time from an applied message to the decisions for 20 subjects of one user, in the demo city.
@Suite struct NotificationSpeedTests {
    @Test func twentySubjectsAreEvaluatedAfterEachMessage() async throws {
        let now = Instant(rfc3339: "2026-03-27T07:30:00+01:00")!
        let daemon = try TestDaemon(at: "2026-03-27T06:30:00Z") { configuration in
            configuration.feeds = [FeedConfiguration(id: "demo", source: .demo)]
        }
        _ = try await daemon.update("demo")
        let city = DemoCity(around: try #require(ServiceDate(iso8601: "2026-03-27")))
        let zone = try #require(TimeZoneDatabase().zone(named: city.zone))
        _ = daemon.daemon.realtimeFeeds.receive(
            DemoRealtime(city, at: now, zone: zone).message(.tripUpdates), of: DatasetID("demo", .tripUpdates),
            received: now, now: now)
        let own = daemon.daemon.contexts.context(from: daemon.caller(1000)).query
        let timetable = try #require(own.feeds.first?.timetable)
        var personal = PersonalState()
        // Departures of the next hour, one after the other, from one stop.
        let board = try BoardQuery(stop: "Central Station", route: nil, feed: nil, at: nil, own)
        var observer = DepartureObserver()
        for merged in try board.board.departures(at: now, count: 60, own) where personal.usualDepartures.count < 20 {
            guard let departure = try observer.departure(merged), let call = merged.call.scheduledCall else {
                continue
            }
            let time = timetable.zone.serviceDayStart(call.serviceDate).seconds(to: call.departure)
            personal.usualDepartures.append(
                SavedUsualDeparture(
                    feed: "demo", route: departure.key.route, direction: departure.key.direction,
                    stop: departure.key.stop, time: ServiceTime(seconds: Int32(time)), days: [.friday], isPinned: false)
            )
        }
        #expect(personal.usualDepartures.count == 20)
        let context = QueryContext(now: now, feeds: own.feeds, personal: personal, settings: own.settings)
        var finder = SubjectFinder(context)
        var settings = NotificationSettings()
        settings.isEnabled = true
        var engine = NotificationEngine(settings: settings)
        let found = finder.subjects(context, changed: nil)
        let subjects = try #require(found)
        #expect(subjects.count == 20)
        _ = engine.evaluate(NotificationInput(now: now, zone: timetable.zone, subjects: subjects))
        var durations: [Double] = []
        for second in 1...20 {
            let later = QueryContext(
                now: now.advanced(by: second), feeds: own.feeds, personal: personal, settings: own.settings)
            let clock = ContinuousClock()
            let began = clock.now
            let changed = finder.subjects(later, changed: ["demo"])
            let found = clock.now
            _ = engine.evaluate(NotificationInput(now: later.now, zone: timetable.zone, subjects: changed))
            _ = engine.nextMoment(after: later.now)
            let duration = began.duration(to: clock.now)
            durations.append(Double(duration.components.attoseconds) / 1e15)
            if second == 20 {
                let part = Double(began.duration(to: found).components.attoseconds) / 1e15
                print("20 subjects: finding \(part) ms of \(durations[19]) ms")
            }
        }
        print("20 subjects: p50 \(durations.sorted()[10]) ms")
        // Another feed's message evaluates nothing.
        #expect(finder.subjects(context, changed: ["other"]) == nil)
    }
}
