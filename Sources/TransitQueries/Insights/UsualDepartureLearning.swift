package import TransitModel
package import TransitStore

#if canImport(Glibc)
    internal import Glibc
#endif

/// Learns which departures a user usually takes, from the requests that the user typed and from logged trips.
///
/// The evidence for one scheduled departure counts: a route and direction at a stop at a time of day. If the timetable moves
/// it by less than ``maximumMove``, it is the same departure. Each service date counts once; a trip counts ``takenWeight``
/// times as much as a request. The weight of a date halves every ``halfLife`` days. A departure with at least
/// ``minimumDates`` dates and a total weight of ``minimumWeight`` is a usual departure on those days of the week on which the
/// user took it or asked for it, unless a day is rare.
package struct UsualDepartureLearning: Sendable {
    /// One request or trip.
    package struct Evidence: Hashable, Sendable {
        package var departure: DepartureKey
        package var time: ServiceTime
        package var commute: String?
        /// Whether the user took the departure, rather than asking for it.
        package var isTaken: Bool
        package var at: Instant

        package init(departure: DepartureKey, time: ServiceTime, commute: String?, isTaken: Bool, at: Instant) {
            self.departure = departure
            self.time = time
            self.commute = commute
            self.isTaken = isTaken
            self.at = at
        }

        /// Returns `nil` for a request that shows no departure that the user could take, such as that for a stop.
        package init?(_ ask: SavedLookup) {
            guard let departure = ask.departure, let time = ask.time, ask.commute != nil else { return nil }
            self.init(departure: departure, time: time, commute: ask.commute, isTaken: false, at: ask.at)
        }

        package init(_ trip: SavedTrip) {
            self.init(
                departure: trip.departure, time: trip.time, commute: trip.commute, isTaken: true,
                at: trip.departure.scheduled)
        }
    }

    /// A usual departure with the reasons why it is one.
    package struct Learned: Hashable, Sendable {
        package var departure: SavedUsualDeparture
        /// The service dates on which the user took it, and those on which the user only asked for it.
        package var takenDates: Int
        package var lookupDates: Int
        package var first: ServiceDate
        package var last: ServiceDate
        /// The decayed weight.
        package var weight: Double
    }

    /// Days.
    package static let halfLife = 28.0
    package static let takenWeight = 2.0
    package static let minimumDates = 3
    package static let minimumWeight = 1.5
    /// A change of the timetable that moves a departure by fewer seconds leaves it the same departure.
    package static let maximumMove: Int32 = 120
    /// On one service date, requests and trips of one commute within this many seconds are about the same trip.
    package static let maximumGap: Int32 = 30 * 60
    /// The share of the weight of the most common day of the week below which a day is rare.
    package static let commonShare = 0.4

    package var today: ServiceDate
    package var forgotten: [ForgottenDeparture]

    package init(today: ServiceDate, forgotten: [ForgottenDeparture] = []) {
        self.today = today
        self.forgotten = forgotten
    }

    /// Returns the usual departures, earliest first.
    package func learn(_ evidence: [Evidence]) -> [Learned] {
        let usable = evidence.filter { one in
            (-1...StateStore.askRetention).contains(one.departure.serviceDate.days(to: today))
        }
        var groups: [LineAtStop: [Evidence]] = [:]
        for one in Self.decisive(usable) { groups[LineAtStop(one.departure), default: []].append(one) }
        let learned = groups.values.flatMap { Self.departures($0) }.compactMap { departure in
            usualDeparture(of: departure.filter { one in !forgotten.contains { $0.covers(one, of: departure) } })
        }
        return learned.sorted { $0.sortKey < $1.sortKey }
    }

    /// The departures of one route and direction from one stop.
    private struct LineAtStop: Hashable {
        var feed: FeedID
        var route: RouteID
        var direction: Direction?
        var stop: StopID

        init(_ key: DepartureKey) { (feed, route, direction, stop) = (key.feed, key.route, key.direction, key.stop) }
    }

    /// What requests and trips of one date have in common: the commute or, without one, the line and stop.
    private enum Purpose: Hashable {
        case commute(String, ServiceDate)
        case line(LineAtStop, ServiceDate)

        init(_ evidence: Evidence) {
            let date = evidence.departure.serviceDate
            self = evidence.commute.map { .commute($0, date) } ?? .line(LineAtStop(evidence.departure), date)
        }
    }

    /// Leaves out the requests of a date that a trip, or a later request, about the same time replaces: a person who looks
    /// at 08:12 and then takes 08:24 does not take 08:12.
    private static func decisive(_ evidence: [Evidence]) -> [Evidence] {
        var groups: [Purpose: [Evidence]] = [:]
        for one in evidence { groups[Purpose(one), default: []].append(one) }
        return groups.values.flatMap { group in
            var kept: [Evidence] = []
            // Trips first, then the latest request. The time decides between requests at the same moment.
            for one in group.sorted(by: { ($0.isTaken ? 1 : 0, $0.at, $0.time) > ($1.isTaken ? 1 : 0, $1.at, $1.time) })
            where one.isTaken || !kept.contains(where: { abs($0.time.seconds - one.time.seconds) <= maximumGap }) {
                kept.append(one)
            }
            return kept
        }
    }

    /// Splits evidence for one line at one stop into scheduled departures.
    ///
    /// Two times are one departure only if the timetable moved it: all dates of one time precede all dates of the other.
    /// Otherwise they are two departures in quick succession.
    private static func departures(_ evidence: [Evidence]) -> [[Evidence]] {
        var times: [ServiceTime: [Evidence]] = [:]
        for one in evidence { times[one.time, default: []].append(one) }
        func dates(_ evidence: [Evidence]) -> ClosedRange<ServiceDate>? {
            let dates = evidence.map(\.departure.serviceDate)
            guard let first = dates.min(), let last = dates.max() else { return nil }
            return first...last
        }
        var departures: [[Evidence]] = []
        for (time, own) in times.sorted(by: { $0.key < $1.key }) {
            if let last = departures.last, let first = last.first, time.seconds - first.time.seconds < maximumMove,
                let before = dates(last), let after = dates(own), !before.overlaps(after)
            {
                departures[departures.count - 1] += own
            } else {
                departures.append(own)
            }
        }
        return departures
    }

    private func usualDeparture(of evidence: [Evidence]) -> Learned? {
        // A trip on a date replaces the requests of that date. Otherwise the last request of the date counts.
        var dates: [ServiceDate: Evidence] = [:]
        for one in evidence {
            let date = one.departure.serviceDate
            guard let known = dates[date] else {
                dates[date] = one
                continue
            }
            if (one.isTaken ? 1 : 0, one.at) > (known.isTaken ? 1 : 0, known.at) { dates[date] = one }
        }
        // Floating-point sums depend on the order of the terms.
        let ordered = dates.sorted { $0.key < $1.key }
        guard dates.count >= Self.minimumDates, let first = ordered.first?.key, let last = ordered.last else {
            return nil
        }
        let weight = ordered.reduce(0) { $0 + self.weight(of: $1.value) }
        guard weight >= Self.minimumWeight else { return nil }
        // The timetable has the departure at the time of the last date.
        let key = last.value.departure
        return Learned(
            departure: SavedUsualDeparture(
                feed: key.feed, route: key.route, direction: key.direction, stop: key.stop, time: last.value.time,
                days: days(ordered), commute: ordered.last { $0.value.commute != nil }?.value.commute,
                isPinned: false),
            takenDates: ordered.count { $0.value.isTaken }, lookupDates: ordered.count { !$0.value.isTaken },
            first: first, last: last.key, weight: weight)
    }

    private func weight(of evidence: Evidence) -> Double {
        let age = Double(max(0, evidence.departure.serviceDate.days(to: today)))
        return (evidence.isTaken ? Self.takenWeight : 1) * pow(0.5, age / Self.halfLife)
    }

    private func days(_ dates: [(key: ServiceDate, value: Evidence)]) -> Set<Weekday> {
        var weights: [Weekday: Double] = [:]
        for (date, one) in dates { weights[date.weekday, default: 0] += weight(of: one) }
        let highest = weights.values.max() ?? 0
        return Set(weights.filter { $0.value >= Self.commonShare * highest }.keys)
    }
}

extension UsualDepartureLearning.Learned {
    fileprivate var sortKey: (Int32, String, String, String, String) {
        (
            departure.time.seconds, departure.feed.rawValue, departure.stop.rawValue, departure.route.rawValue,
            departure.commute ?? ""
        )
    }
}

extension ForgottenDeparture {
    /// Whether evidence is from before the departure was forgotten.
    ///
    /// - Parameter departure: All evidence for the same scheduled departure, which may have been moved.
    fileprivate func covers(
        _ evidence: UsualDepartureLearning.Evidence, of departure: [UsualDepartureLearning.Evidence]
    ) -> Bool {
        let key = evidence.departure
        return evidence.at <= at && key.feed == feed && key.route == route && key.direction == direction
            && key.stop == stop && departure.contains { $0.time == time }
    }
}

extension Weekday {
    /// Monday to Friday.
    package static let workingDays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
