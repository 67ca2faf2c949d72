internal import TransitEngine
package import TransitModel
internal import TransitStore

#if canImport(Glibc)
    internal import Glibc
#endif

/// Why a feed takes no part in a search for journeys.
package struct JourneyFeedOmission: Sendable {
    package enum Reason: Hashable, Sendable {
        /// The feed is a network without times.
        case withoutTimes
        /// The data for searches is being built.
        case building
        /// The data for searches cannot be built or written, for the stated reason.
        case unavailable(String)
    }

    package var feed: FeedID
    package var reason: Reason

    package init(feed: FeedID, reason: Reason) { (self.feed, self.reason) = (feed, reason) }
}

/// The feeds that are searched together for one request, with their realtime data of one moment.
struct JourneyFeeds {
    /// One feed of the search.
    struct Member {
        var conditions: FeedConditions
        var feed: JourneyFeed

        var timetable: Timetable { conditions.timetable }
    }

    /// The position of a feed in the search is that in this list.
    private(set) var members: [Member] = []
    private(set) var omissions: [JourneyFeedOmission] = []
    let footpathsBetweenFeeds: [JourneyQuery.FootpathBetweenFeeds]
    /// Whether riders use no stairs and no escalators, as far as pathways.txt says.
    let isStepFree: Bool
    /// The stops of other feeds to which riders can change at a stop. The way back takes as long.
    private let stopsOfOtherFeeds: [StopOfFeed: [JourneyQuery.End]]
    let context: QueryContext
    /// Most searches of a request have the same destinations.
    private let bounds = JourneyBoundsCache()

    private struct StopOfFeed: Hashable {
        /// The position in ``JourneyFeeds/members``.
        var feed: Int
        var stop: StopIndex
    }

    /// Creates the search over all feeds that can be reached from the given ones.
    ///
    /// - Parameters:
    ///   - origins: The timetables with stops of the origin.
    ///   - options: What riders require.
    init(
        from origins: [Timetable], options: JourneyOptions = JourneyOptions(), _ context: QueryContext
    ) throws(StoreError) {
        self.context = context
        isStepFree = options.wheelchair
        var networks: [JourneyNetwork] = []
        for timetable in try Self.near(origins, context) {
            guard timetable.hasTimes else {
                omissions.append(JourneyFeedOmission(feed: timetable.feed, reason: .withoutTimes))
                continue
            }
            switch timetable.journeyNetwork(walkingDistance: context.walkingDistance) {
            case .ready(let network):
                let realtime = timetable.journeyRealtime.realtime(
                    context.realtime(timetable), network, now: context.now)
                var feed = JourneyFeed(network: network, calendar: timetable.context, realtime: realtime)
                if !options.isEmpty {
                    let facts = try timetable.journeyFacts.facts(of: timetable, for: options, context)
                    feed.exclusions = JourneyExclusions(options, facts, of: network, realtime: realtime)
                }
                members.append(Member(conditions: FeedConditions(timetable, context), feed: feed))
                networks.append(network)
            case .building: omissions.append(JourneyFeedOmission(feed: timetable.feed, reason: .building))
            case .unavailable(let reason):
                omissions.append(JourneyFeedOmission(feed: timetable.feed, reason: .unavailable(reason)))
            }
        }
        // A network without times is no gap if the agency's other feed has them.
        omissions.removeAll { [members] omission in
            omission.reason == .withoutTimes
                && members.contains { member in context.areSupplements(member.timetable.feed, omission.feed) }
        }
        footpathsBetweenFeeds = try Self.footpathsBetweenFeeds(members, context)
        stopsOfOtherFeeds = Dictionary(grouping: footpathsBetweenFeeds) { footpath in
            StopOfFeed(feed: footpath.from.feed, stop: footpath.from.stop)
        }.mapValues { $0.map(\.to) }
    }

