import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

@Suite("The window of a commute")
struct CommuteWindowTests {
    @Test(
        "It is written as two times of day",
        arguments: [
            ("07:00-09:30", 25_200, 34_200), ("7:05-7:06", 25_500, 25_560), ("00:00-23:59", 0, 86_340),
        ])
    func written(text: String, start: Int, end: Int) throws {
        let window = try #require(CommuteWindow(text))
        #expect((window.start, window.end) == (start, end))
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "07:00", "09:00-07:00", "07:00-07:00", "7-9", "07:60-08:00", "24:00-25:00", "07:00-08:00-09:00",
            "7:0-8:0",
        ])
    func refused(text: String) { #expect(CommuteWindow(text) == nil) }

    @Test("It comes on its days only, by the wall clock also when that changes")
    func days() throws {
        let zone = try systemZone("Europe/Berlin")
        let window = try #require(CommuteWindow("07:00-09:00", days: [.saturday, .sunday, .monday]))
        // Friday; the clock goes forward on Sunday.
        let now = try #require(Instant(rfc3339: "2026-03-27T12:00:00Z"))
        let starts = window.instances(from: now, days: 4, in: zone).map { zone.rfc3339($0.lowerBound) }
        #expect(
            starts == ["2026-03-28T07:00:00+01:00", "2026-03-29T07:00:00+02:00", "2026-03-30T07:00:00+02:00"])
    }

    @Test("One that is under way counts, one that is over does not")
    func today() throws {
        let window = try #require(CommuteWindow("07:00-09:00"))
        let inside = try #require(Instant(rfc3339: "2026-03-27T08:00:00Z"))
        let after = try #require(Instant(rfc3339: "2026-03-27T09:00:01Z"))
        #expect(window.instances(from: inside, days: 0, in: .utc).count == 1)
        #expect(window.instances(from: after, days: 0, in: .utc).isEmpty)
    }
}
