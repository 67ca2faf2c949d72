import Testing
import TransitControl
import TransitModel
import TransitWire

@testable import TransitClient
@testable import transitctl

/// Tests of the texts that a model reads.
@Suite struct AssistantTextTests {
    private static let zone = 3600
    private static let now = time("2026-03-28T07:00:00Z")

    private static func time(_ text: String) -> Timestamp {
        guard let value = try? Timestamp(reading: .string(text), as: .result) else { preconditionFailure(text) }
        return value.moved(to: zone)
    }

    private static func departure(
        _ expected: String, leaveBy: String? = nil, walk: Int? = nil, status: DepartureStatus = .scheduled,
        source: DepartureSource = .live, confidence: Confidence = .high, state: RealtimeState = .fresh, age: Int? = 23
    ) -> Departure {
        Departure(
            id: "city:b1@2026-03-28/2", feed: "city", trip: "b1", serviceDate: ServiceDate(daysSince1970: 20540),
            route: RouteSummary(id: "bus24", shortName: "24", type: 3), headsign: "Central",
            stop: CallStop(id: "market", name: "Market Square"), scheduled: time(expected), expected: time(expected),
            status: status, source: source, confidence: confidence, realtimeState: state, age: age,
            isApproximate: false, pickup: .regular, wheelchair: .unknown, bikes: .unknown, walk: walk,
            leaveBy: leaveBy.map { time($0) },
            arrival: Arrival(
                stop: CallStop(id: "central", name: "Central Station"), scheduled: time("2026-03-28T07:40:00Z"),
                expected: time("2026-03-28T07:40:00Z"), dropOff: .regular))
    }

    private static func next(_ departures: [Departure]) -> NextResult {
        NextResult(
            at: now,
            commute: CommuteSummary(
                name: "home-to-work", from: CommuteEndpoint(kind: .place, reference: "home", name: "home"),
                to: CommuteEndpoint(kind: .place, reference: "work", name: "work"), isInUse: false, origin: .implied),
            departures: departures)
    }

    @Test func usualDelayIsASentence() throws {
        var departure = Self.departure("2026-03-28T07:12:00Z", source: .scheduled, state: .notExpected, age: nil)
        departure.usual = Sample.usual(3, 1, 6)
        #expect(
            LeaveText.sentences(Self.next([departure])).last
                == "It is usually 3 min late (1 to 6), as 26 weekdays show.")
        departure = Self.departure("2026-03-28T07:12:00Z")
        (departure.delay, departure.usual) = (0, Sample.usual(3, 1, 6, basis: .prediction))
        #expect(
            LeaveText.sentences(Self.next([departure])).last
                == "It is likely to leave at 08:15, as earlier predictions like this one show.")
    }

    @Test func timeToLeaveIsFirst() throws {
        let result = Self.next([
            Self.departure("2026-03-28T07:12:00Z", leaveBy: "2026-03-28T07:04:00Z", walk: 480)
        ])
        let text = try AssistantText(units: .metric).text(
            of: JSONValue(parsing: result.encoded), for: NextParameters())
        #expect(
            text.hasPrefix(
                """
                As of Saturday 28 March 2026, 08:00 (UTC+01:00).
                From home to work.
                Leave by 08:04 (in 4 minutes), walk 8 min, and take Bus 24 at 08:12 from Market Square, which arrives at \
                Central Station at 08:40.
                This time is live (high confidence, data 23 seconds old).
                Bus 24 in 12 minutes (live) at 08:12
                """), "\(text)")
    }

    @Test func departuresThatCannotBeReachedAreSkipped() {
        let sentences = LeaveText.sentences(
            Self.next([
                Self.departure("2026-03-28T07:02:00Z", leaveBy: "2026-03-28T06:54:00Z", walk: 480),
                Self.departure("2026-03-28T07:10:00Z", leaveBy: "2026-03-28T07:02:00Z", walk: 480, status: .canceled),
                Self.departure(
                    "2026-03-28T07:20:00Z", leaveBy: "2026-03-28T07:00:30Z", walk: 1170, source: .scheduled,
                    confidence: .medium, state: .missing, age: nil),
            ]))
        #expect(sentences[1].hasPrefix("Leave now, by 08:00, walk 20 min, and take Bus 24 at 08:20"), "\(sentences)")
        #expect(
            sentences[2]
                == "This time is from the timetable (medium confidence, not in the realtime data although it should be)."
        )
    }

    @Test func missedDeparturesAreNotAdvised() {
        let late = Self.departure("2026-03-28T07:02:00Z", leaveBy: "2026-03-28T06:54:00Z", walk: 480)
        #expect(LeaveText.sentences(Self.next([late])).last?.hasPrefix("None of these departures") == true)
        #expect(LeaveText.sentences(Self.next([])) == ["From home to work."])
    }

    @Test func journeyBetweenStopsHasNoWalk() {
        let sentences = LeaveText.sentences(Self.next([Self.departure("2026-03-28T07:12:00Z")]))
        #expect(sentences[1].hasPrefix("Be at the stop by 08:12 (in 12 minutes) and take Bus 24"), "\(sentences)")
    }

    @Test func freshnessOfBoardIsSummarized() {
        let live = Self.departure("2026-03-28T07:12:00Z", age: 23)
        let old = Self.departure("2026-03-28T07:22:00Z", state: .aging, age: 130)
        let scheduled = Self.departure("2026-03-28T07:32:00Z", source: .scheduled, age: 5)
        #expect(
            FreshnessText.of([live, old, scheduled])
                == "2 of 3 departures have realtime data, 23 seconds to 2 minutes old.")
        #expect(
            FreshnessText.of([scheduled]) == "The departure has no realtime data; its time is from the timetable.")
        #expect(FreshnessText.of([live]) == "The departure has realtime data, 23 seconds old.")
        #expect(
            FreshnessText.of([scheduled, scheduled])
                == "None of 2 departures has realtime data; the times are from the timetable.")
        #expect(FreshnessText.of([]) == nil)
    }

    @Test func failureNamesRemedy() {
        let error = ControlError(.stopNotFound, "There is no stop \"x\".", hint: "Search for it.")
        #expect(AssistantText.text(of: .refused(error)) == "There is no stop \"x\".\n  Search for it.\n")
        let closed = AssistantText.text(of: .closed(path: "/s", received: 0))
        #expect(closed == "the daemon at /s closed the connection without a response; try again\n")
    }
}
