import Testing
import TransitControl
import TransitModel

@testable import transitctl

/// Sample results of the daemon.
enum Sample {
    static let zone = -7 * 3600

    /// Returns a time on March 28, 2026, in California, or `days` later.
    static func time(_ clock: String, days: Int = 0) throws -> Timestamp {
        let time = try #require(Timestamp(rfc3339: "2026-03-28T\(clock):00-07:00"))
        return Timestamp(time.instant.advanced(by: days * 86_400), offset: zone)
    }

    static let bus = RouteSummary(id: "R24", shortName: "24", longName: "Mill Lane - Airport", type: 3, color: "E31837")
    static let tram = RouteSummary(id: "R2", shortName: "2", type: 0)
    static let train = RouteSummary(id: "L1", shortName: "Train 1", longName: "Local Train", type: 2)

    static func departure(
        _ route: RouteSummary, _ clock: String, days: Int = 0, delay: Int? = nil,
        status: DepartureStatus = .scheduled, source: DepartureSource = .scheduled
    ) throws -> Departure {
        let scheduled = try time(clock, days: days)
        return Departure(
            id: "d", feed: "demo", trip: "T1", serviceDate: scheduled.date, route: route, headsign: "Airport",
            stop: CallStop(id: "70211", name: "Mill Lane", platform: "2"), scheduled: scheduled,
            expected: delay.map { Timestamp(scheduled.instant.advanced(by: $0), offset: zone) }, delay: delay,
            status: status, source: source, confidence: .medium, isApproximate: false, pickup: .regular,
            wheelchair: .possible, bikes: .unknown)
    }

    /// When a departure usually leaves, in minutes after the timetable.
    static func usual(
        _ minutes: Double, _ earliest: Double, _ latest: Double, basis: UsualDelayBasis = .departure
    ) -> UsualDelay {
        UsualDelay(
            delay: Int(minutes * 60), earliest: Int(earliest * 60), latest: Int(latest * 60), days: 26,
            dayKind: .weekday, basis: basis)
    }

    /// The delays of a departure on earlier days.
    static let punctuality = LearnedPunctuality(
        days: 26, dayKind: .weekday, medianDelay: 150,
        delays: [
            DelayShare(to: -60, share: 2), DelayShare(from: -60, to: 60, share: 30),
            DelayShare(from: 60, to: 180, share: 37), DelayShare(from: 180, to: 360, share: 22),
            DelayShare(from: 360, to: 900, share: 9), DelayShare(from: 900, share: 0),
        ], notServed: 3)

    static let delays = LearnedDelayStatus(
        departures: 1204, bytes: 412_000, coverage: 79, judged: 4210, sourceError: 74, correctedError: 58,
        correcting: true, repeatsTimetable: false)

    static func arrival(_ clock: String, at name: String = "Harbor Square", walk: Int? = nil) throws -> Arrival {
        Arrival(
            stop: CallStop(id: "70012", name: name), scheduled: try time(clock), walk: walk, dropOff: .regular)
    }

    static let commute = CommuteSummary(
        name: "home-to-work", from: CommuteEndpoint(kind: .place, reference: "home"),
        to: CommuteEndpoint(kind: .place, reference: "work"), isInUse: true, origin: .implied)

    static let gym = CommuteSummary(
        name: "gym", from: CommuteEndpoint(kind: .stop, reference: "demo:70211", name: "Mill Lane"),
        to: CommuteEndpoint(kind: .stop, reference: "demo:9", name: "Stadium"), isInUse: false, origin: .user,
        problem: "No trip serves both stops.", windows: ["18:00-20:00 mon, wed"])

    static let stop = StopSummary(
        feed: "demo", id: "70211", code: "4411", name: "Mill Lane", kind: .station,
        position: Position(lat: 37.3942, lon: -122.0764), wheelchair: .possible)

    static let platform = StopSummary(
        feed: "demo", id: "70211b", name: "Mill Lane", platform: "2", kind: .platform,
        parent: StopReference(id: "70211", name: "Mill Lane"), wheelchair: .unknown)

    static let near = NearbyStop(stop: stop, distance: 350, walk: 290, routes: ["2", "24"])

    static let counts = FeedCounts(
        agencies: 1, stops: 64, routes: 12, trips: 14_718, stopTimes: 435_112, services: 8, shapes: 12)

    static func version(_ number: Int, isCurrent: Bool) throws -> FeedVersion {
        FeedVersion(
            number: number, isCurrent: isCurrent, feedVersion: "2026-\(number)", publisher: "Demo City",
            serviceDates: DateSpan(
                first: try #require(ServiceDate(year: 2026, month: 3, day: 1)),
                last: try #require(ServiceDate(year: 2026, month: 6, day: 30))),
            imported: try time("04:12", days: number - 5), url: "https://example.org/demo.zip",
            digest: "ab12", counts: counts, bytes: 4_260_000,
            findings: FindingCounts(fatal: 0, error: isCurrent ? 2 : 0, warning: 1, info: 3))
    }

    static func feed(_ id: FeedID, _ state: FeedState, daysLeft: Int?) throws -> FeedStatus {
        let last = daysLeft.map { ServiceDate(daysSince1970: 20_540).advanced(by: $0) }
        return FeedStatus(
            id: id, provider: "gtfs", state: state, version: daysLeft == nil ? nil : 4,
            serviceDates: last.map { DateSpan(first: $0.advanced(by: -90), last: $0) }, daysLeft: daysLeft,
            age: daysLeft.map { _ in 11_500 },
            lastAttempt: FeedAttempt(
                at: try time("04:00"), outcome: state == .ready ? .unchanged : .refused,
                message: state == .ready ? "Nothing new." : "There are no trips in it.", seconds: 0.3),
            nextAttempt: try time("04:00", days: 1), bytes: daysLeft.map { _ in 4_260_000 }, versions: 3)
    }

    static func stale() throws -> Notice {
        Notice(
            kind: .stale, feed: "demo", message: "The timetable was last confirmed 3 days ago.",
            since: try time("04:00", days: -3))
    }
}
