import Testing
internal import TransitModel

struct ServiceTests {
    /// Monday, March 2, 2026.
    let monday = ServiceDate(daysSince1970: 20_514)

    func service(_ weekdays: UInt8, days: Int, added: [Int] = [], removed: [Int] = []) -> Service {
        Service(
            id: "s", weekdays: weekdays, start: monday, end: monday.advanced(by: days),
            added: added.map { monday.advanced(by: $0) }, removed: removed.map { monday.advanced(by: $0) })
    }

    func days(_ service: Service) -> [Int] { (-5..<20).filter { service.runs(on: monday.advanced(by: $0)) } }

    @Test("Weekdays apply from the first through the last date")
    func weekdaysApplyWithinSpan() {
        #expect(monday.weekday == .monday)
        #expect(days(service(0b001_0101, days: 9)) == [0, 2, 4, 7, 9])
        #expect(days(service(0b100_0000, days: 6)) == [6])
        #expect(days(service(0b100_0000, days: 5)) == [])
        #expect(days(service(0b111_1111, days: -1)) == [])
    }

    @Test("Exceptions override the weekdays")
    func exceptionsOverrideWeekdays() {
        #expect(days(service(0b000_0001, days: 14, added: [-3, 1, 18], removed: [2, 7])) == [-3, 0, 1, 14, 18])
        #expect(days(service(0, days: 14, added: [3, 5], removed: [4])) == [3, 5])
    }

    @Test("The span runs from the first to the last date with service")
    func spanIsFirstToLastServiceDate() {
        func bounds(_ service: Service) -> [Int]? {
            service.span.map { [monday.days(to: $0.lowerBound), monday.days(to: $0.upperBound)] }
        }
        #expect(bounds(service(0b000_0100, days: 13)) == [2, 9])
        #expect(bounds(service(0b000_0100, days: 13, removed: [2])) == [9, 9])
        #expect(bounds(service(0b000_0100, days: 13, added: [-4, 30])) == [-4, 30])
        #expect(bounds(service(0b000_0100, days: 6, removed: [2])) == nil)
        #expect(bounds(service(0, days: 6)) == nil)
        #expect(bounds(service(0, days: 6, added: [3])) == [3, 3])
    }
}
