internal import TransitEngine
package import TransitModel
internal import TransitStore

/// Finds the departure that a person describes: "08:22", "Tram 1 08:22", "435", "Train 435 to Tamien at 08:22 from San
/// Mateo".
///
/// With "from STOP", the departures of that stop are searched. Otherwise, these are searched in turn: the caller's
/// commutes, favorites and usual departures and, for the number of a trip, all trips. The first ones that have such a
/// departure determine the result. Of several service dates of one trip, the nearest in time is meant.
package struct DepartureTextFinder {
    private let context: QueryContext

    /// The maximum numbers of commutes or favorites, of departures of each, and of trips with one number.
    private static let maximumBoards = 20
    private static let maximumDepartures = 100
    private static let maximumTrips = 200
    /// A departure may be earlier than its scheduled time by this many seconds.
    private static let maximumEarliness = 300
    /// Without a time, departures are searched from this many seconds ago, since a person may refer to the trip that they
    /// are on.
    private static let past = 3 * 3600

    package init(_ context: QueryContext) { self.context = context }

    /// - Parameter feed: The feed of the departure; `nil` for any.
    /// - Throws: ``QueryError/departureNotFound(_:)``; ``QueryError/departureAmbiguous(_:_:)``; for "from STOP", the
    ///   errors of ``StopFinder``; and `StoreError`.
    package func find(_ text: String, feed: FeedID? = nil) throws -> DepartureID {
        guard let wanted = DepartureText(text) else { throw QueryError.departureNotFound(text) }
        // Many boards are searched.
        context.beginSlowWork()
        for source in try sources(wanted) {
            let found = try matches(of: wanted, in: source).filter { feed == nil || $0.timetable.feed == feed }
            if let first = found.first {
                guard found.count == 1 else { throw QueryError.departureAmbiguous(text, found) }
                return try first.identifier
            }
        }
        let numbered = try wanted.number.map { try departures(ofTripsNumbered: $0, wanted, feed: feed) } ?? []
        guard let first = numbered.first else { throw QueryError.departureNotFound(text) }
        guard numbered.count == 1 else { throw QueryError.departureAmbiguous(text, numbered) }
        return try first.identifier
    }

    // MARK: Boards

    /// Departures from a time on, in order of time.
    private typealias Source = (_ start: Instant) throws -> [MergedDeparture]

    /// Returns what is searched, in this order.
    private func sources(_ wanted: DepartureText) throws -> [Source] {
        if let stop = wanted.stop {
            let found = try StopFinder(context.timetables(of: nil, naming: stop), context).find(stop)
            let board = try MergedBoard(
                FeedBoard(found.timetable, stops: try found.callingStops(), routes: nil), context)
            return [{ try board.departures(at: $0, count: Self.maximumDepartures, context) }]
        }
        return [ofCommutes, ofFavorites, ofUsualDepartures]
    }

    /// The departures of the caller's commutes. A commute that cannot be queried has none.
    private func ofCommutes(from start: Instant) throws -> [MergedDeparture] {
        try context.commuteList.entries.prefix(Self.maximumBoards).flatMap { entry -> [MergedDeparture] in
            guard
                let query = try QueryError.unlessThrown({
                    try DirectTripsQuery(commute: entry.commute.name, at: start.rfc3339(), context)
                })
            else { return [] }
            return try query.result(count: Self.maximumDepartures, context).directTrips.map(\.merged)
        }
    }

    /// The departures of the caller's favorites. A favorite that cannot be queried has none.
    private func ofFavorites(from start: Instant) throws -> [MergedDeparture] {
        let query = try FavoritesQuery(favorite: nil, category: nil, at: nil, context)
        return try query.all.prefix(Self.maximumBoards).flatMap { one -> [MergedDeparture] in
            guard case .success(let favorite) = one.board else { return [] }
            return try favorite.boards.flatMap { try $0.departures(at: start, count: Self.maximumDepartures, context) }
        }
    }

    /// The departures at the stops of the caller's usual departures. A stop that cannot be queried has none.
    private func ofUsualDepartures(from start: Instant) throws -> [MergedDeparture] {
        var stops: [QualifiedStop] = []
        for usual in context.personal.usualDepartures {
            let stop = QualifiedStop(feed: usual.feed, stop: usual.stop)
            if stops.count < Self.maximumBoards, !stops.contains(stop) { stops.append(stop) }
        }
        return try stops.flatMap { stop -> [MergedDeparture] in
            guard
                let query = try QueryError.unlessThrown({
                    try BoardQuery(stop: stop.description, route: nil, feed: nil, at: start.rfc3339(), context)
                })
            else { return [] }
            return try query.result(count: Self.maximumDepartures, context).departures
        }
    }

    /// Returns the matching departures that are nearest in time, without duplicates.
    private func matches(of wanted: DepartureText, in source: Source) throws -> [MergedDeparture] {
        var found: [MergedDeparture] = []
        var known: Set<DepartureID> = []
        for start in starts(wanted) {
            for merged in try source(start) where try wanted.fits(merged) {
                if known.insert(try merged.identifier).inserted { found.append(merged) }
            }
        }
        return try nearest(found)
    }

    /// Returns the times from which to search: shortly before the last and the next occurrence of the time of day.
    private func starts(_ wanted: DepartureText) -> [Instant] {
        guard let minutes = wanted.minutes else { return [context.now.advanced(by: -Self.past)] }
        let zone = context.zone
        let today = zone.civil(at: context.now).date
        let occurrences = (-1...1).map {
            zone.instant(date: today.advanced(by: $0), secondsOfDay: minutes * 60)
        }
        let last = occurrences.last { $0 <= context.now }
        let next = occurrences.first { $0 > context.now }
        return [last, next].compactMap { $0?.advanced(by: -Self.maximumEarliness) }
    }

    /// Returns, for each trip, the departure that is nearest in time, and of these departures those that belong to the
    /// same part of the day as the nearest one.
    private func nearest(_ found: [MergedDeparture]) throws -> [MergedDeparture] {
        func distance(_ merged: MergedDeparture) -> Int { abs(context.now.seconds(to: merged.call.departure)) }
        guard let least = found.map(distance).min() else { return [] }
        var trips: [String: MergedDeparture] = [:]
        for merged in found where distance(merged) <= least + Self.sameOccurrence {
            let id = try merged.identifier
            let trip = "\(id.feed):\(id.trip)"
            if trips[trip].map({ distance(merged) < distance($0) }) ?? true { trips[trip] = merged }
        }
        // Departures of the same time always have the same order.
        return trips.sorted { ($0.value.call.departure, $0.key) < ($1.value.call.departure, $1.key) }.map(\.value)
    }

    /// Departures whose distances from now differ by less than this many seconds belong to one occurrence of a time.
    private static let sameOccurrence = 2 * 3600

    // MARK: Trips by number

    /// Returns the first departures of the trips with a number that run today or next, nearest in time.
    private func departures(
        ofTripsNumbered number: String, _ wanted: DepartureText, feed: FeedID?
    ) throws -> [MergedDeparture] {
        var found: [MergedDeparture] = []
        for timetable in try context.timetables(of: feed) {
            for index in try timetable.file.trips(withShortName: number, count: Self.maximumTrips) {
                let trip = try timetable.file.trip(index)
                for date in try dates(of: trip, in: timetable) {
                    let query = try TripQuery("\(timetable.feed):\(trip.id)", date: date, feed: nil, context)
                    guard let call = try query.result(context).calls.first else { continue }
                    let merged = try context.merged(call, of: timetable)
                    if try wanted.fits(merged) { found.append(merged) }
                }
            }
        }
        return try nearest(found)
    }

    /// Returns the service dates from yesterday to tomorrow on which a trip runs.
    private func dates(of trip: Trip, in timetable: Timetable) throws -> [ServiceDate] {
        let services = timetable.file.services
        guard services.indices.contains(trip.service.position) else { return [] }
        let today = timetable.zone.civil(at: context.now).date
        return (-1...1).map { today.advanced(by: $0) }.filter { services[trip.service.position].runs(on: $0) }
    }
}

