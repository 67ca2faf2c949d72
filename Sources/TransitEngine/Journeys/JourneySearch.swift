internal import TransitModel

/// Finds journeys with changes by rounds (RAPTOR): round *k* finds the earliest arrivals with *k* vehicles. A time window is
/// searched from its last departure to its first (rRAPTOR), and each departure reuses what later ones reached.
///
/// Delling, Pajor, Werneck: "Round-Based Public Transit Routing", Transportation Science 49 (2015).
///
/// Times are seconds from ``base``, in 32 bits. A node has a number within all feeds of the search.
struct JourneySearch {
    let feeds: [SearchedFeed]
    private let query: JourneyQuery
    private let base: Int64
    let labels: JourneyLabels
    let rounds: Int
    /// Whether riders may set out later than at the start of the search.
    let isWindow: Bool
    /// The end of the window, in which riders set out.
    let lastLeave: Int32
    private let isCanceled: () -> Bool
    var log = JourneyLog()
    let walks: JourneyWalks
    /// The first vehicle of riders who are on board when the search begins; `nil` for others.
    private let ridden: RiddenVehicle?

    /// The rides with which the current iteration arrives at the times ``JourneyLabels/best``; by the number of vehicles.
    var improved: [UInt32?]
    private var journeys: [FoundJourney] = []
    private var isIncomplete = false
    /// The time to set out of the current iteration, before which no vehicle is of use.
    private(set) var currentLeave: Int32 = 0

    /// The least time from each node to the destination.
    let bounds: JourneyBounds
    /// The nodes from which the next and the current round start, and those that its vehicles reached.
    private var marked: [Int32] = []
    private var started: [Int32] = []
    var reached: [Int32] = []
    /// The routes of the current round; each stands for those that share its calls.
    private var queue: [Int32] = []
    private var lineQueue: [(feed: Int, line: Int, position: Int)] = []
    /// The calls where riders can board the routes or the line that is scanned, in ascending order.
    var boardingCalls: [BoardingCall] = []
    var continuations = JourneyContinuations()

    init(
        _ query: JourneyQuery, in feeds: [JourneyFeed], _ cache: JourneyBoundsCache, isCanceled: @escaping () -> Bool
    ) {
        self.query = query
        self.isCanceled = isCanceled
        base = query.earliest.secondsSince1970
        rounds = max(1, min(8, query.maximumVehicles))
        let latest = query.latest ?? query.earliest
        isWindow = query.latest != nil && query.onBoard == nil
        lastLeave = query.latest.map { Int32(clamping: query.earliest.seconds(to: $0)) } ?? .max / 2
        let end = latest.advanced(by: query.maximumDuration)
        let limit = query.arriveBy.map { min($0, end) } ?? end
        let horizon = Int32(clamping: limit.secondsSince1970 - base)
        var searched: [SearchedFeed] = []
        var (nodes, routes, sequences) = (0, 0, 0)
        for feed in feeds {
            let one = SearchedFeed(
                feed, base: base, horizon: horizon, walkingSpeed: query.walkingSpeed, firstNode: nodes,
                firstRoute: routes, firstSequence: sequences)
            searched.append(one)
            nodes += feed.network.nodeCount
            routes += feed.network.routeCount
            sequences += one.sequenceCount
        }
        self.feeds = searched
        labels = JourneyLabels(
            nodes: nodes, routes: routes, sequences: sequences, rounds: rounds, isWindow: isWindow,
            limit: horizon == .max ? .max : horizon + 1)
        improved = [UInt32?](repeating: nil, count: rounds + 1)
        walks = JourneyWalks(query, in: searched)
        ridden = query.onBoard.flatMap { RiddenVehicle($0, in: searched) }
        for node in walks.egress.keys { labels.isDestination[node] = true }
        bounds = cache.bounds(of: query, isWindow: isWindow) { [rounds, walks, isWindow] in
            JourneyBounds(feeds: searched, nodes: nodes, rounds: rounds, walks: walks, isWindow: isWindow)
        }
    }

    mutating func run() -> FoundJourneys {
        if query.onBoard != nil {
            searchOnBoard()
            collect()
        } else if !isWindow {
            searchDeparture()
        } else {
            searchWindow()
        }
        journeys.sort { ($0.leaveBy, $0.arrival, $0.vehicles) < ($1.leaveBy, $1.arrival, $1.vehicles) }
        return FoundJourneys(journeys: journeys, isIncomplete: isIncomplete)
    }

