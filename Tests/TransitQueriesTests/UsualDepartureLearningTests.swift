import Testing
import TransitModel
import TransitTestSupport

@testable import TransitQueries
@testable import TransitStore

/// What a person asks for and takes, as `date time`, with `*` after a trip, and the usual departures that follow from it.
@Suite struct UsualDepartureLearningTests {
    /// A Friday.
    private static let today = ServiceDate(iso8601: "2026-03-27")!

    private static func evidence(_ text: String, commute: String? = "work") throws -> UsualDepartureLearning.Evidence {
        let parts = text.split(separator: " ")
        let date = try #require(ServiceDate(iso8601: "2026-\(parts[0])"))
        let clock = parts[1].prefix { $0 != "*" }.split(separator: ":").compactMap { Int($0) }
        let seconds = clock[0] * 3600 + clock[1] * 60
        let scheduled = Instant(secondsSince1970: Int64(date.daysSince1970) * 86_400 + Int64(seconds))
        return UsualDepartureLearning.Evidence(
            departure: DepartureKey(
                feed: "city", route: parts.count > 2 ? RouteID(String(parts[2])) : "24", direction: .zero,
                stop: "harbor", scheduled: scheduled, serviceDate: date),
            time: ServiceTime(seconds: Int32(seconds)), commute: commute, isTaken: parts[1].hasSuffix("*"),
            at: scheduled.advanced(by: -600))
    }

    /// Returns departures as `HH:MM days`, where `12345` are the working days.
    private static func learned(
        _ texts: [String], today: ServiceDate = today, forgotten: [ForgottenDeparture] = []
    ) throws -> [String] {
        let learning = UsualDepartureLearning(today: today, forgotten: forgotten)
        return learning.learn(try texts.map { try evidence($0) }).map { one in
            let days = Weekday.allCases.filter(one.departure.days.contains).map { String($0.rawValue + 1) }.joined()
            return "\(one.departure.time.description.prefix(5)) \(days)"
        }
    }

