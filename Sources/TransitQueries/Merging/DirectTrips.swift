package import TransitEngine
package import TransitModel
package import TransitStore

/// The direct trips between two ends, in all timetables that serve both. Resolved once; the departures can be computed
/// any number of times, with the realtime data of each context.
package struct DirectTrips {
    /// A direct trip with its departure.
    package struct Found {
        package var journey: ExpectedDirectTrip
        /// The departure of the trip, merged from both feeds of a pair.
        package var merged: MergedDeparture
        private var needsWalkBefore: Bool
        private var needsWalkAfter: Bool

        fileprivate init(_ journey: ExpectedDirectTrip, of originDestination: OriginDestinationPair) {
            self.journey = journey
            merged = MergedDeparture(originDestination.origin.timetable, journey.departure)
            arrivalTimetable = originDestination.destination.timetable
            needsWalkBefore = originDestination.origin.needsWalk
            needsWalkAfter = originDestination.destination.needsWalk
        }

        /// The timetable to which the stops of the journey belong.
        package var arrivalTimetable: Timetable
        /// The walking time in seconds; `nil` if the trip starts at the stop itself.
        package var walkBefore: Int? { needsWalkBefore ? journey.walkBefore : nil }
        /// The walking time in seconds; `nil` if the trip ends at the stop itself.
        package var walkAfter: Int? { needsWalkAfter ? journey.walkAfter : nil }

        /// The latest time to set out, based on the merged departure time.
        package var leaveBy: Instant { merged.call.departure.advanced(by: -journey.walkBefore) }
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
            return DirectTripFinder.next(
                origins: originDestination.origin.walks, destinations: originDestination.destination.walks,
                patterns: originDestination.patterns, context: timetable.context,
                realtime: context.realtime(timetable), now: context.now, at: at, count: count
            ).map { Found($0, of: originDestination) }
        }
        return Self.sorted(found, count: count)
    }

    private static func sorted(_ found: [Found], count: Int) -> [Found] {
        let sorted = found.sorted {
            let (left, right) = ($0.merged.call.departure, $1.merged.call.departure)
            return (left, $0.journey.destinationArrival ?? left) < (right, $1.journey.destinationArrival ?? right)
        }
        return Array(sorted.prefix(count))
    }

    // MARK: Merging two feeds of one agency

    private func merged(
        _ pair: FeedPair, at: Instant, count: Int, _ context: QueryContext
    ) throws(StoreError) -> [Found] {
        let past = unmerged(
            at: at.advanced(by: -DeparturePairing.maximumTimeDifference), count: MergeLimits.maximumOverdue, context,
            of: { $0 === pair.main }
        ).filter { $0.merged.call.isPastPlan(at: at) }
        let merger = FeedMerger<Found>(
            pair: pair, at: at, now: context.now, call: \.merged.call, leaveBy: \.leaveBy,
            planned: { planned($0, around: $1, context) }, join: { Self.combined($0, $1, of: pair, by: $2) })
        return try merger.list(count: count) { requested in
            (
                past + unmerged(at: at, count: requested, context, of: { $0 === pair.main }),
                unmerged(at: at, count: requested + past.count, context, of: { $0 === pair.supplement })
            )
        }
    }

    /// Returns the direct trips in a timetable around a given time, with their expected times.
    private func planned(_ timetable: Timetable, around moment: Instant, _ context: QueryContext) -> [Found] {
        originDestinations.filter { $0.origin.timetable === timetable }.flatMap { originDestination in
            DirectTripFinder.directTrips(
                origins: originDestination.origin.walks, destinations: originDestination.destination.walks,
                patterns: originDestination.patterns, context: timetable.context,
                realtime: context.realtime(timetable), now: context.now, plannedAround: moment,
                within: DeparturePairing.agreementTolerance, count: MergeLimits.maximumPlanned
            ).map { Found($0, of: originDestination) }
        }
    }

    private static func combined(
        _ one: Found, _ other: Found, of pair: FeedPair, by entry: DeparturePairing.Entry
    ) -> Found {
        let merged = MergedDeparture(one.merged.call, other.merged.call, of: pair, by: entry)
        var found = merged.timetable === pair.main ? one : other
        found.merged = merged
        // The arrival of the same vehicle, if both feeds have the same destination stop.
        if let first = one.journey.arrival, let second = other.journey.arrival,
            pair.mapping.second(of: first.stop) == second.stop
        {
            found.journey.arrival = DeparturePairing.combined(first, second, by: entry).call
        }
        // The departure may come from the other feed and be later than this feed's planned arrival.
        found.journey.arriveNoEarlier(than: merged.call.departure, delay: merged.call.delay)
        return found
    }
}