    /// The nodes of the origins with the shortest walk to each.
    private func access() -> [(node: Int, walk: Int32)] {
        walks.access.sorted { $0.key < $1.key }.map { (node: $0.key, walk: $0.value) }
    }

    // MARK: One departure time

    /// Searches the journeys of riders who set out at the start of the search.
    ///
    /// Most of them take not much longer than the least time with as many vehicles. A first pass leaves out what arrives later,
    /// so that the bounds exclude most nodes from the first round on. A second pass follows if later journeys are possible.
    private mutating func searchDeparture() {
        let access = access()
        let end = labels.best[0]
        let least = (1...rounds).map { vehicles in
            access.map { bounds.least(from: $0.node, $0.walk, vehicles) }.min() ?? JourneyBounds.unreachable
        }
        let limits = least.map { min(end, $0 &+ $0 / 2 &+ Self.usualWait) }
        search(from: access, limits: limits)
        var arrival = end
        let arrivals = (1...rounds).map { vehicles in
            for journey in journeys where journey.vehicles == vehicles {
                arrival = min(arrival, Int32(truncatingIfNeeded: journey.arrival.secondsSince1970 - base))
            }
            return arrival
        }
        // Where no vehicles lead, the limit was the end of the search.
        if isIncomplete || zip(arrivals, limits).allSatisfy({ $0 <= $1 }) { return }
        labels.forgetTimes()
        continuations = JourneyContinuations()
        search(from: access, limits: arrivals)
    }

    /// The seconds that riders of most journeys wait in all, besides half of the least time.
    private static let usualWait: Int32 = 1_200

    /// - Parameter limits: The arrival at the destination before which journeys are searched, by the number of vehicles.
    private mutating func search(from access: [(node: Int, walk: Int32)], limits: [Int32]) {
        for (number, limit) in limits.enumerated() { labels.best[number + 1] = limit }
        for (node, walk) in access { start(at: node, time: walk, walk: walk) }
        searchRounds()
        collect()
    }

    // MARK: The window

    private mutating func searchWindow() {
        let events = JourneyStart.all(access(), in: feeds, window: lastLeave)
        var next = 0
        while next < events.count, !isIncomplete {
            let leave = events[next].leave
            currentLeave = leave
            var previous: Int32 = -1
            while next < events.count, events[next].leave == leave {
                let event = events[next]
                if event.node != previous { start(at: Int(event.node), time: leave &+ event.walk, walk: event.walk) }
                previous = event.node
                next += 1
            }
            searchRounds()
            collect()
            if isCanceled() { isIncomplete = true }
        }
    }

    /// Searches journeys of riders who are on board of a vehicle, which they do not board.
    private mutating func searchOnBoard() {
        guard let ridden else { return }
        let node = feeds[ridden.feed].node(ridden.vehicle, at: ridden.position)
        let boarding = log.add(
            JourneyLog.Boarding(ride: .max, node: Int32(truncatingIfNeeded: node), seconds: 0, kind: .walk))
        stay(
            in: ridden.vehicle, ridden.feed, from: ridden.position, boarding, delay: 0, isContinuation: false, 0)
        endRound(0)
        searchRounds(from: 1)
    }

    private mutating func start(at node: Int, time: Int32, walk: Int32) {
        guard time < labels.boardings[node * rounds].time else { return }
        guard bounds.mayImprove(labels.best, boardingAt: node, time, after: 0) else { return }
        let record = log.add(JourneyLog.Boarding(ride: .max, node: Int32(node), seconds: walk, kind: .walk))
        labels.boardings[node * rounds] = JourneyLabels.Boarding(time: time, record: record)
        mark(node, labels.isMarked(in: 0))
    }

    @inline(__always)
    private mutating func mark(_ node: Int, _ isMarked: UnsafeMutablePointer<Bool>) {
        if isMarked[node] { return }
        isMarked[node] = true
        marked.append(Int32(truncatingIfNeeded: node))
    }

    // MARK: Rounds