    struct Case: CustomTestStringConvertible {
        var name: String
        var evidence: [String]
        var expected: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "nothing", evidence: [], expected: []),
        Case(name: "two dates are too few", evidence: ["03-25 08:12", "03-26 08:12"], expected: []),
        Case(
            name: "many requests on two dates are too few",
            evidence: ["03-25 08:12", "03-25 08:12", "03-26 08:12", "03-26 08:12", "03-26 08:24"], expected: []),
        Case(
            name: "only days with evidence", evidence: ["03-24 08:12", "03-25 08:12", "03-26 08:12"],
            expected: ["08:12 234"]),
        Case(
            name: "two departures on different days",
            evidence: [
                "03-02 08:12*", "03-03 08:12*", "03-04 08:12*", "03-05 09:12*", "03-06 09:12*", "03-09 08:12*",
                "03-10 08:12*", "03-11 08:12*", "03-12 09:12*", "03-13 09:12*", "03-16 08:12*", "03-17 08:12*",
                "03-18 08:12*", "03-19 09:12*", "03-20 09:12*",
            ], expected: ["08:12 123", "09:12 45"]),
        Case(
            name: "one ride on each of three departures", evidence: ["03-24 08:12*", "03-25 08:27*", "03-26 08:42*"],
            expected: []),
        Case(
            name: "every day of the week",
            evidence: (16...22).map { "03-\($0) 08:12*" }, expected: ["08:12 1234567"]),
        Case(
            name: "two departures a minute apart",
            evidence: [
                "03-16 08:12*", "03-17 08:13*", "03-18 08:12*", "03-19 08:13*", "03-20 08:12*", "03-24 08:13*",
            ], expected: ["08:12 135", "08:13 24"]),
        Case(
            name: "a timetable that moves the departure by a minute",
            evidence: ["03-16 08:12*", "03-17 08:12*", "03-23 08:13*"], expected: ["08:13 12"]),
        Case(
            name: "a timetable that moves the departure by five minutes",
            evidence: ["03-16 08:12*", "03-17 08:12*", "03-23 08:17*"], expected: []),
        Case(
            name: "a request before another departure that was taken",
            evidence: ["03-24 08:12", "03-24 08:24*", "03-25 08:12", "03-25 08:24*", "03-26 08:12", "03-26 08:24*"],
            expected: ["08:24 234"]),
        Case(
            name: "one day of the week", evidence: ["03-06 18:00", "03-13 18:00", "03-20 18:00"],
            expected: ["18:00 5"]),
        Case(
            name: "weekend", evidence: ["03-07 10:00", "03-14 10:00", "03-21 10:00", "03-22 10:00"],
            expected: ["10:00 67"]),
        Case(
            name: "a rare Saturday is not common",
            evidence: ["03-09", "03-10", "03-14", "03-16", "03-17", "03-23", "03-24"].map { "\($0) 08:12" },
            expected: ["08:12 12"]),
        Case(
            name: "requests and trips for two departures are apart",
            evidence: ["03-23 08:12", "03-24 08:12", "03-25 08:24*", "03-26 08:24*"], expected: []),
        Case(
            name: "morning and evening",
            evidence: ["03-24 08:12", "03-25 08:12", "03-26 08:12", "03-24 17:30", "03-25 17:30", "03-26 17:30"],
            expected: ["08:12 234", "17:30 234"]),
        Case(
            name: "old evidence decays", evidence: ["01-02 08:12", "01-05 08:12", "01-06 08:12"], expected: []),
        Case(
            name: "a date in the future does not count", evidence: ["03-25 08:12", "03-26 08:12"] + ["09-01 08:12"],
            expected: []),
        Case(
            name: "trip after midnight", evidence: ["03-23 24:30", "03-24 24:30", "03-25 24:30"],
            expected: ["24:30 123"]),
    ])
    func usualDepartures(_ one: Case) throws {
        #expect(try Self.learned(one.evidence) == one.expected)
    }

    @Test func weightHalves() throws {
        let texts = ["03-24 08:12", "03-25 08:12", "03-26 08:12"]
        let evidence = try texts.map { try Self.evidence($0) }
        func weight(_ days: Int) -> Double? {
            UsualDepartureLearning(today: Self.today.advanced(by: days)).learn(evidence).first?.weight
        }
        let now = try #require(weight(0))
        #expect(abs(try #require(weight(26)) - now * 0.5253) < 0.001)
        #expect(weight(27) == nil, "below the minimum")
    }

    @Test func forgottenDepartureIsLearnedAgainFromLaterEvidence() throws {
        let forgotten = ForgottenDeparture(
            feed: "city", route: "24", direction: .zero, stop: "harbor", time: ServiceTime(seconds: 8 * 3600 + 720),
            at: Instant(rfc3339: "2026-03-20T20:00:00Z")!)
        let before = ["03-17 08:12*", "03-18 08:12*", "03-19 08:12*"]
        let after = ["03-24 08:12", "03-25 08:12", "03-26 08:12"]
        #expect(try Self.learned(before, forgotten: [forgotten]) == [])
        #expect(try Self.learned(before + after.dropLast(), forgotten: [forgotten]) == [])
        #expect(try Self.learned(before + after, forgotten: [forgotten]) == ["08:12 234"])
        #expect(try Self.learned(before.map { $0.replacing("08:12", with: "17:12") }, forgotten: [forgotten]) != [])
    }

    /// A departure is forgotten alone, however close another one is, and with the time from which it was moved.
    @Test func departureIsForgottenAlone() throws {
        func forgotten(_ time: Int32) -> ForgottenDeparture {
            ForgottenDeparture(
                feed: "city", route: "24", direction: .zero, stop: "harbor", time: ServiceTime(seconds: time * 60),
                at: Instant(rfc3339: "2026-03-26T20:00:00Z")!)
        }
        let two = ["08:12", "08:13", "09:12"].enumerated().flatMap { position, time in
            (0..<3).map { "03-\(10 + 3 * $0 + position) \(time)*" }
        }
        #expect(try Self.learned(two).map { $0.prefix(5) } == ["08:12", "08:13", "09:12"])
        #expect(try Self.learned(two, forgotten: [forgotten(492)]).map { $0.prefix(5) } == ["08:13", "09:12"])
        #expect(try Self.learned(two, forgotten: [forgotten(552)]).map { $0.prefix(5) } == ["08:12", "08:13"])
        let moved = ["03-09 08:12*", "03-10 08:12*", "03-11 08:12*", "03-16 08:13*", "03-17 08:13*", "03-18 08:13*"]
        #expect(try Self.learned(moved) == ["08:13 123"])
        #expect(try Self.learned(moved, forgotten: [forgotten(493)]) == [])
    }

    @Test func tripsWithoutCommuteAreGroupedByRouteAndStop() throws {
        let texts = ["03-24 08:12*", "03-25 08:12*", "03-26 08:12* 25"]
        let evidence = try texts.map { try Self.evidence($0, commute: nil) }
        #expect(UsualDepartureLearning(today: Self.today).learn(evidence).isEmpty)
        let same = try texts.map { try Self.evidence(String($0.prefix(12)), commute: nil) }
        #expect(UsualDepartureLearning(today: Self.today).learn(same).count == 1)
    }

    @Test(arguments: testSeeds(7, 8, 9))
    func orderDoesNotMatter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = (0..<40).map { _ in
            let time = "\(random.number(10...12)):\(random.number(1...5))0"
            return "03-\(random.number(10...27)) \(time)\(random.number(0...2) == 0 ? "*" : "")"
        }
        let evidence = try texts.map { try Self.evidence($0) }
        let learning = UsualDepartureLearning(today: Self.today)
        #expect(learning.learn(evidence) == learning.learn(evidence.shuffled(using: &random)))
    }

    /// A usual departure is a time of day, whose instant moves with the clock changes.
    @Test(arguments: [
        ("2026-03-27", 29_520, "2026-03-27T08:12:00+01:00"), ("2026-03-29", 29_520, "2026-03-29T08:12:00+02:00"),
        ("2026-10-25", 29_520, "2026-10-25T08:12:00+01:00"), ("2026-03-28", 88_200, "2026-03-29T00:30:00+01:00"),
        ("2026-10-24", 88_200, "2026-10-25T00:30:00+02:00"),
    ])
    func usualDepartureIsSameAcrossClockChanges(date: String, time: Int32, scheduled: String) throws {
        let usual = SavedUsualDeparture(
            feed: "city", route: "24", direction: .zero, stop: "harbor", time: ServiceTime(seconds: time),
            days: Set(Weekday.allCases), isPinned: false)
        let key = DepartureKey(
            feed: "city", route: "24", direction: .zero, stop: "harbor",
            scheduled: try #require(Instant(rfc3339: scheduled)), serviceDate: try #require(ServiceDate(iso8601: date)))
        let zone = try systemZone("Europe/Berlin")
        #expect(usual.isSame(as: key, zone: zone))
        var other = key
        other.scheduled = key.scheduled.advanced(by: 3600)
        #expect(!usual.isSame(as: other, zone: zone))
        #expect(usual.isMeant(on: key.serviceDate))
    }
}