    /// Returns the timetables that are near each other, beginning with the given ones, in the order of the configuration.
    /// The main feed of an agency precedes its supplementary feed, so that a departure in both is found in the main feed.
    private static func near(_ origins: [Timetable], _ context: QueryContext) throws(StoreError) -> [Timetable] {
        var areas: [(timetable: Timetable, area: BoundingBox?)] = []
        for timetable in context.feeds.compactMap(\.timetable) { areas.append((timetable, try timetable.area())) }
        var reached = Set(areas.indices.filter { position in origins.contains { $0 === areas[position].timetable } })
        var open = Array(reached)
        while let position = open.popLast() {
            guard let area = areas[position].area else { continue }
            for other in areas.indices where !reached.contains(other) && areas[other].area?.isNear(area) == true {
                reached.insert(other)
                open.append(other)
            }
        }
        let timetables = reached.sorted().map { areas[$0].timetable }
        let supplements = timetables.filter { context.feed(of: $0)?.source.supplements != nil }
        return timetables.filter { timetable in !supplements.contains { $0 === timetable } } + supplements
    }

    private static func footpathsBetweenFeeds(
        _ members: [Member], _ context: QueryContext
    ) throws(StoreError) -> [JourneyQuery.FootpathBetweenFeeds] {
        var all: [JourneyQuery.FootpathBetweenFeeds] = []
        for first in members.indices {
            for second in members.indices where second > first {
                let (one, other) = (members[first], members[second])
                let pair = try context.pair(of: one.timetable).flatMap { pair in
                    pair.other(than: one.timetable) === other.timetable ? pair : nil
                }
                let footpaths = try one.timetable.journeyFootpaths.footpaths(
                    from: (one.timetable, one.feed.network), to: (other.timetable, other.feed.network), pair: pair,
                    within: context.walkingDistance)
                for footpath in footpaths {
                    let seconds = context.settings.walkingSpeed.seconds(meters: footpath.meters)
                    all.append(
                        JourneyQuery.FootpathBetweenFeeds(
                            from: .init(feed: first, stop: footpath.from),
                            to: .init(feed: second, stop: footpath.to, walk: seconds), meters: footpath.meters))
                    all.append(
                        JourneyQuery.FootpathBetweenFeeds(
                            from: .init(feed: second, stop: footpath.to),
                            to: .init(feed: first, stop: footpath.from, walk: seconds), meters: footpath.meters))
                }
            }
        }
        return all
    }

    // MARK: Searches

    /// Returns the stops where journeys may begin: those near a place or, for a stop, itself and those to which riders walk
    /// from there.
    func origins(_ access: [AccessStops]) throws(StoreError) -> [JourneyQuery.End] {
        try ends(access, .inward) { (stops, feed) in stops.flatMap { changes(at: $0, of: feed) } }
    }

    /// Returns the stops where journeys may end: those near a place or, for a stop, itself and those from which riders walk
    /// there.
    func destinations(_ access: [AccessStops]) throws(StoreError) -> [JourneyQuery.End] {
        try ends(access, .outward) { changes(to: $0, of: $1) }
    }

    /// Returns the stops themselves that journeys may pass, with the walks from or to a place.
    func stops(
        of access: [AccessStops], _ direction: StationEntrances.Direction
    ) throws(StoreError) -> [JourneyQuery.End] {
        try ends(access, direction) { (stops, feed) in stops.map { JourneyQuery.End(feed: feed, stop: $0) } }
    }

    /// Returns the stops of a leg from the boarding to the alighting.
    func stops(of leg: FoundJourney.Leg) throws(StoreError) -> [StopIndex] {
        let member = members[leg.feed]
        return try member.feed.stops(of: leg) { (pattern) throws(StoreError) in
            try member.timetable.file.pattern(pattern)
        }
    }

    /// Returns the trip of a leg for riders who stay on board where it ends.
    func ride(after leg: FoundJourney.Leg) throws(StoreError) -> JourneyQuery.Ride? {
        let member = members[leg.feed]
        let calls = try member.feed.calls(of: leg) { (pattern) throws(StoreError) in
            try member.timetable.file.pattern(pattern)
        }
        return calls.map { JourneyQuery.Ride(feed: leg.feed, call: $0.arrival) }
    }

    private func ends(
        _ access: [AccessStops], _ direction: StationEntrances.Direction,
        around stops: ([StopIndex], Int) -> [JourneyQuery.End]
    ) throws(StoreError) -> [JourneyQuery.End] {
        var ends: [JourneyQuery.End] = []
        for one in access {
            guard let feed = position(of: one.timetable) else { continue }
            if !one.needsWalk {
                ends += stops(one.walks.keys.sorted(), feed)
                continue
            }
            for (stop, walk) in try walks(of: one, direction, feed).sorted(by: { $0.key < $1.key }) {
                ends.append(JourneyQuery.End(feed: feed, stop: stop, walk: walk))
            }
        }
        return ends
    }