    private mutating func searchRounds(from first: Int = 0) {
        for round in first..<rounds {
            if marked.isEmpty { break }
            swap(&marked, &started)
            enqueueRoutes()
            for route in queue {
                let position = labels.firstPosition[Int(route)]
                labels.firstPosition[Int(route)] = -1
                scan(route: Int(route), from: Int(position), round)
            }
            queue.removeAll(keepingCapacity: true)
            for (feed, line, position) in lineQueue { scan(line: line, of: feed, from: position, round) }
            lineQueue.removeAll(keepingCapacity: true)
            endRound(round)
            if isIncomplete { break }
        }
        for node in marked {
            labels.isMarked.0[Int(node)] = false
            labels.isMarked.1[Int(node)] = false
        }
        marked.removeAll(keepingCapacity: true)
    }

    /// Rides on in vehicles that continue, and changes at the nodes that a round has reached.
    private mutating func endRound(_ round: Int) {
        while let one = continuations.next() {
            stay(in: one.vehicle, one.feed, from: 0, one.previous, delay: one.delay, isContinuation: true, round)
        }
        continuations.removeAll()
        if log.rides.count > query.maximumWork { isIncomplete = true }
        let isLast = round + 1 == rounds || isIncomplete
        var feed = feeds[0]
        for node in reached {
            if !feed.contains(node: Int(node)) { feed = feeds[feeds.feedIndex(of: Int(node))] }
            if !isLast { change(at: Int(node), of: feed, round + 1) }
            labels.arrivalRecords[Int(node)] = .max
        }
        reached.removeAll(keepingCapacity: true)
        let isMarked = labels.isMarked(in: round)
        for node in started { isMarked[Int(node)] = false }
        started.removeAll(keepingCapacity: true)
    }

    private mutating func enqueueRoutes() {
        var (index, feed) = (0, feeds[0])
        for node in started {
            if !feed.contains(node: Int(node)) {
                index = feeds.feedIndex(of: Int(node))
                feed = feeds[index]
            }
            let local = Int(node) - feed.firstNode
            for number in feed.network.visits(of: local) {
                let visit = feed.network.visits[number]
                let call = Int(feed.routes[visit.route].firstCall) + visit.position
                guard feed.calls[call].canBoard else { continue }
                let route = feed.firstRoute + visit.route
                let position = Int32(truncatingIfNeeded: visit.position)
                if labels.firstPosition[route] < 0 {
                    labels.firstPosition[route] = position
                    queue.append(Int32(truncatingIfNeeded: route))
                } else if position < labels.firstPosition[route] {
                    labels.firstPosition[route] = position
                }
            }
            if let tables = feed.tables {
                for number in tables.visits(of: local) {
                    let visit = tables.visits[number]
                    lineQueue.append((index, Int(visit.line), Int(visit.position)))
                }
            }
        }
    }

    // MARK: Changes

    /// Extends the arrivals of a round by changes to the nodes where riders can board next.
    private mutating func change(at node: Int, of feed: SearchedFeed, _ round: Int) {
        let arrival = labels.arrivals[node * rounds + round - 1]
        let record = labels.arrivalRecords[node]
        walks.forEachChange(from: node, in: feed) { target, seconds, kind in
            board(at: target, arrival &+ seconds, round, record, seconds, kind)
        }
    }

    @inline(__always)
    private mutating func board(
        at node: Int, _ time: Int32, _ round: Int, _ ride: UInt32, _ seconds: Int32,
        _ kind: JourneyNetwork.FootpathKind
    ) {
        if time >= labels.best[round + 1] { return }
        let row = node * rounds
        guard time < labels.boardings[row + round].time,
            bounds.mayImprove(labels.best, boardingAt: node, time, after: round)
        else { return }
        let record = log.add(
            JourneyLog.Boarding(ride: ride, node: Int32(truncatingIfNeeded: node), seconds: seconds, kind: kind))
        var later = round
        while later < rounds, labels.boardings[row + later].time > time {
            labels.boardings[row + later] = JourneyLabels.Boarding(time: time, record: record)
            later += 1
        }
        mark(node, labels.isMarked(in: round))
    }

    // MARK: Results

    private mutating func collect() {
        guard improved.contains(where: { $0 != nil }) else { return }
        let reconstruction = JourneyReconstruction(
            feeds: feeds, base: base, log: log, walks: walks, isOnBoard: ridden != nil)
        for vehicles in 1...rounds {
            guard let record = improved[vehicles] else { continue }
            improved[vehicles] = nil
            journeys.append(reconstruction.journey(endingWith: record, vehicles))
        }
    }
}
