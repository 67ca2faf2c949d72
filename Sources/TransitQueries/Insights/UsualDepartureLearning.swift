package import TransitModel
package import TransitStore

#if canImport(Glibc)
    internal import Glibc
#endif

/// Learns which departures a user usually takes, from what the user asked for by hand and from logged trips.
///
/// The evidence for one commute is grouped by time of day. A group counts each service date once; a trip counts
/// ``takenWeight`` times as much as a request. The weight of a date halves every ``halfLife`` days. A group with at least
/// ``minimumDates`` dates and a total weight of ``minimumWeight`` is a usual departure: the one with the most weight in
/// the group, on the days of the week that are common in it.
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
        package init?(_ ask: SavedAsk) {
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
        /// The service dates on which the user took it or a similar one, and those on which the user only asked for it.
        package var takenDates: Int
        package var askedDates: Int
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
    /// The maximum number of seconds between two neighbors of a group, and between its first and its last departure.
    package static let maximumGap: Int32 = 30 * 60
    package static let maximumSpan: Int32 = 60 * 60
    /// The share of a group's weight from which on a day of the week is common.
    package static let commonShare = 0.2
    /// The number of different working days that stand for all of them.
    package static let workingDaysForAll = 3

    package var today: ServiceDate
    package var forgotten: [ForgottenDeparture]

    package init(today: ServiceDate, forgotten: [ForgottenDeparture] = []) {
        self.today = today
        self.forgotten = forgotten
    }

    /// Returns the usual departures, earliest first.
    package func learn(_ evidence: [Evidence]) -> [Learned] {
        let usable = evidence.filter { one in
            let age = one.departure.serviceDate.days(to: today)
            return (-1...StateStore.askRetention).contains(age) && !forgotten.contains { $0.covers(one) }
        }
        var groups: [Subject: [Evidence]] = [:]
        for one in usable { groups[Subject(one), default: []].append(one) }
        let learned = groups.values.flatMap { Self.clusters($0) }.compactMap { usualDeparture(of: $0) }
        return learned.sorted { $0.sortKey < $1.sortKey }
    }

    /// What the evidence of one group has in common besides the time of day.
    private enum Subject: Hashable {
        case commute(String)
        case route(FeedID, RouteID, Direction?, StopID)

        init(_ evidence: Evidence) {
            let key = evidence.departure
            self = evidence.commute.map { .commute($0) } ?? .route(key.feed, key.route, key.direction, key.stop)
        }
    }

    /// Splits evidence into groups of similar times of day.
    private static func clusters(_ evidence: [Evidence]) -> [[Evidence]] {
        var clusters: [[Evidence]] = []
        for one in evidence.sorted(by: { ($0.time, $0.at) < ($1.time, $1.at) }) {
            if let last = clusters.last?.last, let first = clusters.last?.first,
                one.time.seconds - last.time.seconds <= maximumGap, one.time.seconds - first.time.seconds <= maximumSpan
            {
                clusters[clusters.count - 1].append(one)
            } else {
                clusters.append([one])
            }
        }
        return clusters
    }

    private func usualDeparture(of cluster: [Evidence]) -> Learned? {
        // What was taken on a date replaces what was asked for. Otherwise the last request of the date counts.
        var dates: [ServiceDate: Evidence] = [:]
        for one in cluster {
            let date = one.departure.serviceDate
            guard let known = dates[date] else {
                dates[date] = one
                continue
            }
            if (one.isTaken ? 1 : 0, one.at) > (known.isTaken ? 1 : 0, known.at) { dates[date] = one }
        }
        guard dates.count >= Self.minimumDates, let first = dates.keys.min(), let last = dates.keys.max() else {
            return nil
        }
        // Floating-point sums depend on the order of the terms.
        let ordered = dates.sorted { $0.key < $1.key }
        let weight = ordered.reduce(0) { $0 + self.weight(of: $1.value) }
        guard weight >= Self.minimumWeight, let usual = mostWeighted(ordered.map(\.value)) else { return nil }
        let key = usual.departure
        return Learned(
            departure: SavedUsualDeparture(
                feed: key.feed, route: key.route, direction: key.direction, stop: key.stop, time: usual.time,
                days: days(ordered, weight), commute: usual.commute, isPinned: false),
            takenDates: ordered.count { $0.value.isTaken }, askedDates: ordered.count { !$0.value.isTaken },
            first: first, last: last, weight: weight)
    }

    private func weight(of evidence: Evidence) -> Double {
        let age = Double(max(0, evidence.departure.serviceDate.days(to: today)))
        return (evidence.isTaken ? Self.takenWeight : 1) * pow(0.5, age / Self.halfLife)
    }

    private func mostWeighted(_ evidence: [Evidence]) -> Evidence? {
        struct Scheduled: Hashable {
            var feed: FeedID
            var route: RouteID
            var direction: Direction?
            var stop: StopID
            var time: ServiceTime
        }
        var weights: [Scheduled: (weight: Double, last: Evidence)] = [:]
        for one in evidence {
            let key = one.departure
            let scheduled = Scheduled(
                feed: key.feed, route: key.route, direction: key.direction, stop: key.stop, time: one.time)
            weights[scheduled] = ((weights[scheduled]?.weight ?? 0) + weight(of: one), one)
        }
        return weights.values.max { left, right in
            (left.weight, left.last.departure.serviceDate, left.last.time)
                < (right.weight, right.last.departure.serviceDate, right.last.time)
        }?.last
    }

    private func days(_ dates: [(key: ServiceDate, value: Evidence)], _ total: Double) -> Set<Weekday> {
        var weights: [Weekday: Double] = [:]
        for (date, one) in dates { weights[date.weekday, default: 0] += weight(of: one) }
        let seen = Set(weights.keys)
        var days = Set(weights.filter { $0.value >= Self.commonShare * total }.keys)
        if seen.intersection(Weekday.workingDays).count >= Self.workingDaysForAll {
            days.formUnion(Weekday.workingDays)
        }
        return days.isEmpty ? seen : days
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
    /// Whether evidence is about the forgotten departure or a similar one, and from before it was forgotten.
    fileprivate func covers(_ evidence: UsualDepartureLearning.Evidence) -> Bool {
        let key = evidence.departure
        return evidence.at <= at && key.feed == feed && key.route == route && key.direction == direction
            && key.stop == stop && abs(evidence.time.seconds - time.seconds) <= UsualDepartureLearning.maximumSpan
    }
}

extension Weekday {
    /// Monday to Friday.
    package static let workingDays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
