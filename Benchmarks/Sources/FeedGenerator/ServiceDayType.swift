/// The types of service days, with headways and running times by time of day.
enum ServiceDayType: String, CaseIterable {
    case weekday = "WKDY"
    case schoolHoliday = "HOL"
    case saturday = "SAT"
    case sunday = "SUN"

    /// A period of the day. `start` and `end` are seconds of service time. `headway` is in percent of the headway at the
    /// busiest time, and `running` is in percent of the running time without traffic.
    struct Band {
        var start: Int
        var end: Int
        var headway: Int
        var running: Int
    }

    func bands(night: Bool) -> [Band] {
        if night { return [Band(start: 23 * 3600, end: 29 * 3600, headway: 300, running: 95)] }
        let slack = self == .schoolHoliday ? 3 : 0
        switch self {
        case .weekday, .schoolHoliday:
            return [
                Band(start: 18_000, end: 24_300, headway: 200, running: 100),
                Band(start: 24_300, end: 33_300, headway: 100, running: 128 - slack),
                Band(start: 33_300, end: 54_000, headway: 150, running: 112),
                Band(start: 54_000, end: 67_500, headway: 100, running: 131 - slack),
                Band(start: 67_500, end: 91_800, headway: 250, running: 104),
            ]
        case .saturday:
            return [
                Band(start: 20_700, end: 32_400, headway: 250, running: 100),
                Band(start: 32_400, end: 70_200, headway: 170, running: 110),
                Band(start: 70_200, end: 93_600, headway: 280, running: 104),
            ]
        case .sunday:
            return [
                Band(start: 25_200, end: 36_000, headway: 330, running: 100),
                Band(start: 36_000, end: 88_200, headway: 250, running: 104),
            ]
        }
    }

    /// The fields of a row of calendar.txt after `service_id`. The dates are fixed, so that a feed never changes.
    var weekdays: String {
        switch self {
        case .weekday: "1,1,1,1,1,0,0,20260101,20271231"
        case .schoolHoliday: "0,0,0,0,0,0,0,20260101,20271231"
        case .saturday: "0,0,0,0,0,1,0,20260101,20271231"
        case .sunday: "0,0,0,0,0,0,1,20260101,20271231"
        }
    }

    /// Dates with Sunday service.
    static let publicHolidays = [20_260_101, 20_260_403, 20_260_501, 20_260_525, 20_261_225, 20_270_101, 20_270_329]
    static let schoolHolidays = [20_260_330, 20_260_331, 20_260_401, 20_260_402, 20_260_720, 20_260_721, 20_260_722]
}
