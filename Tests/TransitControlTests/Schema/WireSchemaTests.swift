import Testing
import TransitControl
import TransitModel
import TransitWire

@Suite struct WireSchemaTests {
    private func problem(_ method: ControlMethod, _ parameters: JSONValue) -> WireSchemaMismatch? {
        do {
            _ = try method.parse(parameters)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            (ControlMethod.next, ["cuont": 3] as JSONValue, "cuont", "is not a parameter", "Did you mean \"count\"?"),
            (
                .next, ["zzz": 3], "zzz", "is not a parameter",
                "The parameters are commute, from, to, at, count, within, reachable, changes, modes, wheelchair, "
                    + "bicycles, language, interactive."
            ),
            (.feedList, ["zzz": 3], "zzz", "is not a parameter", "There are no parameters."),
            (.next, ["count": 0], "count", "must be 1 to 100, not 0", ""),
            (.next, ["count": 1e300], "count", "must be 1 to 100, not 1e+300", ""),
            (.next, ["count": 1.5], "count", "must be a whole number, not 1.5", ""),
            (.next, ["count": "3"], "count", "must be a whole number, not a string", ""),
            (.next, ["commute": ""], "commute", "must have 1 to 64 characters, not 0", ""),
            (.next, ["commute": "a\0b"], "commute", "must not contain a NUL character", ""),
            (.next, [], "", "must be an object, not an array", ""),
            (.departures, [:], "stop", "is missing", ""),
            (.stopsNear, ["position": ["lat": 1]], "position.lon", "is missing", ""),
            (.stopsNear, ["position": ["lat": 91, "lon": 0]], "position.lat", "must be -90 to 90, not 91", ""),
            (
                .stopsNear, ["position": ["lat": 1, "lon": 2, "alt": 3]], "position.alt", "is not a parameter",
                "Did you mean \"lat\"?"
            ),
            (.feedUpdate, ["feed": "x", "force": 1], "force", "must be true or false, not a number", ""),
            (
                .routesShow, ["route": "1", "date": "2026-02-30"], "date",
                "must be a date such as 2026-03-28, not \"2026-02-30\"", ""
            ),
        ] as [(ControlMethod, JSONValue, String, String, String)])
    func errorHasPathAndHint(
        _ method: ControlMethod, _ parameters: JSONValue, _ place: String, _ text: String, _ hint: String
    ) {
        let problem = problem(method, parameters)
        #expect(problem?.place == place)
        #expect(problem?.problem == text)
        #expect(problem?.hint ?? "" == hint)
    }

