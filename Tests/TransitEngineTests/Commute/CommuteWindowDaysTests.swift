import Testing
internal import TransitEngine
internal import TransitModel

struct CommuteWindowDaysTests {
    private static let weekdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]

    @Test(
        arguments: [
            ("mon", [.monday]), ("sun", [.sunday]), ("weekdays", weekdays), ("weekends", [.saturday, .sunday]),
            ("mon-fri", weekdays), ("sat-mon", [.saturday, .sunday, .monday]), ("wed-wed", [.wednesday]),
            ("mon-sun", Set(Weekday.allCases)),
        ] as [(String, Set<Weekday>)])
    func daysAreParsedAndFormatted(_ text: String, _ days: Set<Weekday>) {
        #expect(CommuteWindow.days(text) == days)
    }

    @Test(arguments: ["", "monday", "Mon", "-", "mon-", "-fri", "mon-fri-sun", "mon–fri", "weekdays-sun", "mon,wed"])
    func otherTextIsRejected(_ text: String) { #expect(CommuteWindow.days(text) == nil) }

    @Test func descriptionUsesSameForms() throws {
        #expect(CommuteWindow("7:00-09:30")?.description == "07:00-09:30")
        #expect(CommuteWindow("07:00-09:30", days: Self.weekdays)?.description == "07:00-09:30 weekdays")
        #expect(CommuteWindow("16:05-23:59", days: [.wednesday, .monday])?.description == "16:05-23:59 mon, wed")
        #expect(CommuteWindow("16:05-23:59", days: [.sunday])?.description == "16:05-23:59 sun")
    }
}
