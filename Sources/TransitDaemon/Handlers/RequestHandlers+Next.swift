internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What the next departures of a commute are found from: its ends, and what goes from one to the other.
struct DirectTripsQuery {
    var book: CommuteList
    var entry: CommuteList.Entry
    var origins: [AccessStops]
    var destinations: [AccessStops]
    var directTrips: DirectTrips
    /// That of the stop where the commute begins.
    var zone: ServiceZone
    /// The time that they are for.
    var at: Instant

    init(_ parameters: NextParameters, _ context: RequestContext) throws {
        // Precedes the search for the commute, because without a feed no commute can exist.
        if context.feeds.isEmpty { throw ControlError.noData([], at: context.now) }
        let book = context.book
        var at = try context.moment(parameters.at, zone: context.zone)
        let entry =
            try parameters.commute.map { (name) throws(ControlError) in try book.entry(named: name) }
            ?? book.chosen(at: at, zone: context.zone, returnHour: context.configuration.queries.returnHour)
        let search = AccessStopFinder(context: context)
        origins = try search.stops(for: book.end(entry.commute.from))
        destinations = try search.stops(for: book.end(entry.commute.to))
        zone = try origins.first?.zone ?? context.zone
        at = try context.moment(parameters.at, zone: zone)
        directTrips = try DirectTrips(origins: origins, destinations: destinations, context: context)
        (self.book, self.entry, self.at) = (book, entry, at)
    }
}

extension RequestHandlers {
    func next(_ parameters: NextParameters, _ context: RequestContext) throws -> NextResult {
        let asked = try DirectTripsQuery(parameters, context)
        let (book, entry, directTrips, at) = (asked.book, asked.entry, asked.directTrips, asked.at)
        let found = try directTrips.next(
            at: at, count: parameters.count ?? context.configuration.queries.nextCount, context)
        let direction = book.place(entry.commute.to).map { _ in entry.commute.to }
        let rendering = MergedDepartureRenderer(
            directTrips.timetables.map(context.view), context, language: parameters.language)
        let departures = try found.map { (directTrip) throws(StoreError) in
            try rendering.departure(directTrip.merged, direction: direction, directTrip: directTrip.rendered)
        }
        for timetable in directTrips.timetables {
            let departures = found.filter { $0.merged.isReported(by: timetable) }.map(\.merged.call.departure)
            daemon.demand.asked(about: timetable.feed, departures: departures, at: daemon.clock.reading())
        }
        if parameters.at == nil {
            daemon.looks.note(.commute(entry.commute.name), of: context.caller.uid, at: daemon.clock.reading())
        }
        var notices = context.mergedNotices(about: context.feeds(behind: asked.origins + asked.destinations))
        if let replaced = restoredStateNotice(at: context.now) { notices.insert(replaced, at: 0) }
        if let arrivals = try arrivals(of: asked, context, language: parameters.language) {
            notices += arrivals.notices(isEmpty: departures.isEmpty, from: entry.commute.from) {
                directTrips.noDirectTripReason(for: entry.commute, at: at)
            }
        } else if departures.isEmpty {
            notices.append(directTrips.noDirectTripReason(for: entry.commute, at: at))
        }
        return NextResult(
            at: Timestamp(at, in: asked.zone),
            commute: context.summary(of: entry, in: book), departures: departures, notices: notices)
    }
}

/// The rides between two ends, over all timetables that serve both.
struct DirectTrips {
    /// A ride with the timetable that it is of.
    struct Found {
        var journey: ExpectedDirectTrip
        /// Its departure.
        var merged: MergedDeparture
        var isOnFootBefore: Bool
        var isOnFootAfter: Bool

        init(_ journey: ExpectedDirectTrip, of originDestination: OriginDestinationPair) {
            self.journey = journey
            merged = MergedDeparture(originDestination.origin.timetable, journey.departure)
            isOnFootBefore = originDestination.origin.isOnFoot
            isOnFootAfter = originDestination.destination.isOnFoot
        }

        var rendered: DepartureRenderer.DirectTripDetails {
            DepartureRenderer.DirectTripDetails(
                destination: journey.destination, arrival: journey.arrival,
                walkBefore: isOnFootBefore ? journey.walkBefore : nil,
                walkAfter: isOnFootAfter ? journey.walkAfter : nil)
        }
    }

    struct OriginDestinationPair {
        var origin: AccessStops
        var destination: AccessStops
        var patterns: [Pattern]
        var live: RealtimeTimetable?
    }

    let originDestinations: [OriginDestinationPair]
    let now: Instant

    /// The timetables that serve both ends, each once.
    var timetables: [Timetable] {
        originDestinations.reduce(into: []) { found, originDestination in
            if !found.contains(where: { $0 === originDestination.origin.timetable }) {
                found.append(originDestination.origin.timetable)
            }
        }
    }

    init(origins: [AccessStops], destinations: [AccessStops], context: RequestContext) throws(StoreError) {
        now = context.now
        var originDestinations: [OriginDestinationPair] = []
        for origin in origins {
            for destination in destinations where destination.timetable === origin.timetable {
                let patterns = try Self.patterns(origin, destination)
                originDestinations.append(
                    OriginDestinationPair(
                        origin: origin, destination: destination, patterns: patterns,
                        live: context.live(origin.timetable)))
            }
        }
        self.originDestinations = originDestinations
    }

    /// Those that call at both ends, each once.
    private static func patterns(_ origin: AccessStops, _ destination: AccessStops) throws(StoreError) -> [Pattern] {
        let file = origin.timetable.file
        let arriving = try patterns(at: destination, file)
        var patterns: [Pattern] = []
        for index in try Self.patterns(at: origin, file).intersection(arriving).sorted() {
            patterns.append(try file.pattern(index))
        }
        return patterns
    }

    /// Of a large city hundreds of patterns call near one end; only those near both are unpacked.
    private static func patterns(at end: AccessStops, _ file: TimetableFile) throws(StoreError) -> Set<PatternIndex> {
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
        let found = originDestinations.filter { isWanted($0.origin.timetable) }.flatMap { originDestination in
            DirectTripFinder.next(
                origins: originDestination.origin.walks, destinations: originDestination.destination.walks,
                patterns: originDestination.patterns,
                context: originDestination.origin.timetable.context, live: originDestination.live, now: now, at: at,
                count: count
            ).map { Found($0, of: originDestination) }
        }
        return Self.inOrder(found, count: count)
    }

    static func inOrder(_ found: [Found], count: Int) -> [Found] {
        let sorted = found.sorted {
            let (left, right) = ($0.merged.call.departure, $1.merged.call.departure)
            return (left, $0.journey.destinationArrival ?? left) < (right, $1.journey.destinationArrival ?? right)
        }
        return Array(sorted.prefix(count))
    }
}
