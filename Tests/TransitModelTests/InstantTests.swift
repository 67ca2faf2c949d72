import Testing
internal import TransitModel

struct InstantTests {
    static let moments: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("2026-03-28T08:12:00-07:00", 1_774_710_720),
        ("2026-03-28T08:12:00.999Z", 1_774_685_520), ("2026-03-28 08:12:00z", 1_774_685_520),
        ("2026-03-28t08:12:00+05:45", 1_774_664_820), ("1969-12-31T23:59:59Z", -1),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ]

    @Test("RFC 3339 is parsed", arguments: moments)
    func parsesRFC3339(text: String, seconds: Int64) {
        #expect(Instant(rfc3339: text)?.secondsSince1970 == seconds)
    }

    @Test(
        "Invalid RFC 3339 is rejected",
        arguments: [
            "", "2026-03-28", "2026-03-28T08:12:00", "2026-03-28T08:12Z", "2026-02-29T08:12:00Z",
            "2026-03-28T24:00:00Z",
            "2026-03-28T08:60:00Z", "2026-03-28T08:12:61Z", "2026-03-28T08:12:00+25:00", "2026-03-28T08:12:00+05:60",
            "2026-03-28T08:12:00+0545", "2026-03-28T08:12:00Zx", "2026-03-28T08:12:00.", "2026-03-28T08:12:00.Z",
            "2026/03/28T08:12:00Z", "2026-03-28X08:12:00Z", "20260328T081200Z     ", "2026-03-28T08:12:00 Z",
        ])
    func invalidRFC3339IsRejected(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test("Formatted instants are parsed again with every offset")
    func formattedInstantsAreParsedAgain() {
        for offset in stride(from: -14 * 3600, through: 14 * 3600, by: 900) {
            for seconds in [Int64(-1), 0, 1_774_685_520, -5_000_000_000, 4_102_444_800] {
                let instant = Instant(secondsSince1970: seconds)
                #expect(Instant(rfc3339: instant.rfc3339(offset: offset)) == instant)
            }
        }
        #expect(Instant(secondsSince1970: 0).rfc3339(offset: -12_600) == "1969-12-31T20:30:00-03:30")
        #expect(Instant(secondsSince1970: 0).rfc3339() == "1970-01-01T00:00:00Z")
    }

    @Test("Seconds are added and subtracted")
    func secondsAreAddedAndSubtracted() {
        let instant = Instant(secondsSince1970: 100)
        #expect(instant.advanced(by: -130).secondsSince1970 == -30)
        #expect(instant.seconds(to: Instant(secondsSince1970: 90)) == -10)
        #expect(Instant(secondsSince1970: 90) < instant)
    }
}