    /// Returns the walks between a place and stops in seconds: through an entrance of a station whose pathways are known. Stops
    /// that riders who use no steps do not reach are left out.
    private func walks(
        of access: AccessStops, _ direction: StationEntrances.Direction, _ feed: Int
    ) throws(StoreError) -> [StopIndex: Int] {
        guard let place = access.place else { return access.walks }
        let timetable = members[feed].timetable
        let entrances = try timetable.stationEntrances.entrances(of: timetable, members[feed].feed.network)
        var walks: [StopIndex: Int] = [:]
        for (stop, straight) in access.walks {
            let walk = entrances.walk(
                between: place, and: stop, direction, isStepFree: isStepFree, at: context.settings.walkingSpeed)
            switch walk {
            case .notDescribed: walks[stop] = straight
            case .notPossible: break
            case .seconds(let seconds): walks[stop] = seconds
            }
        }
        return walks
    }

    /// Returns the trip of a departure for riders who are on board of it, in the feed whose times the departure shows; `nil`
    /// if that feed is not searched.
    func ride(on departure: MergedDeparture) -> JourneyQuery.Ride? {
        let other = departure.confirmation.flatMap { $0.isUsed ? $0.timetable : nil }
        for timetable in [other, departure.timetable].compactMap(\.self) {
            if let feed = position(of: timetable),
                let call = departure.call(in: timetable)
            {
                return JourneyQuery.Ride(feed: feed, call: call)
            }
        }
        return nil
    }

    func find(_ query: JourneyQuery) -> FoundJourneys {
        var query = query
        query.footpathsBetweenFeeds = footpathsBetweenFeeds
        return JourneyFinder.find(query, in: members.map(\.feed), cache: bounds, isCanceled: context.isCanceled)
    }

    /// Returns the stops where riders who alight at a stop can board, with the time of each change.
    func changes(at stop: StopIndex, of feed: Int) -> [JourneyQuery.End] {
        [JourneyQuery.End(feed: feed, stop: stop)]
            + footpaths(from: stop, of: feed).map { JourneyQuery.End(feed: feed, stop: $0.stop, walk: $0.seconds) }
            + (stopsOfOtherFeeds[StopOfFeed(feed: feed, stop: stop)] ?? [])
    }

    /// Returns the time of the quickest change between two stops in seconds; `nil` if none is known.
    func changeTime(
        from stop: StopIndex, of timetable: Timetable, to target: StopIndex, of other: Timetable
    ) -> Int? {
        guard let feed = position(of: timetable), let targetFeed = position(of: other) else { return nil }
        return changes(at: stop, of: feed).filter { $0.feed == targetFeed && $0.stop == target }.map(\.walk).min()
    }

    /// Returns the position of a timetable in the search; `nil` if it takes no part.
    func position(of timetable: Timetable) -> Int? { members.firstIndex { $0.timetable === timetable } }

    /// Returns the stops from which riders who alight there reach one of several stops, with the time of each change. Some
    /// footpaths lead in one direction only.
    private func changes(to stops: [StopIndex], of feed: Int) -> [JourneyQuery.End] {
        let network = members[feed].feed.network
        let known = stops.filter { $0.position < network.stopCount }
        var isTarget = [Bool](repeating: false, count: network.nodeCount)
        for stop in known { for node in network.nodes(of: stop.position) { isTarget[node] = true } }
        // The quickest change from each stop, by the stop to which it leads.
        var quickest: [StopIndex: [StopIndex: Int]] = [:]
        for node in 0..<(known.isEmpty ? 0 : network.nodeCount) {
            for number in network.footpaths(of: node) where isTarget[network.footpaths.node(number)] {
                let footpath = network.footpaths[number]
                let (from, to) = (network.stopsOfNodes[node], network.stopsOfNodes[footpath.node])
                guard from != to, let seconds = seconds(of: footpath) else { continue }
                quickest[StopIndex(to), default: [:]].merge([StopIndex(from): seconds], uniquingKeysWith: min)
            }
        }
        return stops.flatMap { stop in
            [JourneyQuery.End(feed: feed, stop: stop)]
                + (quickest[stop] ?? [:]).sorted { $0.key < $1.key }.map {
                    JourneyQuery.End(feed: feed, stop: $0.key, walk: $0.value)
                } + (stopsOfOtherFeeds[StopOfFeed(feed: feed, stop: stop)] ?? [])
        }
    }

