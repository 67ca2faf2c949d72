internal import TransitEngine
package import TransitModel
package import TransitStore

/// What a version of a timetable plans for a pinned or usual departure, compared with the version before it.
///
/// Versions are compared by route, stop and time, because publishers renumber trips.
package struct UsualDepartureStatus: Hashable, Sendable {
    /// The change of the departure.
    package enum Outcome: Hashable, Sendable {
        /// The departure does not run. `nearest` is the departure closest to it within 2 hours.
        case gone(nearest: ServiceTime?)
        /// A departure that the earlier version did not have is close to it.
        case moved(to: ServiceTime)
    }

    /// A difference from the earlier version.
    package struct Change: Hashable, Sendable {
        /// The user's service days that it affects, ascending; not empty.
        package var dates: [ServiceDate]
        /// What becomes of the departure on the first of the dates.
        package var outcome: Outcome
        /// Whether it affects all of the user's later service days.
        package var isLasting: Bool

        package init(dates: [ServiceDate], outcome: Outcome, isLasting: Bool) {
            self.dates = dates
            self.outcome = outcome
            self.isLasting = isLasting
        }
    }

    /// Identifies the departure in every version of the timetable.
    package var identity: String
    package var time: ServiceTime
    package var isPinned: Bool
    /// The name of the route with its mode: "Bus 24".
    package var route: String
    package var stop: String
    /// The user's service days among the compared ones on which this version has the departure.
    package var running: [ServiceDate]
    /// `nil` if the departure is as it was, or if the earlier version did not have it.
    package var change: Change?
}

/// Compares two versions of a feed for the caller's pinned and usual departures.
package struct UsualDepartureComparison {
    private let old: Timetable
    private let new: Timetable
    private let today: ServiceDate
    private let minimumMove: Int
    private let language: String?

    /// The number of service days, from today on, that are compared.
    package static let days = 28
    /// The maximum number of seconds by which a departure moves. Beyond it, the departure is gone and another one is new.
    private static let maximumMove = 15 * 60
    private static let maximumDistance = 2 * 3600
    /// The number of earlier weeks in which the earlier version is searched for a date that it does not cover.
    private static let maximumWeeks = 8
    /// The number of those weeks that are compared. More than one, because one of them may be a holiday.
    private static let comparedWeeks = 3

    /// - Parameters:
    ///   - minimumMove: A departure that differs by fewer seconds counts as the same.
    ///   - language: The language of the names, as an IETF BCP 47 language tag; `nil` for the feed's own.
    package init(old: Timetable, new: Timetable, minimumMove: Int = 120, language: String? = nil, now: Instant) {
        self.minimumMove = minimumMove
        self.language = language
        self.old = old
        self.new = new
        today = new.zone.civil(at: now).date
    }

    /// Returns the status of each departure of this feed, in the order of the departures.
    ///
    /// - Throws: `StoreError`.
    package func statuses(of departures: [SavedUsualDeparture]) throws -> [UsualDepartureStatus] {
        try departures.filter { $0.feed == new.feed }.map { try status(of: $0) }
    }

    private func status(of usual: SavedUsualDeparture) throws -> UsualDepartureStatus {
        let before = try LineAtStop(usual, in: old, like: new, language)
        let after = try LineAtStop(usual, in: new, like: old, language)
        let own = (0..<Self.days).map { today.advanced(by: $0) }.filter { date in
            new.covers(date) && (usual.date.map { $0 == date } ?? usual.days.contains(date.weekday))
        }
        var running: [ServiceDate] = []
        var affected: [(date: ServiceDate, outcome: UsualDepartureStatus.Outcome)] = []
        for date in own {
            let times = after.times(on: date)
            if has(usual.time, times) {
                running.append(date)
                continue
            }
            let references = Self.references(for: date, in: old).map { before.times(on: $0) }
            guard let reference = references.first(where: { has(usual.time, $0) }) else { continue }
            affected.append((date, Self.outcome(usual.time, before: reference, after: times)))
        }
        var change: UsualDepartureStatus.Change?
        if let first = affected.first {
            let dates = affected.map(\.date)
            change = UsualDepartureStatus.Change(
                dates: dates, outcome: first.outcome,
                isLasting: own.count > 1 && own.drop { $0 < first.date } == dates[...])
        }
        let named = after.isEmpty ? before : after
        return UsualDepartureStatus(
            identity: usual.identity, time: usual.time, isPinned: usual.isPinned,
            route: named.route ?? usual.route.rawValue, stop: named.stop ?? usual.stop.rawValue,
            running: running, change: change)
    }

    /// Returns the date itself or, if the version does not cover it, the latest dates of the same weekday that it covers.
    private static func references(for date: ServiceDate, in timetable: Timetable) -> [ServiceDate] {
        if timetable.covers(date) { return [date] }
        let earlier = (1...maximumWeeks).map { date.advanced(by: -7 * $0) }.filter { timetable.covers($0) }
        return Array(earlier.prefix(comparedWeeks))
    }

    private func has(_ time: ServiceTime, _ times: [ServiceTime]) -> Bool {
        times.contains { abs($0.seconds - time.seconds) < minimumMove }
    }

    private static func outcome(
        _ time: ServiceTime, before: [ServiceTime], after: [ServiceTime]
    ) -> UsualDepartureStatus.Outcome {
        func distance(_ other: ServiceTime) -> Int { Int(abs(other.seconds - time.seconds)) }
        let nearest = after.min { distance($0) < distance($1) }
        let moved = after.filter { candidate in
            distance(candidate) <= maximumMove && !before.contains { abs($0.seconds - candidate.seconds) < 60 }
        }.min { distance($0) < distance($1) }
        if let moved, distance(moved) <= nearest.map(distance) ?? .max { return .moved(to: moved) }
        return .gone(nearest: nearest.flatMap { distance($0) <= maximumDistance ? $0 : nil })
    }
}

