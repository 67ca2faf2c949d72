import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitQueries
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `journeys`. The clock starts on Friday, March 27, 2026, at 07:30 in Berlin.
@Suite(.ownThreads) struct JourneysHandlerTests {
    @Test func legsAreDeparturesWithArrivals() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], BoardHandlerTests.withPlaces)
        let answer = try await daemon.askLengthy(JourneysParameters(from: "home", to: "City Park", count: 1))
        #expect(answer.at.text == "2026-03-27T07:30:00+01:00")
        #expect(answer.from == CommuteEndpoint(kind: .place, reference: "home"))
        #expect(answer.to.name == "City Park")
        #expect(answer.notices.isEmpty)
        let journey = try #require(answer.journeys.first)
        #expect(
            journey.legs.map(\.departure.line) == [
                "24 08:00 harbor > central:1 08:20", "T1 08:30 central:2 > park 08:40",
            ])
        #expect(journey.walkBefore == 68)
        #expect(journey.walkAfter == nil)
        #expect(journey.leaveBy.text == "2026-03-27T07:58:52+01:00")
        #expect(journey.leaveIn == 28 * 60 + 52)
        #expect(journey.arrival.text == "2026-03-27T08:40:00+01:00")
        #expect(journey.changes == 1)
        #expect(journey.legs[0].change == nil)
        let change = try #require(journey.legs[1].change)
        #expect(change.fromStop.id == "central:1" && change.toStop.id == "central:2")
        #expect(change.distance == 26)
        #expect(change.judgment == .safe && change.ifMissed == nil)
        // The first leg agrees with the board.
        let board = try daemon.ask(NextParameters(from: "home", to: "Central Station", count: 1))
        let direct = try #require(board.departures.first)
        #expect(journey.legs[0].departure.leaveBy == direct.leaveBy)
        #expect(journey.legs[0].departure.id == direct.id)
    }

    @Test func emptyRepliesSayWhy() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let none = try await daemon.askLengthy(JourneysParameters(from: "Harbor", to: "City Park", changes: 0))
        #expect(
            none.notices.map(\.message) == [
                "No journey without a change begins from Harbor to City Park through 2026-04-03."
            ])
        #expect(none.notices.map(\.kind) == [.noService])
        let late = try await daemon.askLengthy(
            JourneysParameters(from: "Harbor", to: "City Park", at: "07:40", arriveBy: true))
        #expect(
            late.notices.map(\.message) == [
                "No journey with at most 3 changes from Harbor to City Park that begins from now on arrives by 07:40 on "
                    + "2026-03-27."
            ])
        let unknown = try await daemon.askLengthy(
            JourneysParameters(from: "Harbor", to: "City Park", at: "2027-03-01 08:00"))
        #expect(unknown.notices.last?.kind == .missing)
        #expect(
            unknown.notices.last?.message
                == "No journeys from Harbor to City Park are known on 2027-03-01: the timetable of city covers "
                + "2026-01-01 to 2026-12-31.")
    }

    // MARK: On board

    @Test func journeyOnBoardBeginsWithTheRide() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let board = try daemon.ask(NextParameters(from: "Harbor", to: "Central Station", count: 1))
        let id = try #require(board.departures.first?.id)
        daemon.clock.advance(by: 35 * 60)
        let answer = try await daemon.askLengthy(JourneysParameters(onBoard: id, to: "City Park"))
        #expect(answer.from.name == "Harbor" && answer.onBoard == id && answer.walk == nil)
        #expect(answer.notices.isEmpty)
        #expect(
            answer.journeys.map { $0.legs.map(\.departure.line) } == [
                ["24 08:00 harbor > central:1 08:20", "T1 08:30 central:2 > park 08:40"]
            ])
        let journey = try #require(answer.journeys.first)
        #expect(journey.leaveBy.text == "2026-03-27T08:00:00+01:00" && journey.leaveIn == -300)
        #expect(journey.walkBefore == nil && journey.legs[1].change?.judgment == .safe)
        let none = try await daemon.askLengthy(JourneysParameters(onBoard: id, to: "City Park", changes: 0))
        #expect(
            none.notices.map(\.message) == [
                "No journey without a change is known from Harbor to City Park for riders who are on board."
            ])
    }

    @Test func onBoardExcludesAnOrigin() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let id = "city:b1@2026-03-27/1"
        for parameters in [
            JourneysParameters(to: "City Park"), JourneysParameters(from: "Harbor", onBoard: id, to: "City Park"),
            JourneysParameters(onBoard: id, to: "City Park", at: "08:00"),
            JourneysParameters(onBoard: id, to: "City Park", arriveBy: true),
            JourneysParameters(onBoard: id, to: "City Park", via: "Market Square"),
        ] {
            let error = await #expect(throws: ControlError.self) { try await daemon.askLengthy(parameters) }
            #expect(error?.kind == .invalidParameters)
        }
        // A description may name personal data, so that only identifiers are accepted.
        for text in ["Bus 24 08:00", "city:b1@2026-03-27/99", "city:zz@2026-03-27/1"] {
            let error = await #expect(throws: ControlError.self) {
                try await daemon.askLengthy(JourneysParameters(onBoard: text, to: "City Park"))
            }
            #expect(error?.kind == .departureNotFound)
        }
    }

    // MARK: Options

    @Test func optionsAreNamedInNotices() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let tram = try await daemon.askLengthy(
            JourneysParameters(from: "Harbor", to: "City Park", modes: ["tram", "Ferry"], wheelchair: true))
        #expect(
            tram.notices.map(\.message) == [
                "No journey by tram or ferry with a wheelchair with at most 3 changes begins from Harbor to City Park "
                    + "through 2026-04-03."
            ])
        let all = try await daemon.askLengthy(
            JourneysParameters(from: "Harbor", to: "City Park", count: 1, modes: ["tram", "bus"], bicycles: true))
        #expect(all.journeys.count == 1)
        #expect(
            all.notices.map(\.message) == ["Nothing is stated about whether some of the vehicles accommodate bicycles."]
        )
        let via = try await daemon.askLengthy(
            JourneysParameters(from: "Harbor", to: "City Park", via: "Market Square", modes: ["tram"]))
        #expect(
            via.notices.map(\.message) == [
                "No journey by tram with at most 3 changes begins from Harbor to City Park via Market Square through "
                    + "2026-04-03."
            ])
        let last = try await daemon.askLengthy(
            LastJourneysParameters(from: "Harbor", to: "Central Station", modes: ["tram"]))
        #expect(last.journeys.isEmpty && last.following == nil)
        let error = await #expect(throws: ControlError.self) {
            try await daemon.askLengthy(JourneysParameters(from: "Harbor", to: "City Park", modes: ["metro"]))
        }
        #expect(error?.kind == .invalidParameters && error?.message == "\"metro\" is not a mode of transport.")
        #expect(error?.hint?.hasPrefix("The modes are tram, subway, train, bus, ferry, cable-tram") == true)
    }

    // MARK: Beside direct trips

    @Test func nextListsJourneysOnlyIfAsked() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], BoardHandlerTests.withPlaces)
        #expect(NextParameters().responseTime == .instant)
        let direct = try daemon.ask(NextParameters(from: "home", to: "City Park"))
        #expect(direct.departures.isEmpty && direct.journeys.isEmpty)
        #expect(direct.notices.map(\.message) == ["No direct trip runs from home to City Park."])
        let call = NextParameters(from: "home", to: "City Park", count: 2, changes: 3)
        #expect(call.responseTime == .lengthy)
        let answer = try await daemon.askLengthy(call)
        #expect(answer.departures.isEmpty)
        #expect(answer.journeys.map(\.changes) == [1, 1])
        // The second one is on Saturday.
        #expect(answer.notices.map(\.kind) == [.lastService])
        #expect(
            answer.notices.map(\.message) == [
                "Only one journey is left from home to City Park before 04:00 on 2026-03-28."
            ])
        let alone = try await daemon.askLengthy(JourneysParameters(from: "home", to: "City Park", count: 2))
        #expect(answer.journeys == alone.journeys)
    }

    @Test func directTripsOfNextStayTheSame() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], BoardHandlerTests.withPlaces)
        let direct = try daemon.ask(NextParameters(from: "home", to: "Central Station"))
        let answer = try await daemon.askLengthy(NextParameters(from: "home", to: "Central Station", changes: 3))
        #expect(answer.departures == direct.departures && !direct.departures.isEmpty)
        #expect(answer.journeys.isEmpty && answer.beaten.isEmpty)
    }

    @Test func requirementsHoldForDirectTrips() async throws {
        let daemon = try await TestDaemon.imported(["city": .accessible])
        func next(_ call: NextParameters) throws -> [String] {
            var call = call
            (call.from, call.to, call.at) = ("Harbor", "Central Station", "friday")
            return try daemon.ask(call).departures.map { String($0.trip.rawValue) }
        }
        #expect(try next(NextParameters()) == ["b1", "b2", "b3"])
        #expect(try next(NextParameters(wheelchair: true)) == ["b2", "b3"])
        #expect(try next(NextParameters(count: 1, bicycles: true)) == ["b1"])
        #expect(try next(NextParameters(reachable: true, wheelchair: true, bicycles: true)) == ["b3"])
        let uncertain = try daemon.ask(NextParameters(from: "Harbor", to: "Central Station", bicycles: true))
        #expect(
            uncertain.notices.map(\.message) == [
                "Nothing is stated about whether some of the vehicles accommodate bicycles."
            ])
        let none = try daemon.ask(NextParameters(from: "Harbor", to: "Central Station", modes: ["tram"]))
        #expect(none.departures.isEmpty)
        #expect(
            none.notices.map(\.message) == ["Nothing runs by tram from Harbor to Central Station through 2026-04-03."])
        let error = daemon.error(of: NextParameters(from: "Harbor", to: "Central Station", modes: ["metro"]))
        #expect(error?.kind == .invalidParameters)
        let journeys = try await daemon.askLengthy(
            NextParameters(from: "Harbor", to: "City Park", changes: 3, bicycles: true))
        #expect(journeys.journeys.first?.legs.map(\.departure.trip) == ["b1", "t1"])
    }

    // MARK: Explanations

    /// `explain` has the change of a journey as `journeys` explains it.
    @Test func changeOfAJourneyIsExplained() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let answer = try await daemon.askLengthy(
            JourneysParameters(from: "Harbor", to: "City Park", count: 1, explain: true))
        let legs = try #require(answer.journeys.first?.legs)
        let (bus, tram) = (legs[0].departure, legs[1].departure)
        var call = ExplainParameters(
            departure: tram.id, after: PreviousRide(departure: bus.id, to: try #require(bus.arrival?.stop.id)))
        #expect(call.responseTime == .lengthy && ExplainParameters(departure: tram.id).responseTime != .lengthy)
        let explained = try await daemon.askLengthy(call)
        #expect(explained.change == legs[1].change && explained.change != nil)
        #expect(explained.changeFacts == legs[1].explanation && !explained.changeFacts.isEmpty)
        #expect(explained.departure.id == tram.id && !explained.facts.isEmpty)
        call.after?.changeTime = 90
        // The time of the way is known, whatever the request states.
        #expect(try await daemon.askLengthy(call).change?.walk == legs[1].change?.walk)
        call.after = PreviousRide(departure: bus.id, to: "central:1", stayOnBoard: true)
        let stay = try await daemon.askLengthy(call)
        #expect(stay.change == nil && stay.changeFacts.map(\.fact) == ["stay_on_board"])
        call.after = PreviousRide(departure: bus.id, to: "market")
        let far = try await daemon.askLengthy(call)
        #expect(far.change == nil && far.changeFacts.isEmpty)
        #expect(
            far.notices.map(\.message) == ["No way from the stop of the arrival to Central Station is known."])
        for ride in [
            PreviousRide(departure: bus.id, to: "park"), PreviousRide(departure: bus.id, to: "harbor"),
            PreviousRide(departure: "Bus 24 08:00", to: "central:1"),
        ] {
            let error = await #expect(throws: ControlError.self) {
                try await daemon.askLengthy(ExplainParameters(departure: tram.id, after: ride))
            }
            #expect(error?.kind == .departureNotFound)
        }
    }

    // MARK: The last ones

    @Test func lastJourneysNameWhatFollows() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], BoardHandlerTests.withPlaces)
        let answer = try await daemon.askLengthy(LastJourneysParameters(from: "home", to: "Central Station", count: 1))
        #expect(answer.journeys.map { $0.legs.map(\.departure.line) } == [["24 23:50 harbor > central:1 00:10"]])
        #expect(answer.following?.legs.map(\.departure.line) == ["24 09:00 harbor > central:1 09:20"])
        #expect(answer.notices.isEmpty)
        daemon.clock.advance(by: 17 * 3600)
        let none = try await daemon.askLengthy(LastJourneysParameters(from: "home", to: "Central Station"))
        #expect(none.journeys.isEmpty && none.following != nil)
        #expect(
            none.notices.map(\.message) == [
                "No journey with at most 3 changes is left from home to Central Station before 04:00 on 2026-03-28."
            ])
        let wrong = await #expect(throws: ControlError.self) {
            try await daemon.askLengthy(LastJourneysParameters(from: "home"))
        }
        #expect(wrong?.kind == .invalidParameters)
    }

    /// The ends of a saved commute are stops.
    @Test func noticesNameTheStopsOfACommute() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], at: "2026-03-27T23:30:00Z")
        _ = try daemon.ask(CommuteAddParameters(name: "trip", from: "city:harbor", to: "city:central"))
        let none = try await daemon.askLengthy(LastJourneysParameters(commute: "trip"), uid: 1000)
        #expect(
            none.notices.map(\.message) == [
                "No journey with at most 3 changes is left from Harbor to Central Station before 04:00 on 2026-03-28."
            ])
    }

    @Test func lastJourneysPassAStop() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        func last(via: String) async throws -> [[String]] {
            try await daemon.askLengthy(
                LastJourneysParameters(from: "Harbor", to: "Central Station", via: via, count: 1)
            )
            .journeys.map { $0.legs.map(\.departure.line) }
        }
        #expect(try await last(via: "Market Square") == [["24 23:50 harbor > central:1 00:10"]])
        #expect(try await last(via: "City Park") == [])
    }

    @Test func partOfAFeedIsANotice() async throws {
        let places = try [(53.54, 9.98), (53.553, 10.006)].map {
            FeedSubset.Place.coordinate(try #require(Coordinate(latitude: $0.0, longitude: $0.1)))
        }
        let daemon = try await TestDaemon.imported(["city": .small]) {
            $0.feeds[0].keep = FeedSubset(places: places, radius: 300)
        }
        let answer = try await daemon.askLengthy(JourneysParameters(from: "Harbor", to: "Central Station", count: 1))
        #expect(answer.journeys.count == 1)
        #expect(answer.notices.map(\.kind) == [.partial])
        #expect(
            answer.notices.map(\.message) == [
                "Only a part of city is kept on this machine, and only that part is searched for journeys."
            ])
    }

    @Test func parametersAreChecked() throws {
        for text in [
            #"{"from":"a","to":"b","changes":8}"#, #"{"from":"a","to":"b","count":51}"#, #"{"from":"a"}"#,
            #"{"from":"a","to":"b","on_board":""}"#,
        ] {
            #expect(throws: WireSchemaMismatch.self) {
                try JourneysParameters(reading: JSONValue(parsing: Array(text.utf8)), as: .parameters)
            }
        }
    }
}
