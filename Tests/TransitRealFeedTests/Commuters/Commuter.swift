import TransitControl
import TransitModel
import TransitTestSupport

/// A person who uses notifications, with the ways that the person makes.
struct Commuter: Sendable {
    /// One way on some days of the week.
    struct Way: Sendable {
        /// When the person can leave.
        enum Habit: Sendable {
            /// Always for the departure at a scheduled time, "07:59". On one day of twelve, the person is late by up to 20
            /// minutes.
            case departure(String)
            /// Up to four minutes after the window opens. On one day of six, up to 40 minutes later.
            case window(String)
        }

        var commute: String
        var days: Set<Weekday>
        var habit: Habit
        /// The share of the trips that the person reports as taken.
        var reports = 0.0
        /// Whether the person has a subject for it, so that a notice to leave is expected.
        var isWatched = true
    }

    var name: String
    var uid: UInt32
    var about: String
    var ways: [Way]
    /// The requests that set everything up.
    var setup: @Sendable (CommuterDaemon, UInt32) throws -> Void

    static let weekdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]

    static let all = [pinned, learned, windows, twoJobs, nightShift]

    /// Sets a place at a station.
    static func place(_ name: String, _ stop: String, walk: Int, _ daemon: CommuterDaemon, _ uid: UInt32) throws {
        try daemon.ask(
            PlaceSetParameters(place: name, stop: "caltrain:\(stop)", walk: walk), uid: uid)
    }

    static func commute(
        _ name: String, _ from: String, _ to: String, windows: [String], days: [String] = ["weekdays"],
        _ daemon: CommuterDaemon, _ uid: UInt32
    ) throws {
        try daemon.ask(
            CommuteAddParameters(
                name: name, from: from, to: to, replace: true, windows: windows, days: days),
            uid: uid)
    }

    /// Pins a departure of a commute.
    static func pin(_ commute: String, _ clock: String, _ daemon: CommuterDaemon, _ uid: UInt32) throws {
        // The time at which the person leaves home.
        let found = try daemon.ask(
            NextParameters(commute: commute, at: "mon \(clock.prefix(2)):00", count: 10), uid: uid)
        guard let departure = found.departures.first(where: { $0.scheduled?.clock == clock }) else {
            throw Missing(name: "\(commute) \(clock): \(found.departures.map { $0.scheduled?.clock ?? "-" })")
        }
        try daemon.ask(UsualPinParameters(departure: departure.id, days: ["weekdays"]), uid: uid)
    }

    struct Missing: Error { var name: String }

    // MARK: The five

    /// One pinned departure each way.
    static let pinned = Commuter(
        name: "Pia", uid: 2001,
        about: "pinned: 07:59 from San Mateo and 17:20 from San Francisco, Monday to Friday; never reports a trip",
        ways: [
            Way(commute: "home-to-work", days: weekdays, habit: .departure("07:59")),
            Way(commute: "work-to-home", days: weekdays, habit: .departure("17:20")),
        ]
    ) { daemon, uid in
        try place("home", "san_mateo", walk: 9 * 60, daemon, uid)
        try place("work", "san_francisco", walk: 7 * 60, daemon, uid)
        try pin("home-to-work", "07:59", daemon, uid)
        try pin("work-to-home", "17:20", daemon, uid)
    }

    /// Departures that were learned in two weeks.
    static let learned = Commuter(
        name: "Lena", uid: 2002,
        about: "learned: 07:18 from Redwood City and 17:48 from San Francisco, from two weeks of reported trips and of "
            + "requests; reports none afterwards",
        ways: [
            Way(commute: "home-to-work", days: weekdays, habit: .departure("07:18")),
            Way(commute: "work-to-home", days: weekdays, habit: .departure("17:48")),
        ]
    ) { daemon, uid in
        try place("home", "redwood_city", walk: 8 * 60, daemon, uid)
        try place("work", "san_francisco", walk: 10 * 60, daemon, uid)
        try learn(daemon, uid)
    }

    /// Two weeks before the simulation: a request a few minutes before each departure, and a report on every other day.
    private static func learn(_ daemon: CommuterDaemon, _ uid: UInt32) throws {
        let zone = try systemZone("America/Los_Angeles")
        let end = daemon.now
        var date = zone.civil(at: end).date.advanced(by: -16)
        while zone.instant(date: date, secondsOfDay: 0) < end {
            for (commute, clock) in [("home-to-work", "07:18"), ("work-to-home", "17:48")] {
                guard date.weekday.rawValue < 5, date.description != "2026-02-16" else { continue }
                let hours = Int(clock.prefix(2))!
                let minutes = Int(clock.suffix(2))!
                let leaves = zone.instant(date: date, secondsOfDay: hours * 3600 + minutes * 60)
                guard leaves < end else { continue }
                daemon.set(leaves.advanced(by: -15 * 60))
                let found = try daemon.ask(NextParameters(commute: commute, count: 5, interactive: true), uid: uid)
                guard let departure = found.departures.first(where: { $0.scheduled?.clock == clock }) else { continue }
                daemon.set(leaves.advanced(by: 60))
                try daemon.ask(TakenAddParameters(departure: departure.id), uid: uid)
            }
            date = date.advanced(by: 1)
        }
        daemon.set(end)
    }

    /// Windows only.
    static let windows = Commuter(
        name: "Willa", uid: 2003,
        about:
            "windows only: Palo Alto to San Francisco 07:30-09:00 and back 17:00-18:30, takes what comes first; never "
            + "reports a trip",
        ways: [
            Way(commute: "home-to-work", days: weekdays, habit: .window("07:30")),
            Way(commute: "work-to-home", days: weekdays, habit: .window("17:00")),
        ]
    ) { daemon, uid in
        try place("home", "palo_alto", walk: 10 * 60, daemon, uid)
        try place("work", "san_francisco", walk: 12 * 60, daemon, uid)
        try commute("home-to-work", "home", "work", windows: ["07:30-09:00"], daemon, uid)
        try commute("work-to-home", "work", "home", windows: ["17:00-18:30"], daemon, uid)
    }

    /// Two jobs, several windows a day.
    static let twoJobs = Commuter(
        name: "Tom", uid: 2004,
        about:
            "two jobs: Redwood City on Monday, Wednesday and Friday, San Mateo on Tuesday and Thursday and on Monday "
            + "evening; lives in Mountain View; reports one trip in four",
        ways: [
            Way(commute: "to-garage", days: [.monday, .wednesday, .friday], habit: .window("07:30"), reports: 0.25),
            Way(commute: "from-garage", days: [.monday, .wednesday, .friday], habit: .window("12:15"), reports: 0.25),
            Way(commute: "to-bar", days: [.tuesday, .thursday], habit: .window("09:00"), reports: 0.25),
            Way(commute: "from-bar", days: [.tuesday, .thursday], habit: .window("17:30"), reports: 0.25),
            Way(commute: "to-late-bar", days: [.monday], habit: .window("15:30"), reports: 0.25),
            Way(commute: "from-late-bar", days: [.monday], habit: .window("20:30"), reports: 0.25),
        ]
    ) { daemon, uid in
        try place("home", "mountain_view", walk: 11 * 60, daemon, uid)
        try place("garage", "redwood_city", walk: 5 * 60, daemon, uid)
        try place("bar", "san_mateo", walk: 6 * 60, daemon, uid)
        try commute("to-garage", "home", "garage", windows: ["07:30-08:30"], days: ["mon", "wed", "fri"], daemon, uid)
        try commute(
            "from-garage", "garage", "home", windows: ["12:15-13:30"], days: ["mon", "wed", "fri"], daemon, uid)
        try commute("to-bar", "home", "bar", windows: ["09:00-10:00"], days: ["tue", "thu"], daemon, uid)
        try commute("from-bar", "bar", "home", windows: ["17:30-18:45"], days: ["tue", "thu"], daemon, uid)
        try commute("to-late-bar", "home", "bar", windows: ["15:30-16:30"], days: ["mon"], daemon, uid)
        try commute("from-late-bar", "bar", "home", windows: ["20:30-21:30"], days: ["mon"], daemon, uid)
    }

    /// Works at night.
    static let nightShift = Commuter(
        name: "Nora", uid: 2005,
        about:
            "night shift: San Mateo to San Francisco 21:10-22:20, and home 04:40-06:00 from Tuesday to Saturday; the "
            + "built-in quiet hours (22:00-07:00) in the first week, then 08:00-16:00; reports only the way to "
            + "a concert on Saturday, from which the last train leads home",
        ways: [
            Way(commute: "home-to-work", days: weekdays, habit: .window("21:00")),
            Way(
                commute: "work-to-home", days: [.tuesday, .wednesday, .thursday, .friday], habit: .window("04:35")),
            // On Saturday evening, to a concert and home with the last train.
            Way(commute: "home-to-work", days: [.saturday], habit: .departure("18:46"), reports: 1, isWatched: false),
            Way(commute: "work-to-home", days: [.saturday], habit: .departure("24:05"), isWatched: false),
        ]
    ) { daemon, uid in
        try place("home", "san_mateo", walk: 9 * 60, daemon, uid)
        try place("work", "san_francisco", walk: 6 * 60, daemon, uid)
        try commute("home-to-work", "home", "work", windows: ["21:00-22:20"], daemon, uid)
        try commute(
            "work-to-home", "work", "home", windows: ["04:35-06:10"], days: ["tue", "wed", "thu", "fri"], daemon, uid)
    }
}

extension Timestamp {
    /// The time of day at the place, "07:59".
    var clock: String { String(instant.rfc3339(offset: offset).dropFirst(11).prefix(5)) }
}
