package import TransitEngine
package import TransitModel
package import TransitStore

/// The direct trips between two ends, in all timetables that serve both. Resolved once; the departures can be computed
/// any number of times, with the realtime data of each context.
package struct DirectTrips {
    /// A direct trip with its departure.
    package struct Found {
        package var directTrip: ExpectedDirectTrip
        /// The departure of the trip, merged from both feeds of a pair.
        package var merged: MergedDeparture
        private var needsWalkBefore: Bool
        private var needsWalkAfter: Bool

        fileprivate init(
            _ directTrip: ExpectedDirectTrip, of originDestination: OriginDestinationPair, _ feed: FeedConditions
        ) {
            self.directTrip = directTrip
            merged = MergedDeparture(feed, directTrip.departure)
            arrivalTimetable = originDestination.destination.timetable
            needsWalkBefore = originDestination.origin.needsWalk
            needsWalkAfter = originDestination.destination.needsWalk
        }

        /// The timetable to which the stops of the trip belong.
        package var arrivalTimetable: Timetable
        /// The walking time in seconds; `nil` if the trip starts at the stop itself.
        package var walkBefore: Int? { needsWalkBefore ? directTrip.walkBefore : nil }
        /// The walking time in seconds; `nil` if the trip ends at the stop itself.
        package var walkAfter: Int? { needsWalkAfter ? directTrip.walkAfter : nil }

        /// The time at which a rider who just reaches the merged departure sets out.
        package var lastStart: Instant { merged.call.departure.advanced(by: -directTrip.walkBefore) }
    }

    package struct OriginDestinationPair {
        package var origin: AccessStops
        package var destination: AccessStops
        /// The patterns that call at both ends.
        package var patterns: [Pattern]
    }

    package let originDestinations: [OriginDestinationPair]

    /// The timetables that serve both ends, without duplicates.
    package var timetables: [Timetable] {
        originDestinations.reduce(into: []) { found, originDestination in
            if !found.contains(where: { $0 === originDestination.origin.timetable }) {
                found.append(originDestination.origin.timetable)
            }
        }
    }

    package init(origins: [AccessStops], destinations: [AccessStops]) throws(StoreError) {
        var originDestinations: [OriginDestinationPair] = []
        for origin in origins {
            for destination in destinations where destination.timetable === origin.timetable {
                originDestinations.append(
                    OriginDestinationPair(
                        origin: origin, destination: destination, patterns: try Self.patterns(origin, destination)))
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

    // MARK: Departures

    /// Returns the direct trips in ascending order of departure and then of arrival.
    package func next(at: Instant, count: Int, _ context: QueryContext) throws(StoreError) -> [Found] {
        let timetables = timetables
        guard timetables.count > 1 else { return unmerged(at: at, count: count, context) { _ in true } }
        var found: [Found] = []
        var merged: [Timetable] = []
        for timetable in timetables {
            guard let pair = try context.pair(of: timetable), timetable === pair.main,
                timetables.contains(where: { $0 === pair.supplement })
            else { continue }
            found += try self.merged(pair, at: at, count: count, context)
            merged += [pair.main, pair.supplement]
        }
        found += unmerged(at: at, count: count, context) { timetable in !merged.contains { $0 === timetable } }
        return Self.sorted(found, count: count)
    }

    /// Returns the direct trips in the selected timetables, in ascending order of departure and then of arrival.
    private func unmerged(
        at: Instant, count: Int, _ context: QueryContext, of isWanted: (Timetable) -> Bool
    ) -> [Found] {
        let found = originDestinations.filter { isWanted($0.origin.timetable) }.flatMap { originDestination in
            let timetable = originDestination.origin.timetable
            let feed = FeedConditions(timetable, context)
            return DirectTripFinder.next(
                origins: originDestination.origin.walks, destinations: originDestination.destination.walks,
                patterns: originDestination.patterns, context: timetable.context,
                realtime: context.realtime(timetable), now: context.now, at: at, count: count
            ).map { Found($0, of: originDestination, feed) }
        }
        return Self.sorted(found, count: count)
    }

    private static func sorted(_ found: [Found], count: Int) -> [Found] {
        let sorted = found.sorted {
            let (left, right) = ($0.merged.call.departure, $1.merged.call.departure)
            return (left, $0.directTrip.destinationArrival ?? left) < (right, $1.directTrip.destinationArrival ?? right)
        }
        return Array(sorted.prefix(count))
    }

    // MARK: Merging two feeds of one agency

    private func merged(
        _ pair: FeedPair, at: Instant, count: Int, _ context: QueryContext
    ) throws(StoreError) -> [Found] {
        // A departure that is overdue according to one feed may be late according to the other.
        let start = at.advanced(by: -PairedDepartures.margin)
        var list: [Found] = []
        var limit = count
        for _ in 0..<MergeLimits.maximumRounds {
            let first = unmerged(at: start, count: limit, context) { $0 === pair.main }
            let second = unmerged(at: start, count: limit, context) { $0 === pair.supplement }
            let end = [first, second].compactMap { $0.count < limit ? nil : $0.last?.directTrip.departure.departure }
                .min()
            list = try merged(first, second, of: pair, context).filter {
                $0.lastStart >= at && $0.merged.isAhead(of: at, now: context.now)
                    && $0.directTrip.arrival?.status != .skipped
            }
            let certain = list.count { found in end.map { found.merged.call.departure <= $0 } ?? true }
            if end == nil || certain >= count { break }
            limit *= 2
        }
        return list
    }

    /// Merges the direct trips of two feeds. Each departure is the one that a board of its stop shows.
    private func merged(
        _ first: [Found], _ second: [Found], of pair: FeedPair, _ context: QueryContext
    ) throws(StoreError) -> [Found] {
        let departures = (first + second).map(\.directTrip.departure)
        guard let earliest = departures.map(\.earliest).min(), let latest = departures.map(\.latest).max() else {
            return []
        }
        let stops = Set(
            first.map(\.directTrip.departure.stop)
                + second.compactMap { pair.mapping.first(of: $0.directTrip.departure.stop) })
        let (main, supplement) = (pair.main, pair.supplement)
        let mainRoutes = Set(first.compactMap(\.directTrip.departure.route))
        let otherRoutes = Set(second.compactMap(\.directTrip.departure.route))
        let board = try FeedBoard(
            main, stops: stops.sorted(),
            routes: main.routes(namedLike: mainRoutes, in: main).union(
                main.routes(namedLike: otherRoutes, in: supplement)))
        let paired = try PairedDepartures(
            board, FeedBoard(counterpartOf: board, in: pair), of: pair, from: earliest, until: latest.advanced(by: 1),
            context)
        var found: [Found] = []
        for one in first + second {
            let timetable = one.merged.timetable
            guard let merged = paired.departure(one.merged.call, of: timetable) else {
                found.append(one)
                continue
            }
            let other = timetable === main ? second : first
            if merged.timetable !== timetable, other.contains(where: { merged.id == $0.merged.id }) { continue }
            if merged.timetable !== timetable, let counterpart = counterpart(of: merged, context) {
                found.append(try combined(counterpart, merged, context))
            } else {
                found.append(try combined(one, merged.belonging(to: timetable), context))
            }
        }
        return found
    }

    /// Returns the direct trip of a departure that is scheduled outside of the queried time.
    private func counterpart(of merged: MergedDeparture, _ context: QueryContext) -> Found? {
        guard let planned = merged.call.scheduledDeparture else { return nil }
        return originDestinations.lazy.filter { $0.origin.timetable === merged.timetable }.flatMap {
            originDestination in
            let timetable = originDestination.origin.timetable
            return DirectTripFinder.directTrips(
                origins: originDestination.origin.walks, destinations: originDestination.destination.walks,
                patterns: originDestination.patterns, context: timetable.context,
                realtime: context.realtime(timetable), now: context.now, plannedAround: planned,
                within: DeparturePairing.agreementTolerance, count: MergeLimits.maximumPlanned
            ).map { Found($0, of: originDestination, merged.feed) }
        }.first { merged.id == $0.merged.id }
    }

    private func combined(
        _ one: Found, _ merged: MergedDeparture, _ context: QueryContext
    ) throws(StoreError) -> Found {
        var found = one
        found.merged = merged
        if let arrival = one.directTrip.arrival,
            var trip = try MergedTrip(after: merged, in: merged.timetable, context)
        {
            found.directTrip.arrival = try trip.merged(arrival, context).call
        }
        // The departure may come from the other feed and be later than this feed's planned arrival.
        found.directTrip.arriveNoEarlier(than: merged.call.departure, delay: merged.call.delay)
        return found
    }
}

extension ExpectedCall {
    fileprivate var earliest: Instant { min(departure, scheduledDeparture ?? departure) }
    fileprivate var latest: Instant { max(departure, scheduledDeparture ?? departure) }
}
