internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What the next departures of a commute are found from: its ends, and what goes from one to the other.
struct AskedRides {
    var book: CommuteBook
    var entry: CommuteBook.Entry
    var origins: [Reach]
    var destinations: [Reach]
    var rides: Rides
    /// That of the stop where the commute begins.
    var zone: ServiceZone
    /// The time that they are for.
    var at: Instant

    init(_ parameters: NextParameters, _ question: Question) throws {
        // Precedes the search for the commute, because without a feed no commute can exist.
        if question.feeds.isEmpty { throw ControlError.noData([], at: question.now) }
        let book = question.book
        var at = try question.moment(parameters.at, zone: question.zone)
        let entry =
            try parameters.commute.map { (name) throws(ControlError) in try book.entry(named: name) }
            ?? book.chosen(at: at, zone: question.zone, returnHour: question.configuration.questions.switchHour)
        let search = ReachSearch(question: question)
        origins = try search.stops(for: book.end(entry.commute.from))
        destinations = try search.stops(for: book.end(entry.commute.to))
        zone = try origins.first?.zone ?? question.zone
        at = try question.moment(parameters.at, zone: zone)
        rides = try Rides(origins: origins, destinations: destinations, question: question)
        (self.book, self.entry, self.at) = (book, entry, at)
    }
}

extension RequestHandlers {
    func next(_ parameters: NextParameters, _ question: Question) throws -> NextResult {
        let asked = try AskedRides(parameters, question)
        let (book, entry, rides, at) = (asked.book, asked.entry, asked.rides, asked.at)
        let found = try rides.next(
            at: at, count: parameters.count ?? question.configuration.questions.count, question)
        let direction = book.place(entry.commute.to).map { _ in entry.commute.to }
        let rendering = MergedDepartureRenderer(
            rides.timetables.map(question.view), question, language: parameters.language)
        let departures = try found.map { (ride) throws(StoreError) in
            try rendering.departure(ride.merged, direction: direction, ride: ride.rendered)
        }
        for timetable in rides.timetables {
            let departures = found.filter { $0.merged.isReported(by: timetable) }.map(\.merged.call.departure)
            daemon.demand.asked(about: timetable.feed, departures: departures, at: daemon.clock.reading())
        }
        if parameters.at == nil {
            daemon.looks.note(.commute(entry.commute.name), of: question.caller.uid, at: daemon.clock.reading())
        }
        var notices = question.mergedNotices(about: question.feeds(behind: asked.origins + asked.destinations))
        if let replaced = replacedState(at: question.now) { notices.insert(replaced, at: 0) }
        if let arrivals = try arrivals(of: asked, question, language: parameters.language) {
            notices += arrivals.notices(isEmpty: departures.isEmpty, from: entry.commute.from) {
                rides.nothingRuns(for: entry.commute, at: at)
            }
        } else if departures.isEmpty {
            notices.append(rides.nothingRuns(for: entry.commute, at: at))
        }
        return NextResult(
            at: Timestamp(at, in: asked.zone),
            commute: question.summary(of: entry, in: book), departures: departures, notices: notices)
    }
}

/// The rides between two ends, over all timetables that serve both.
struct Rides {
    /// A ride with the timetable that it is of.
    struct Found {
        var journey: ExpectedJourney
        /// Its departure.
        var merged: MergedDeparture
        var isOnFootBefore: Bool
        var isOnFootAfter: Bool

        init(_ journey: ExpectedJourney, of way: Way) {
            self.journey = journey
            merged = MergedDeparture(way.origin.timetable, journey.departure)
            isOnFootBefore = way.origin.isOnFoot
            isOnFootAfter = way.destination.isOnFoot
        }

        var rendered: DepartureRendering.Ride {
            DepartureRendering.Ride(
                destination: journey.destination, arrival: journey.arrival,
                walkBefore: isOnFootBefore ? journey.walkBefore : nil,
                walkAfter: isOnFootAfter ? journey.walkAfter : nil)
        }
    }

    struct Way {
        var origin: Reach
        var destination: Reach
        var patterns: [Pattern]
        var live: RealtimeTimetable?
    }

    let ways: [Way]
    let now: Instant

    /// The timetables that serve both ends, each once.
    var timetables: [Timetable] {
        ways.reduce(into: []) { found, way in
            if !found.contains(where: { $0 === way.origin.timetable }) { found.append(way.origin.timetable) }
        }
    }

    init(origins: [Reach], destinations: [Reach], question: Question) throws(StoreError) {
        now = question.now
        var ways: [Way] = []
        for origin in origins {
            for destination in destinations where destination.timetable === origin.timetable {
                let patterns = try Self.patterns(origin, destination)
                ways.append(
                    Way(
                        origin: origin, destination: destination, patterns: patterns,
                        live: question.live(origin.timetable)))
            }
        }
        self.ways = ways
    }

    /// Those that call at both ends, each once.
    private static func patterns(_ origin: Reach, _ destination: Reach) throws(StoreError) -> [Pattern] {
        let file = origin.timetable.file
        let arriving = try patterns(at: destination, file)
        var patterns: [Pattern] = []
        for index in try Self.patterns(at: origin, file).intersection(arriving).sorted() {
            patterns.append(try file.pattern(index))
        }
        return patterns
    }

    /// Of a large city hundreds of patterns call near one end; only those near both are unpacked.
    private static func patterns(at end: Reach, _ file: TimetableFile) throws(StoreError) -> Set<PatternIndex> {
        var patterns: Set<PatternIndex> = []
        for stop in end.walks.keys {
            for visit in try file.visits(at: stop) { patterns.insert(visit.pattern) }
        }
        return patterns
    }

    /// As each timetable tells it by itself; ascending by departure, then by arrival.
    ///
    /// - Parameter isWanted: of which timetables.
    func next(at: Instant, count: Int, of isWanted: (Timetable) -> Bool = { _ in true }) -> [Found] {
        let found = ways.filter { isWanted($0.origin.timetable) }.flatMap { way in
            Journeys.next(
                origins: way.origin.walks, destinations: way.destination.walks, patterns: way.patterns,
                context: way.origin.timetable.context, live: way.live, now: now, at: at, count: count
            ).map { Found($0, of: way) }
        }
        return Self.inOrder(found, count: count)
    }

    static func inOrder(_ found: [Found], count: Int) -> [Found] {
        let sorted = found.sorted {
            let (left, right) = ($0.merged.call.departure, $1.merged.call.departure)
            return (left, $0.journey.reaches ?? left) < (right, $1.journey.reaches ?? right)
        }
        return Array(sorted.prefix(count))
    }
}