    /// `JSONWriter` writes the names of members without escaping.
    @Test(arguments: ControlMethod.allCases) func memberNamesNeedNoEscaping(_ method: ControlMethod) throws {
        func check(_ schema: JSONValue) {
            switch schema {
            case .array(let elements): elements.forEach(check)
            case .object(let object):
                if case .object(let properties)? = object["properties"] {
                    for member in properties.members {
                        #expect(JSONValue.string(member.name).encoded == Array("\"\(member.name)\"".utf8))
                    }
                }
                for member in object.members { check(member.value) }
            default: break
            }
        }
        for parameter in try #require(DescribeResult(of: method).methods.first).params {
            #expect(JSONValue.string(parameter.name).encoded == Array("\"\(parameter.name)\"".utf8))
        }
        check(try JSONValue(parsing: DescribeResult(of: method).encoded))
    }

    @Test func writesMembersInPlace() throws {
        let notices = [
            Notice(kind: .stale, feed: "caltrain", message: "one", since: Timestamp(Instant(secondsSince1970: 0))),
            Notice(kind: .other, message: "two"),
        ]
        let written = notices.encoded
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"[{"kind":"stale","feed":"caltrain","message":"one","since":"1970-01-01T00:00:00Z"},"#
                + #"{"kind":"other","feed":null,"message":"two","since":null}]"#)
        #expect(try [Notice](reading: JSONValue(parsing: written), as: .result) == notices)
        #expect([Notice]().encoded == Array("[]".utf8))
        #expect([[Notice]]([[], notices]).encoded == Array("[[],".utf8) + written + Array("]".utf8))
    }

    @Test func omittedAndNullMembersHaveDefaults() throws {
        #expect(try ControlMethod.next.parse(nil) as? NextParameters == NextParameters())
        let parameters: JSONValue = ["text": "x", "count": nil, "feed": nil]
        #expect(
            try ControlMethod.stopsSearch.parse(parameters) as? StopsSearchParameters
                == StopsSearchParameters(text: "x", count: 10))
    }

    @Test func acceptsIntegerWithFraction() throws {
        #expect(try ControlMethod.next.parse(["count": 4.0]) as? NextParameters == NextParameters(count: 4))
    }

    @Test func clientIgnoresUnknownMembersAndValues() throws {
        let notice: JSONValue = ["kind": "haunted", "message": "m", "feed": nil, "since": nil, "new": 1]
        let read = try Notice(reading: notice, as: .result)
        #expect(read == Notice(kind: .other, message: "m"))
    }

    @Test func clientReadsAbsentOptionalMembersAsNull() throws {
        #expect(
            try Notice(reading: ["kind": "stale", "message": "m"], as: .result) == Notice(kind: .stale, message: "m"))
        #expect(throws: WireSchemaMismatch.self) { try Notice(reading: ["kind": "stale"], as: .result) }
    }

    @Test func errorPathIncludesArrayIndex() {
        let value: JSONValue = [
            "at": "2026-03-28T00:00:00Z", "commutes": [], "notices": [["kind": "stale", "message": 1]],
        ]
        #expect {
            try CommuteListResult(reading: value, as: .result)
        } throws: { error in
            (error as? WireSchemaMismatch)?.place == "notices.0.message"
        }
    }

    @Test func rejectsUnrecognizedCaseInParameters() {
        #expect(throws: WireSchemaMismatch.self) { try AccessibilityLevel(reading: "other", as: .parameters) }
    }
}

@Suite struct SpellingTests {
    @Test(
        arguments: [
            ("nxt", "next"), ("departure", "departures"), ("stops.serach", "stops.search"), ("STATUS", "status"),
            ("feed.list ", "feed.list"), ("xyz", nil), ("", nil), ("commute.delete", nil),
        ] as [(String, String?)])
    func findsClosestSpelling(_ word: String, _ meant: String?) {
        #expect(Spelling.closest(to: word, among: ControlMethod.allCases.map(\.rawValue)) == meant)
    }
}

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("2026-03-28T08:12:00-07:00", 1_774_710_720, -25_200), ("2026-03-28T15:12:00Z", 1_774_710_720, 0),
            ("1969-12-31T23:59:59Z", -1, 0), ("2026-10-25T02:30:00+13:45", 1_792_845_900, 49_500),
            ("9999-12-31T23:59:59+05:30", 253_402_280_999, 19_800),
            ("2024-02-29T00:00:00-00:30", 1_709_166_600, -1_800),
        ] as [(String, Int64, Int)])
    func roundTrips(_ text: String, _ seconds: Int64, _ offset: Int) throws {
        let timestamp = Timestamp(Instant(secondsSince1970: seconds), offset: offset)
        #expect(timestamp.encoded == Array("\"\(text)\"".utf8))
        #expect(try Timestamp(reading: .string(text), as: .result) == timestamp)
        #expect(text == timestamp.instant.rfc3339(offset: offset))
    }

    @Test(arguments: [
        "", "2026-03-28", "2026-03-28T08:12:00", "08:12", "2026-13-28T08:12:00Z", "2026-03-28T08:12:00+0700",
    ])
    func rejectsInvalidTimestamps(_ text: String) {
        #expect(throws: WireSchemaMismatch.self) { try Timestamp(reading: .string(text), as: .parameters) }
    }
}