@Suite struct TripGuessTests {
    private static let now = Instant(rfc3339: "2026-03-27T08:20:00Z")!

    /// Returns a candidate that left some minutes ago.
    private static func candidate(
        _ id: String, _ minutes: Int, _ reason: TripGuess.Candidate.Reason, isRunning: Bool = true
    ) -> TripGuess.Candidate {
        TripGuess.Candidate(
            id: id, departure: now.advanced(by: -minutes * 60), isRunning: isRunning, reason: reason)
    }

    struct Case: CustomTestStringConvertible {
        var name: String
        var candidates: [TripGuess.Candidate]
        /// The found departure, or several.
        var expected: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "nothing", candidates: [], expected: []),
        Case(name: "the only one", candidates: [candidate("a", 5, .commute)], expected: ["a"]),
        Case(name: "about to leave", candidates: [candidate("a", -2, .commute)], expected: ["a"]),
        Case(name: "leaves later", candidates: [candidate("a", -3, .commute)], expected: []),
        Case(name: "left long ago", candidates: [candidate("a", 21, .usual)], expected: []),
        Case(
            name: "the latest", candidates: [candidate("a", 15, .commute), candidate("b", 3, .commute)], expected: ["b"]
        ),
        Case(
            name: "two at the same time", candidates: [candidate("a", 4, .commute), candidate("b", 3, .commute)],
            expected: ["a", "b"]),
        Case(
            name: "usual before others", candidates: [candidate("a", 12, .usual), candidate("b", 3, .viewedCommute)],
            expected: ["a"]),
        Case(
            name: "a board that was looked at before a commute",
            candidates: [candidate("a", 4, .viewed), candidate("b", 3, .commute)], expected: ["a"]),
        Case(
            name: "canceled", candidates: [candidate("a", 3, .usual, isRunning: false), candidate("b", 5, .commute)],
            expected: ["b"]),
        Case(
            name: "the strongest reason counts",
            candidates: [candidate("a", 3, .commute), candidate("a", 3, .usual), candidate("b", 3, .viewed)],
            expected: ["a"]),
    ])
    func guess(_ one: Case) {
        let found: [String] =
            switch TripGuess.choose(one.candidates, now: Self.now) {
            case .none: []
            case .found(let candidate): [candidate.id]
            case .ambiguous(let candidates): candidates.map(\.id)
            }
        #expect(found == one.expected)
    }
}
