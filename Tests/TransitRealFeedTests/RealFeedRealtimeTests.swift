import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Recorded and edited BART messages matched to BART's timetable. The expected values are taken from the tests of
/// Transitland's server, an independent implementation.
@Suite(.enabled(if: SharedData.isAvailable, "the recorded feeds are missing")) struct RealFeedRealtimeTests {
    let zone: ServiceZone
    let timetable: DraftTimetable
    let fruitvale: StopIndex

    init() throws {
        zone = try systemZone("America/Los_Angeles")
        let today = try #require(ServiceDate(iso8601: "2018-05-30"))
        let reading = try GTFSReader(
            FileByteSource(path: SharedData.path("gtfs", "bart/2018-05.zip")),
            options: GTFSReader.Options(today: today) { _ in true }
        ).read()
        timetable = DraftTimetable(reading.draft, zone: zone)
        fruitvale = try #require(timetable.stop(id: "FTVL"))
    }

    func realtime(_ name: String) throws -> RealtimeDatasets {
        let path = SharedData.path("gtfsrt", "transitland/server-rt/\(name).json")
        let reader = try RealtimeReader([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
        let received = try #require(reader.header.timestamp)
        var builder = RealtimeDatasetBuilder(
            header: reader.header, received: received, matcher: TripMatcher(timetable))
        var failure: (any Error)?
        _ = reader.read { entity in
            do { try builder.apply(entity) } catch { failure = error }
        }
        #expect(failure == nil)
        let dataset = try builder.finish()
        return RealtimeDatasets(tripUpdates: dataset, alerts: dataset)
    }

    /// Returns the departures at FTVL between two local times in Los Angeles, as of the message's timestamp.
    func departures(_ realtime: RealtimeDatasets, _ from: String, _ to: String) throws -> [ExpectedCall] {
        let at = try #require(Instant(rfc3339: from))
        let end = try #require(Instant(rfc3339: to))
        let now = try #require(realtime.tripUpdates?.header.timestamp)
        return DepartureBoard.departures(
            visits: timetable.patterns(at: fruitvale), stops: [fruitvale], context: timetable.context,
            realtime: realtime,
            now: now,
            at: at, count: 30
        ).filter { ($0.scheduledDeparture ?? $0.departure) <= end }
    }

    func afternoon(_ name: String) throws -> [ExpectedCall] {
        try departures(realtime(name), "2018-05-30T16:00:00-07:00", "2018-05-30T16:05:00-07:00")
    }

    func call(_ trip: String, in calls: [ExpectedCall]) throws -> ExpectedCall {
        try #require(
            calls.first { call in
                guard let scheduled = call.scheduledCall else { return false }
                return timetable.trip(id: TripID(trip)) == scheduled.trip
            }, "\(trip)")
    }

    func utc(_ moment: Instant?) -> String? { moment?.rfc3339() }

    @Test("Every departure is half a minute late")
    func delayedDepartures() throws {
        let calls = try afternoon("BA")
        #expect(calls.count == 3)
        #expect(calls.map(\.delay) == [30, 30, 30])
        #expect(calls.map(\.source) == [.live, .live, .live])
        let train = try call("1031527WKDY", in: calls)
        #expect(utc(train.scheduledDeparture) == "2018-05-30T23:02:00Z")
        #expect(utc(train.expectedDeparture) == "2018-05-30T23:02:30Z")
        #expect(utc(train.measured) == "2018-05-30T22:27:30Z")
    }

    @Test("Updates around midnight without a date match the right service date")
    func tripsAroundMidnight() throws {
        let calls = try departures(
            realtime("BA-midnight"), "2018-05-30T23:45:00-07:00", "2018-05-31T00:05:00-07:00")
        let before = try call("2292315WKDY", in: calls)
        #expect(utc(before.scheduledDeparture) == "2018-05-31T06:48:00Z")
        #expect(utc(before.expectedDeparture) == "2018-05-31T06:55:00Z")
        let after = try call("5172328WKDY", in: calls)
        #expect(utc(after.scheduledDeparture) == "2018-05-31T07:02:00Z")
        #expect(utc(after.expectedDeparture) == "2018-05-31T07:05:00Z")
        #expect(after.scheduledCall?.serviceDate.description == "2018-05-30")
    }

    @Test(
        "Only departures, or only arrivals, are predicted", arguments: ["BA-arrival-fallback", "BA-departure-fallback"])
    func missingEventIsFilledIn(name: String) throws {
        let calls = try afternoon(name)
        let train = try call("1031527WKDY", in: calls)
        #expect(utc(train.expectedArrival) == "2018-05-30T23:02:30Z")
        #expect(utc(train.expectedDeparture) == "2018-05-30T23:02:30Z")
        let other = try call("2211533WKDY", in: calls)
        #expect(other.source == .scheduled && other.expectedDeparture == nil && other.delay == nil)
    }

    @Test("The last delay propagates to later calls")
    func lastDelayPropagates() throws {
        let train = try call("1031527WKDY", in: afternoon("BA-last-delay"))
        #expect(train.expectedDeparture == Instant(secondsSince1970: 1_527_721_365))
        #expect(train.basis == .propagated && train.delay == 45)
        // The update has stop_sequence 11, the eleventh call.
        #expect(train.statingCall == 10)
        #expect(train.confidence == .medium)
    }

    @Test("An update without stop_sequence matches by stop")
    func updateMatchesByStop() throws {
        let train = try call("1031527WKDY", in: afternoon("BA-stop-id-fallback"))
        #expect(utc(train.expectedDeparture) == "2018-05-30T23:02:30Z")
    }

    @Test("A stop that is visited twice and has no stop_sequence gets no prediction")
    func ambiguousStopHasNoPrediction() throws {
        let train = try call("1031527WKDY", in: afternoon("BA-stop-double-visit"))
        #expect(train.expectedDeparture == nil && train.expectedArrival == nil)
        #expect(train.source == .scheduled && train.basis == .ambiguous)
    }

    @Test("An added, a canceled and a late train are shown")
    func addedCanceledAndLateTrains() throws {
        let calls = try afternoon("BA-added")
        #expect(calls.count == 4)
        let added = try #require(calls.first { $0.status == .added })
        guard case .extra(let trip, let position) = added.subject else { return #expect(Bool(false)) }
        #expect(trip.id == "-123")
        #expect(trip.route == timetable.route(id: "05"))
        #expect(trip.calls[position].sequence == 12)
        #expect(added.scheduledDeparture == nil)
        #expect(utc(added.expectedDeparture) == "2018-05-30T23:02:32Z")
        let canceled = try call("2211533WKDY", in: calls)
        #expect(canceled.status == .canceled && canceled.expectedDeparture == nil)
        #expect(utc(canceled.scheduledDeparture) == "2018-05-30T23:02:00Z")
        let late = try call("1131530WKDY", in: calls)
        #expect(utc(late.scheduledDeparture) == "2018-05-30T23:05:00Z")
        #expect(utc(late.expectedDeparture) == "2018-05-30T23:05:45Z")
        #expect(try call("1031527WKDY", in: calls).source == .scheduled)
    }

    @Test("Alerts of a stop are filtered by their active periods")
    func alertsAreFilteredByActivePeriod() throws {
        let realtime = try realtime("BA-alerts")
        let alerts = try #require(realtime.alerts?.alerts)
        #expect(alerts.naming(stops: ["FTVL"]).count == 2)
        func active(_ moment: Int64) -> [String] {
            alerts.active(for: AlertIndex.Subject(stops: ["FTVL"]), at: Instant(secondsSince1970: moment)).map {
                $0.header?.text(in: "en") ?? ""
            }
        }
        #expect(active(1_527_719_250) == ["Test stop header"])
        // The time of the query in the test of the other implementation.
        #expect(active(1_661_990_400) == ["Test stop header - active"])
        let train = AlertIndex.Subject(
            agency: "BART", route: "05", trip: "1031527WKDY", stops: ["FTVL"])
        #expect(alerts.active(for: train, at: Instant(secondsSince1970: 1_527_719_250)).count == 4)
    }

    @Test("All trips and stops in the recorded BART messages match")
    func allTripsAndStopsMatch() throws {
        for name in ["BA", "BA-midnight", "BA-added"] {
            let statistics = try #require(try realtime(name).tripUpdates).statistics
            #expect(statistics.matchedTrips == statistics.tripUpdates, "\(name)")
            #expect(statistics.unmatchedStops == 0, "\(name)")
        }
    }
}