/// The words by which a person describes a departure.
package struct DepartureText {
    /// The time of day in minutes; `nil` if there is none.
    fileprivate var minutes: Int?
    /// The stop after "from".
    fileprivate var stop: String?
    /// The folded words after "to".
    private var headsign: [String] = []
    /// The folded words of the route or the trip.
    private var subject: [String] = []

    private enum Part { case subject, headsign, stop }

    /// Returns `nil` if the text has neither a time nor words that can describe a route or a trip.
    init?(_ text: String) {
        var part = Part.subject
        var stop: [Substring] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            let plain = word.lowercased()
            if let minutes = Self.minutes(plain), self.minutes == nil {
                self.minutes = minutes
                part = .subject
                continue
            }
            switch (plain, part) {
            case ("at", _), ("no.", .subject), ("no", .subject): if plain == "at" { part = .subject }
            case ("to", _): part = .headsign
            case ("from", _): part = .stop
            case (_, .stop): stop.append(word)
            case (_, .headsign): headsign += Self.words(plain)
            case (_, .subject): subject += Self.words(plain)
            }
        }
        if !stop.isEmpty { self.stop = stop.joined(separator: " ") }
        guard minutes != nil || !subject.isEmpty else { return nil }
        // Without a time, only the number of a trip identifies a departure.
        guard minutes != nil || number != nil else { return nil }
    }

    /// The last word of the subject, which may be the number of a trip.
    fileprivate var number: String? { subject.last }

    /// Parses "8:22" and "08:22", also with a comma.
    private static func minutes(_ word: String) -> Int? {
        QueryTime.secondsOfDay(word.filter { $0 != "," }).map { $0 / 60 }
    }

    private static func words(_ text: String) -> [String] {
        SearchText.fold(text).split(separator: " ").map(String.init)
    }

    // MARK: Matching

    /// Whether a departure is the one that the words describe.
    fileprivate func fits(_ merged: MergedDeparture) throws -> Bool {
        if let minutes {
            let zone = try merged.zone
            let times = [merged.call.scheduledDeparture, merged.call.departure].compactMap(\.self)
            guard times.contains(where: { zone.civil(at: $0).secondsOfDay / 60 == minutes }) else { return false }
        }
        let names = TimetableNames(merged.timetable)
        let number = try Self.tripNumber(of: merged)
        if !headsign.isEmpty {
            let words = Self.words(try names.headsign(of: merged.call) ?? "")
            guard headsign.allSatisfy({ word in words.contains { $0.hasPrefix(word) } }) else { return false }
        }
        if minutes == nil {
            guard let number, let own = self.number, SearchText.fold(number) == own else { return false }
        }
        let route = merged.route.flatMap { merged.timetable.route($0) }
        let known =
            [route.map { RouteName.words(of: $0) }, route?.riderName, route?.longName, number]
            .compactMap(\.self) + [route.map { RouteName.word(type: $0.type) } ?? ""]
        let words = Set(known.flatMap(Self.words)).union(["route", "line"])
        return subject.allSatisfy(words.contains)
    }

    /// The number by which riders know a trip; `nil` if it has none.
    private static func tripNumber(of merged: MergedDeparture) throws(StoreError) -> String? {
        guard case .scheduled(let call) = merged.call.subject,
            let name = try merged.timetable.file.trip(call.trip).shortName
        else { return nil }
        let text = try merged.timetable.text(name)
        return text.isEmpty ? nil : text
    }

    /// Returns a description such as "Train 435 to Tamien at 08:22 from San Mateo", which ``init(_:)`` reads.
    package static func words(of merged: MergedDeparture) throws -> String {
        let names = TimetableNames(merged.timetable)
        let route = merged.route.flatMap { merged.timetable.route($0) }
        let number = try tripNumber(of: merged)
        var words =
            route.map { route in
                number.map { RouteName.words(type: route.type, tripNumber: $0) } ?? RouteName.words(of: route)
            } ?? number ?? "A departure"
        if let headsign = try names.headsign(of: merged.call), !headsign.isEmpty { words += " to \(headsign)" }
        let seconds = try merged.zone.civil(at: merged.call.departure).secondsOfDay
        let clock = [seconds / 3600, seconds / 60 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return try words + " at \(clock) from \(names.stopName(merged.call.stop))"
    }
}