    /// Returns the other stops of the same feed to which riders can change, with the time in seconds.
    private func footpaths(from stop: StopIndex, of feed: Int) -> [(stop: StopIndex, seconds: Int)] {
        let network = members[feed].feed.network
        guard stop.position < network.stopCount else { return [] }
        return network.nodes(of: stop.position).flatMap { node in
            network.footpaths(of: node).compactMap { number -> (stop: StopIndex, seconds: Int)? in
                let footpath = network.footpaths[number]
                let target = StopIndex(network.stopsOfNodes[footpath.node])
                guard target != stop, let seconds = seconds(of: footpath) else { return nil }
                return (target, seconds)
            }
        }
    }

    /// Returns the time of a change in seconds; `nil` if riders cannot use the footpath.
    private func seconds(of footpath: JourneyNetwork.Footpath) -> Int? {
        var footpath = footpath
        if isStepFree {
            guard let value = footpath.wheelchairValue else { return nil }
            footpath.value = value
        }
        guard footpath.kind != .notPossible else { return nil }
        return Int(footpath.seconds(at: context.settings.walkingSpeed))
    }

    /// Returns the calls of a leg, merged with the data of the agency's other feed; `nil` if the trip no longer serves
    /// both.
    func calls(of leg: FoundJourney.Leg) throws(StoreError) -> (departure: MergedDeparture, arrival: ExpectedCall)? {
        let member = members[leg.feed]
        let timetable = member.timetable
        let found = try member.feed.calls(of: leg) { (pattern) throws(StoreError) in try timetable.file.pattern(pattern)
        }
        guard var (call, arrival) = found else { return nil }
        var departure = MergedDeparture(member.conditions, call)
        if try context.pair(of: timetable) != nil {
            (departure, arrival) = try context.mergedRide(call, arrival, of: timetable)
            call = departure.call
        }
        guard call.isRunning, arrival.isRunning else { return nil }
        return (departure, arrival)
    }
}

extension QueryContext {
    /// Returns the calls of a ride merged with the data of the agency's other feed. They belong to the feed that a board
    /// shows, if its trip calls at both stops.
    func mergedRide(
        _ call: ExpectedCall, _ arrival: ExpectedCall, of timetable: Timetable
    ) throws(StoreError) -> (MergedDeparture, ExpectedCall) {
        var departure = try merged(call, of: timetable)
        var arrival = arrival
        if departure.timetable !== timetable {
            let trip = try MergedTrip(of: call, in: timetable, self)
            if let other = departure.call(in: departure.timetable),
                let later = try trip?.laterCall(of: other, as: arrival, self)
            {
                arrival = later
            } else {
                departure = departure.belonging(to: timetable)
            }
        }
        if var trip = try MergedTrip(after: departure, in: departure.timetable, self) {
            arrival = try trip.merged(arrival, self).call
        }
        return (departure, arrival)
    }

    /// The greatest straight-line distance of a walk between two stops at a change, in meters.
    package var walkingDistance: Double { Double(settings.maxChangeWalk) }

    /// Whether one of two feeds supplements the other one.
    fileprivate func areSupplements(_ one: FeedID, _ other: FeedID) -> Bool {
        feeds.contains { feed in
            feed.id == one && feed.source.supplements == other || feed.id == other && feed.source.supplements == one
        }
    }
}

extension BoundingBox {
    /// The distance in degrees of latitude at which two areas may have stops within walking distance: 2.2 km. It is generous,
    /// because an area does not say how far apart its stops are.
    private static let margin = 0.02

    /// Whether stops of the two areas may be within walking distance.
    fileprivate func isNear(_ other: BoundingBox) -> Bool {
        // An area that crosses the date line is near every area at its latitude.
        let crosses = west > east || other.west > other.east
        // Degrees of longitude are shorter, the farther from the equator.
        let latitude = max(abs(south), abs(north))
        let margin = Self.margin / max(0.1, cos(latitude * .pi / 180))
        return south <= other.north + Self.margin && other.south <= north + Self.margin
            && (crosses || west <= other.east + margin && other.west <= east + margin)
    }
}
