import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Messages that once crashed the daemon: two updates of one trip instance, with a call at another stop.
@Suite(.enabled(if: SharedData.isAvailable, "the recorded feeds are missing"))
struct HostileRealtimeTests {
    @Test(arguments: ["dup-first-assigned.pb", "dup-second-call-assigned.pb", "second.tu"])
    func repeatedTripInstancesDoNotCrash(name: String) throws {
        let zone = try systemZone("America/Los_Angeles")
        let reading = try GTFSReader(
            FileByteSource(path: SharedData.path("gtfs", "sample-feed-1.zip")),
            options: GTFSReader.Options(today: try #require(ServiceDate(iso8601: "2007-08-01"))) { _ in true }
        ).read()
        let timetable = DraftTimetable(reading.draft, zone: zone)
        let source = try FileByteSource(path: SharedData.path("hostile", name))
        var bytes = [UInt8](repeating: 0, count: Int(source.count))
        _ = try bytes.withUnsafeMutableBytes { try source.read(at: 0, into: $0) }
        let reader = try RealtimeReader(bytes)
        let now = try #require(reader.header.timestamp)
        var builder = RealtimeDatasetBuilder(header: reader.header, received: now, matcher: TripMatcher(timetable))
        _ = try reader.read { (entity) throws in try builder.apply(entity) }
        let dataset = try builder.finish()
        let realtime = RealtimeDatasets(tripUpdates: dataset, vehicles: dataset, alerts: dataset)
        var calls = 0
        for stop in 0..<reading.draft.stops.count {
            let stop = StopIndex(stop)
            for at in [now, now.advanced(by: -86_400)] {
                let departures = DepartureBoard.departures(
                    visits: timetable.patterns(at: stop), stops: [stop], context: timetable.context, realtime: realtime,
                    now: now,
                    at: at, count: 50)
                for call in departures { _ = realtime.explain(call, now: now) }
                calls += departures.count
            }
        }
        #expect(calls > 0)
    }
}
