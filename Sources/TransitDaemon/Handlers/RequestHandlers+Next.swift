internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore
internal import TransitSystem

/// The resolved query for the next departures of a commute: the commute's ends and the direct trips between them.
struct DirectTripsQuery {
    var commuteList: CommuteList
    var entry: CommuteList.Entry
    var origins: [AccessStops]
    var destinations: [AccessStops]
    var directTrips: DirectTrips
    /// The time zone of the stop where the commute begins.
    var zone: ServiceZone
    /// The query time.
    var at: Instant

    init(_ parameters: NextParameters, _ context: RequestContext) throws {
        // This check precedes the search for the commute, because no commute can exist without a feed.
        if context.feeds.isEmpty { throw ControlError.noData([], at: context.now) }
        let commuteList = context.commuteList
        var at = try context.moment(parameters.at, zone: context.zone)
        let entry =
            try parameters.commute.map { (name) throws(ControlError) in try commuteList.entry(named: name) }
            ?? commuteList.chosen(at: at, zone: context.zone, returnHour: context.configuration.queries.returnHour)
        let search = AccessStopFinder(context: context)
        origins = try search.stops(for: commuteList.end(entry.commute.from))
        destinations = try search.stops(for: commuteList.end(entry.commute.to))
        zone = try origins.first?.zone ?? context.zone
        at = try context.moment(parameters.at, zone: zone)
        directTrips = try DirectTrips(origins: origins, destinations: destinations, context: context)
        (self.commuteList, self.entry, self.at) = (commuteList, entry, at)
    }
}

extension RequestHandlers {
    func next(_ parameters: NextParameters, _ context: RequestContext) throws -> NextResult {
        let query = try DirectTripsQuery(parameters, context)
        let (commuteList, entry, directTrips, at) = (query.commuteList, query.entry, query.directTrips, query.at)
        let found = try directTrips.next(
            at: at, count: parameters.count ?? context.configuration.queries.nextCount, context)
        let direction = commuteList.place(entry.commute.to).map { _ in entry.commute.to }
        let rendering = MergedDepartureRenderer(
            directTrips.timetables.map(context.view), context, language: parameters.language)
        let departures = try found.map { (directTrip) throws(StoreError) in
            try rendering.departure(directTrip.merged, direction: direction, directTrip: directTrip.rendered)
        }
        for timetable in directTrips.timetables {
            let departures = found.filter { $0.merged.isReported(by: timetable) }.map(\.merged.call.departure)
            daemon.demand.recordRequest(about: timetable.feed, departures: departures, at: daemon.clock.reading())
        }
        if parameters.at == nil {
            daemon.recentViews.record(.commute(entry.commute.name), of: context.caller.uid, at: daemon.clock.reading())
        }
        var notices = context.mergedNotices(about: context.feeds(behind: query.origins + query.destinations))
        if let replaced = restoredStateNotice(at: context.now) { notices.insert(replaced, at: 0) }
        if let arrivals = try arrivals(of: query, context, language: parameters.language) {
            notices += arrivals.notices(isEmpty: departures.isEmpty, from: entry.commute.from) {
                directTrips.noDirectTripReason(for: entry.commute, at: at)
            }
        } else if departures.isEmpty {
            notices.append(directTrips.noDirectTripReason(for: entry.commute, at: at))
        }
        return NextResult(
            at: Timestamp(at, in: query.zone),
            commute: context.summary(of: entry, in: commuteList), departures: departures, notices: notices)
    }
}

/// The direct trips between two ends, in all timetables that serve both.
struct DirectTrips {
    /// A direct trip with its departure.
    struct Found {
        var journey: ExpectedDirectTrip
        /// The departure of the trip, merged from both feeds of a pair.
        var merged: MergedDeparture
        var needsWalkBefore: Bool
        var needsWalkAfter: Bool

        init(_ journey: ExpectedDirectTrip, of originDestination: OriginDestinationPair) {
            self.journey = journey
            merged = MergedDeparture(originDestination.origin.timetable, journey.departure)
            needsWalkBefore = originDestination.origin.needsWalk
            needsWalkAfter = originDestination.destination.needsWalk
        }

        var rendered: DepartureRenderer.DirectTripDetails {
            DepartureRenderer.DirectTripDetails(
                destination: journey.destination, arrival: journey.arrival,
                walkBefore: needsWalkBefore ? journey.walkBefore : nil,
                walkAfter: needsWalkAfter ? journey.walkAfter : nil)
        }
    }

    struct OriginDestinationPair {
        var origin: AccessStops
        var destination: AccessStops
        var patterns: [Pattern]
        var realtime: RealtimeDatasets?
    }

    let originDestinations: [OriginDestinationPair]
    let now: Instant

    /// The timetables that serve both ends, without duplicates.
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
                        realtime: context.realtime(origin.timetable)))
            }
        }
        self.originDestinations = originDestinations
    }

    /// Returns the patterns that call at both ends, without duplicates.
    private static func patterns(_ origin: AccessStops, _ destination: AccessStops) throws(StoreError) -> [Pattern] {
        let file = origin.timetable.file
        let arriving = try patterns(at: destination, file)
        var patterns: [Pattern] = []
        for index in try Self.patterns(at: origin, file).intersection(arriving).sorted() {
            patterns.append(try file.pattern(index))
        }
        return patterns
    }

    /// Returns the patterns near one end. A large city has hundreds of them, so only the patterns near both ends are
    /// unpacked.
    private static func patterns(at end: AccessStops, _ file: TimetableFile) throws(StoreError) -> Set<PatternIndex> {
        var patterns: Set<PatternIndex> = []
        for stop in end.walks.keys {
            for visit in try file.visits(at: stop) { patterns.insert(visit.pattern) }
        }
        return patterns
    }

    /// Returns the direct trips in the selected timetables, unmerged, in ascending order of departure and then of
    /// arrival.
    ///
    /// - Parameter isWanted: Selects the timetables.
    func next(at: Instant, count: Int, of isWanted: (Timetable) -> Bool = { _ in true }) -> [Found] {
        let found = originDestinations.filter { isWanted($0.origin.timetable) }.flatMap { originDestination in
            DirectTripFinder.next(
                origins: originDestination.origin.walks, destinations: originDestination.destination.walks,
                patterns: originDestination.patterns,
                context: originDestination.origin.timetable.context, realtime: originDestination.realtime, now: now,
                at: at,
                count: count
            ).map { Found($0, of: originDestination) }
        }
        return Self.sorted(found, count: count)
    }

    static func sorted(_ found: [Found], count: Int) -> [Found] {
        let sorted = found.sorted {
            let (left, right) = ($0.merged.call.departure, $1.merged.call.departure)
            return (left, $0.journey.destinationArrival ?? left) < (right, $1.journey.destinationArrival ?? right)
        }
        return Array(sorted.prefix(count))
    }
}
