internal import TransitModel
internal import TransitNotifications
internal import TransitTestSupport

/// A small network with its disturbances: the source's report about each departure at each minute.
struct SimulatedCity {
    /// The departures from one stop in one direction.
    struct Line {
        var route: String
        var stop: String
        var headsign: String
        var direction: Direction
        /// Minutes after midnight on working days and on other days.
        var workdays: [Int]
        var weekends: [Int]
        /// The travel time to the destination in seconds.
        var ride: Int
    }

    /// The delay of a departure according to the source.
    enum Delay {
        /// Around a delay in seconds.
        case steady(Int)
        /// From one delay to another in seconds, between two times before the departure in minutes.
        case creeping(from: Int, to: Int, starting: Int, ending: Int)
    }

    /// The disturbances of a departure.
    struct Disturbance {
        var delay: Delay?
        /// When the source reports that the departure is canceled; without an end until it is over.
        var canceled: Range<Instant>?
        var isSkipped = false
        /// The source cancels and reinstates the departure in turn, each for this time in seconds.
        var toggling: Int?
        var platform: String?
        var platformFrom: Instant?
        /// The source reports the others of the route, but not this one.
        var missing = false
        /// When the source reports a missing departure after all.
        var missingUntil: Instant?
    }

    static let lines = [
        Line(
            route: "Tram 5", stop: "Market Square", headsign: "Harbor", direction: .zero,
            workdays: Array(stride(from: 392, through: 592, by: 10)),
            weekends: Array(stride(from: 492, through: 1092, by: 30)),
            ride: 22 * 60),
        Line(
            route: "Tram 5", stop: "Harbor", headsign: "Market Square", direction: .one,
            workdays: Array(stride(from: 966, through: 1161, by: 15)) + [1206, 1266, 1326],
            weekends: Array(stride(from: 606, through: 1326, by: 60)), ride: 22 * 60),
        Line(
            route: "Night 9", stop: "Market Square", headsign: "Airport", direction: .zero, workdays: [],
            weekends: [], ride: 40 * 60),
    ]

    let zone: ServiceZone
    let seed: UInt64
    var disturbances: [DepartureKey: Disturbance] = [:]
    /// When the source sends nothing.
    var outages: [Range<Instant>] = []
    /// The prefix of the identifiers of trips in the current timetable.
    var identifiers = "a"

    func key(_ line: Int, _ date: ServiceDate, _ minute: Int) -> DepartureKey {
        DepartureKey(
            feed: "city", route: line == 2 ? "9" : "5", direction: Self.lines[line].direction,
            stop: StopID(Self.lines[line].stop),
            scheduled: zone.serviceDayStart(date).advanced(by: minute * 60), serviceDate: date)
    }

    func keys(_ line: Int, _ date: ServiceDate, isHoliday: Bool) -> [DepartureKey] {
        let isWeekend = date.weekday.rawValue >= 5 || isHoliday
        let minutes = isWeekend ? Self.lines[line].weekends : Self.lines[line].workdays
        return minutes.map { key(line, date, $0) }
    }

    /// The time of the last message: one at 20 seconds past each minute.
    func lastMessage(at now: Instant) -> Instant? {
        var message = now.advanced(by: -Int((now.secondsSince1970 - 20) % 60))
        let start = message
        while outages.contains(where: { $0.contains(message) }) {
            message = message.advanced(by: -60)
            if message < start.advanced(by: -7200) { return nil }
        }
        return message
    }

    /// The delay that a message says, in seconds.
    func delay(_ key: DepartureKey, at message: Instant) -> Int {
        var random = SeededGenerator(
            seed: seed &+ UInt64(key.scheduled.secondsSince1970) &* 31 &+ UInt64(message.secondsSince1970))
        let noise = Int(random.next() % 21) - 10
        switch disturbances[key]?.delay {
        case nil: return max(0, noise)
        case .steady(let delay): return delay + noise
        case .creeping(let from, let to, let starting, let ending):
            let ahead = message.seconds(to: key.scheduled)
            let (start, end) = (starting * 60, ending * 60)
            if ahead >= start { return from + noise }
            if ahead <= end { return to + noise }
            return from + (to - from) * (start - ahead) / (start - end) + noise
        }
    }

    /// When the vehicle actually leaves.
    func leaves(_ key: DepartureKey) -> Instant {
        let early = key.scheduled.advanced(by: delay(key, at: key.scheduled.advanced(by: -60)))
        return key.scheduled.advanced(by: delay(key, at: early))
    }

    func isCanceled(_ key: DepartureKey, at now: Instant) -> Bool {
        guard let disturbance = disturbances[key], let canceled = disturbance.canceled, canceled.contains(now) else {
            return false
        }
        return disturbance.toggling.map { canceled.lowerBound.seconds(to: now) / $0 % 2 == 0 } ?? true
    }

    /// The departure as the daemon knows it.
    func departure(_ key: DepartureKey, line: Int, at now: Instant) -> WatchedDeparture {
        let disturbance = disturbances[key]
        var observation = DepartureObservation(
            departure: key, at: now, scheduledPlatform: line == 1 ? "1" : nil, platform: line == 1 ? "1" : nil)
        if let message = lastMessage(at: now), message.seconds(to: key.scheduled) <= 3600 {
            observation.measured = message
            observation.isFresh = message.seconds(to: now) <= 90
            let isCanceled = isCanceled(key, at: message)
            if isCanceled {
                observation.status = disturbance?.isSkipped == true ? .skipped : .canceled
            } else if disturbance?.missing == true, message < disturbance?.missingUntil ?? now.advanced(by: 1) {
                observation.isMissing = observation.isFresh
            } else {
                observation.expected = key.scheduled.advanced(by: delay(key, at: message))
                observation.source = .live
                observation.confidence = observation.isFresh ? .high : .low
                if leaves(key) <= message { observation.status = .departed }
            }
            if let platform = disturbance?.platform, message >= disturbance?.platformFrom ?? message {
                observation.platform = platform
            }
        } else {
            observation.isFresh = lastMessage(at: now).map { $0.seconds(to: now) <= 90 } ?? false
        }
        let words = Self.lines[line]
        return WatchedDeparture(
            observation: observation,
            names: DepartureNames(
                route: words.route, headsign: words.headsign, stop: words.stop, zone: zone, destination: words.headsign),
            id: "\(identifiers)-\(key.scheduled.secondsSince1970)", arrival: observation.time.advanced(by: words.ride))
    }
}
