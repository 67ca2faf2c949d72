import Testing
import TransitModel
import TransitRefresh

@Suite struct HTTPDateTests {
    private let now = Instant(rfc3339: "2026-03-28T08:00:00Z")!

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func allFormatsAreParsed(text: String) {
        #expect(HTTPDate.instant(text, now: now) == Instant(rfc3339: "1994-11-06T08:49:37Z"))
    }

    @Test func twoDigitYearIsAtMostFiftyYearsAhead() {
        #expect(
            HTTPDate.instant("Sunday, 06-Nov-76 08:49:37 GMT", now: now) == Instant(rfc3339: "2076-11-06T08:49:37Z"))
        #expect(
            HTTPDate.instant("Sunday, 06-Nov-77 08:49:37 GMT", now: now) == Instant(rfc3339: "1977-11-06T08:49:37Z"))
    }

    @Test(arguments: [
        "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 6x Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", String(repeating: "9", count: 200),
    ])
    func invalidTextIsRejected(text: String) { #expect(HTTPDate.instant(text, now: now) == nil) }
}

@Suite struct RetryAfterTests {
    private let now = Instant(rfc3339: "2026-03-28T08:00:00Z")!

    @Test(arguments: [
        ("0", 0), ("30", 30), (" 120 ", 120), ("86400", 86_400), ("86401", 86_400),
        ("99999999999999999999999999", 86_400),
        ("Sat, 28 Mar 2026 08:00:45 GMT", 45), ("Sat, 28 Mar 2026 07:00:00 GMT", 0),
        ("Fri, 28 Mar 2036 08:00:00 GMT", 86_400),
    ])
    func secondsAndDatesAreParsed(text: String, seconds: Int) { #expect(RetryAfter.seconds(text, now: now) == seconds) }

    @Test(arguments: ["", "-5", "1.5", "soon", "12 s", "٣"])
    func invalidTextIsRejected(text: String) { #expect(RetryAfter.seconds(text, now: now) == nil) }
}