/// The departures of one route and direction at a stop, in one version of a timetable.
private struct LineAtStop {
    private let timetable: Timetable
    private var visits: [PatternCallPosition] = []
    var route: String?
    var stop: String?

    var isEmpty: Bool { visits.isEmpty }

    /// - Parameter other: A version in which the route and the stop may still have the identifiers of the departure.
    ///   They are then found by name. A platform of the same station counts as the stop.
    init(_ usual: SavedUsualDeparture, in timetable: Timetable, like other: Timetable, _ language: String?) throws {
        self.timetable = timetable
        let routes = try Self.routes(usual.route, in: timetable, like: other)
        guard let found = try Self.stop(usual.stop, in: timetable, like: other) else { return }
        let names = TimetableNames(timetable, language: language)
        stop = try names.name(of: found.stop)
        route = try routes.first.flatMap { timetable.route($0) }.map { try names.riderName(of: $0) }
        let board = try FeedBoard(
            timetable, stops: found.withNamesakes().callingStops(), routes: Set(routes))
        visits = board.visits.filter { visit in
            visit.position + 1 < visit.pattern.callCount
                && (usual.direction == nil || visit.pattern.direction == usual.direction)
        }
    }

    private static func routes(
        _ id: RouteID, in timetable: Timetable, like other: Timetable
    ) throws -> [RouteIndex] {
        if let route = timetable.file.route(id: id) { return [route] }
        guard let known = other.file.route(id: id).flatMap({ other.route($0) }) else { return [] }
        let name = SearchText.fold(known.displayName)
        return timetable.file.routes.indices.filter {
            timetable.file.routes[$0].type == known.type
                && SearchText.fold(timetable.file.routes[$0].displayName) == name
        }.map { RouteIndex($0) }
    }

    private static func stop(_ id: StopID, in timetable: Timetable, like other: Timetable) throws -> FoundStop? {
        if let found = try timetable.file.find(id) {
            return FoundStop(timetable: timetable, index: found.index, stop: found.stop)
        }
        guard let known = try other.file.find(id)?.stop, let place = known.coordinate else { return nil }
        let name = SearchText.fold(known.name)
        for near in try timetable.callingStops(near: place, within: FoundStop.namesakeDistance) {
            let stop = try timetable.file.stop(near.stop)
            if SearchText.fold(stop.name) == name {
                return FoundStop(timetable: timetable, index: near.stop, stop: stop)
            }
        }
        return nil
    }

    func times(on date: ServiceDate) -> [ServiceTime] { timetable.plannedTimes(of: visits, on: date) }
}

extension SavedUsualDeparture {
    /// Identifies the departure in every version of the timetable: by route, direction, stop, time and days.
    package var identity: String {
        let days = date.map { "\($0)" } ?? days.map(\.rawValue).sorted().map { "\($0)" }.joined()
        return "\(route) \(direction.map { "\($0.rawValue)" } ?? "-") \(stop) \(time.seconds) \(days)"
    }
}

extension Timetable {
    /// The first and last service date; `nil` for a network without departure times.
    package var serviceDates: ClosedRange<ServiceDate>? { file.summary.serviceDates }

    /// Whether the timetable says what runs on a date: it has trips on the date, or shortly before and after it.
    ///
    /// The first and last service date alone do not tell, because single added dates often follow the end of all
    /// regular services.
    package func covers(_ date: ServiceDate) -> Bool {
        guard serviceDates?.contains(date) == true else { return false }
        func hasService(_ days: ClosedRange<Int>) -> Bool {
            days.contains { day in file.services.contains { $0.runs(on: date.advanced(by: day)) } }
        }
        return hasService(0...0) || (hasService(-3 ... -1) && hasService(1...3))
    }

    /// The maximum number of departures that frequencies.txt adds to one service date.
    private static let maximumRepetitions = 2000

    /// Returns the scheduled departures of the visits on a service date, ascending and without duplicates.
    package func plannedTimes(of visits: [PatternCallPosition], on date: ServiceDate) -> [ServiceTime] {
        var times: Set<Int32> = []
        var repetitions = 0
        for visit in visits {
            let departures = visit.pattern.departures(at: visit.position)
            for (number, group) in visit.pattern.timingGroups.enumerated() {
                let repeated = Set(group.frequencies.map(\.trip))
                for position in group.starts.indices where runs(group.services[position], on: date) {
                    if !repeated.contains(UInt32(position)) {
                        times.insert(group.starts[position] + departures[number])
                        continue
                    }
                    for row in group.frequencies where row.trip == UInt32(position) {
                        for start in stride(from: row.start, to: row.end, by: Int(max(1, row.headway))) {
                            if repetitions >= Self.maximumRepetitions { break }
                            repetitions += 1
                            times.insert(start + departures[number])
                        }
                    }
                }
            }
        }
        return times.sorted().map { ServiceTime(seconds: $0) }
    }

    private func runs(_ service: ServiceIndex, on date: ServiceDate) -> Bool {
        let services = file.services
        return services.indices.contains(service.position) && services[service.position].runs(on: date)
    }
}
