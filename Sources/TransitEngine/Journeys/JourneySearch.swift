internal import TransitModel

/// Finds journeys with changes by rounds (RAPTOR): round *k* finds the earliest arrivals with *k* vehicles. A time window is
/// searched from its last departure to its first (rRAPTOR), and each departure reuses what later ones reached.
///
/// Delling, Pajor, Werneck: "Round-Based Public Transit Routing", Transportation Science 49 (2015).
///
/// Times are seconds from ``base``, in 32 bits. A node has a number within all feeds of the search.
struct JourneySearch {
    private let feeds: [SearchedFeed]
    private let query: JourneyQuery
    private let base: Int64
    private let labels: JourneyLabels
    private let rounds: Int
    /// The end of the window, in which riders set out.
    private let lastLeave: Int32
    private let isCanceled: () -> Bool
    private var log = JourneyLog()
    private let walks: JourneyWalks
    /// The first vehicle of riders who are on board when the search begins; `nil` for others.
    private let ridden: RiddenVehicle?

    /// The earliest arrival at the destination with at most *k* vehicles, by *k*.
    private var best: [Int32]
    /// The rides that arrive then, found by the current iteration; by the number of vehicles.
    private var improved: [UInt32?]
    private var journeys: [FoundJourney] = []
    private var isIncomplete = false
    /// The time to set out of the current iteration, before which no vehicle is of use.
    private var currentLeave: Int32 = 0

    /// The least time from each node to the destination.
    private let bounds: JourneyBounds
    /// The nodes from which the next and the current round start, and those that its vehicles reached.
    private var marked: [Int32] = []
    private var started: [Int32] = []
    private var reached: [Int32] = []
    /// The routes of the current round; each stands for those that share its calls.
    private var queue: [Int32] = []
    private var lineQueue: [(feed: Int, line: Int, position: Int)] = []
    private var continuations = JourneyContinuations()

    init(_ query: JourneyQuery, in feeds: [JourneyFeed], isCanceled: @escaping () -> Bool) {
        self.query = query
        self.isCanceled = isCanceled
        base = query.earliest.secondsSince1970
        rounds = max(1, min(8, query.maximumVehicles))
        let latest = query.latest ?? query.earliest
        lastLeave = query.latest.map { Int32(clamping: query.earliest.seconds(to: $0)) } ?? .max / 2
        let end = latest.advanced(by: query.maximumDuration)
        let limit = query.arriveBy.map { min($0, end) } ?? end
        let horizon = Int32(clamping: limit.secondsSince1970 - base)
        var searched: [SearchedFeed] = []
        var (nodes, routes) = (0, 0)
        for feed in feeds {
            searched.append(SearchedFeed(feed, base: base, horizon: horizon, firstNode: nodes, firstRoute: routes))
            nodes += feed.network.nodeCount
            routes += feed.network.routeCount
        }
        self.feeds = searched
        labels = JourneyLabels(nodes: nodes, routes: routes, rounds: rounds)
        best = [Int32](repeating: horizon == .max ? .max : horizon + 1, count: rounds + 1)
        improved = [UInt32?](repeating: nil, count: rounds + 1)
        walks = JourneyWalks(query, in: searched)
        ridden = query.onBoard.flatMap { RiddenVehicle($0, in: searched) }
        for node in walks.egress.keys { labels.isDestination[node] = true }
        bounds = JourneyBounds(feeds: searched, nodes: nodes, rounds: rounds, walks: walks)
    }

    mutating func run() -> FoundJourneys {
        if query.onBoard != nil {
            searchOnBoard()
            collect()
        } else if query.latest == nil {
            for (node, walk) in access() { start(at: node, time: walk, walk: walk) }
            searchRounds()
            collect()
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
        guard bounds.mayImprove(best, boardingAt: node, time, after: 0) else { return }
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
        for node in reached {
            if !isLast { change(at: Int(node), round + 1) }
            labels.arrivalRecords[Int(node)] = .max
        }
        reached.removeAll(keepingCapacity: true)
        let isMarked = labels.isMarked(in: round)
        for node in started { isMarked[Int(node)] = false }
        started.removeAll(keepingCapacity: true)
    }

    private mutating func enqueueRoutes() {
        for node in started {
            let index = feedIndex(of: Int(node))
            let feed = feeds[index]
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
            if let tables = feed.realtime?.tables {
                for number in tables.visits(of: local) {
                    let visit = tables.visits[number]
                    lineQueue.append((index, Int(visit.line), Int(visit.position)))
                }
            }
        }
    }

    @inline(__always)
    private func feedIndex(of node: Int) -> Int { feeds.feedIndex(of: node) }

    // MARK: Scanning

    private mutating func scan(route global: Int, from position: Int, _ round: Int) {
        let index = feeds.count == 1 ? 0 : feeds.lastIndex { $0.firstRoute <= global } ?? 0
        let feed = feeds[index]
        let first = global - feed.firstRoute
        let calls = feed.network.calls(of: first)
        let days = feed.days(ofRoute: feed.routes[first].route)
        let tables = feed.realtime?.tables
        for route in feed.network.routes(sharingCallsOf: first) {
            for day in days {
                let vehicles = ScheduledVehicles(feed, route: route, day: feed.days[day])
                guard vehicles.mayRun(before: best[round + 1]) else { continue }
                scan(vehicles, index, feed.calls, calls, firstNode: feed.firstNode, from: position, round)
            }
            guard let tables else { continue }
            for line in tables.lines(of: route) {
                let vehicles = ReportedVehicles(feed, tables, line: line)
                guard vehicles.mayRun(leave: currentLeave, before: best[round + 1]) else { continue }
                scan(vehicles, index, feed.calls, calls, firstNode: feed.firstNode, from: position, round)
            }
        }
    }

    private mutating func scan(line: Int, of index: Int, from position: Int, _ round: Int) {
        let feed = feeds[index]
        guard let tables = feed.realtime?.tables else { return }
        scan(
            ReportedVehicles(feed, tables, line: line), index, feed.reportedCalls, tables.calls(of: line),
            firstNode: feed.firstNode, from: position, round)
    }

    /// Rides along the calls in the earliest vehicle that can be boarded.
    @inline(__always)
    private mutating func scan<Vehicles: VehicleSequence>(
        _ vehicles: Vehicles, _ feed: Int, _ calls: UnsafeBufferPointer<JourneyNetwork.Call>, _ range: Range<Int>,
        firstNode: Int, from position: Int, _ round: Int
    ) {
        var vehicle = vehicles.end
        var (boardPosition, boarding): (Int, UInt32) = (0, 0)
        var found = position
        let bound = best[round + 1]
        let hasContinuations = feeds[feed].hasContinuations(vehicles.line)
        let isMarked = labels.isMarked(in: round)
        while found < range.count {
            let call = calls[range.lowerBound + found]
            let node = firstNode + call.node
            if vehicle != vehicles.end, call.canAlight, found > boardPosition {
                let arrival = vehicles.arrival(vehicle, found)
                if arrival < best[round + 1], vehicles.canAlight(vehicle, found) {
                    arrive(
                        at: node, arrival, round,
                        JourneyLog.Ride(
                            boarding: boarding, vehicle: vehicles.vehicle(vehicle), feed: feed, board: boardPosition,
                            alight: found, isContinuation: false))
                }
            }
            // Boarding times of earlier iterations lead to vehicles that those iterations have ridden.
            if isMarked[node], call.canBoard {
                let label = labels.boardings[node * rounds + round]
                if label.time < bound {
                    let earlier = vehicles.earliest(at: found, from: label.time, before: vehicle)
                    if earlier != vehicle, round > 0 || isInWindow(vehicles.departure(earlier, found), label) {
                        if hasContinuations {
                            enqueueContinuations(
                                of: vehicles, earlier..<vehicle, feed, boardAt: found, label.record, round)
                        }
                        vehicle = earlier
                        boardPosition = found
                        boarding = label.record
                    }
                }
            }
            found += 1
        }
    }

    /// Whether riders who board a first vehicle set out within the window.
    private func isInWindow(_ departure: Int32, _ label: JourneyLabels.Boarding) -> Bool {
        departure &- log.boardings[Int(label.record)].seconds <= lastLeave
    }

    private mutating func arrive(at node: Int, _ arrival: Int32, _ round: Int, _ ride: JourneyLog.Ride) {
        let row = node * rounds
        for earlier in 0...round where labels.arrivals[row + earlier] <= arrival { return }
        guard labels.isDestination[node] || bounds.mayImprove(best, changingAt: node, arrival, after: round + 1)
        else { return }
        labels.arrivals[row + round] = arrival
        let record = log.add(ride)
        if labels.arrivalRecords[node] == .max { reached.append(Int32(truncatingIfNeeded: node)) }
        labels.arrivalRecords[node] = record
        guard labels.isDestination[node], let walk = walks.egress[node] else { return }
        let total = arrival &+ walk
        guard total < best[round + 1] else { return }
        for vehicles in (round + 1)...rounds { best[vehicles] = min(best[vehicles], total) }
        improved[round + 1] = record
    }

    /// Extends the arrivals of a round by changes to the nodes where riders can board next.
    private mutating func change(at node: Int, _ round: Int) {
        let arrival = labels.arrivals[node * rounds + round - 1]
        let record = labels.arrivalRecords[node]
        walks.forEachChange(from: node, in: feeds[feedIndex(of: node)]) { target, seconds, kind in
            board(at: target, arrival &+ seconds, round, record, seconds, kind)
        }
    }

    @inline(__always)
    private mutating func board(
        at node: Int, _ time: Int32, _ round: Int, _ ride: UInt32, _ seconds: Int32,
        _ kind: JourneyNetwork.FootpathKind
    ) {
        if time >= best[round + 1] { return }
        let row = node * rounds
        // The walk from the origin is not compared: it does not lead to vehicles that leave after the window.
        for earlier in 1...round where labels.boardings[row + earlier].time <= time { return }
        guard bounds.mayImprove(best, boardingAt: node, time, after: round) else { return }
        let record = log.add(
            JourneyLog.Boarding(ride: ride, node: Int32(truncatingIfNeeded: node), seconds: seconds, kind: kind))
        labels.boardings[row + round] = JourneyLabels.Boarding(time: time, record: record)
        mark(node, labels.isMarked(in: round))
    }

    // MARK: Continuations

    /// Riders may also wait for a later vehicle because it continues to where an earlier one does not.
    private mutating func enqueueContinuations(
        of vehicles: some VehicleSequence, _ range: Range<Int>, _ feed: Int, boardAt position: Int, _ boarding: UInt32,
        _ round: Int
    ) {
        for number in range where vehicles.canBoard(number, position) {
            let departure = vehicles.departure(number, position)
            if departure >= best[round + 1] { return }
            if round == 0, departure &- log.boardings[Int(boarding)].seconds > lastLeave { return }
            enqueueContinuations(
                of: vehicles.vehicle(number), feed, board: position, boarding, delay: 0, isContinuation: false, round)
        }
    }

    private mutating func enqueueContinuations(
        of vehicle: Vehicle, _ feed: Int, board: Int, _ boarding: UInt32, delay: Int32, isContinuation: Bool,
        _ round: Int
    ) {
        guard feeds[feed].canStay(vehicle), let route = feeds[feed].route(of: vehicle),
            feeds[feed].hasContinuations(route)
        else { return }
        let last = feeds[feed].callCount(of: vehicle) - 1
        let end = feeds[feed].times(vehicle, last).arrival &+ delay
        let routes = feeds[feed].network.routeCount
        guard bounds.mayImprove(best, stayingAfter: route, of: feed, routes: routes, end, with: round + 1) else {
            return
        }
        guard continuations.isFirst(vehicle, of: feed, with: round, delay: delay) else { return }
        let next = feeds[feed].continuations(of: vehicle)
        if next.isEmpty { return }
        let record = log.add(
            JourneyLog.Ride(
                boarding: boarding, vehicle: vehicle, feed: feed, board: board, alight: last,
                isContinuation: isContinuation))
        for vehicle in next {
            let delay = max(0, end &- feeds[feed].times(vehicle, 0).departure)
            continuations.append(.init(feed: feed, vehicle: vehicle, previous: record, delay: delay))
        }
    }

    /// Stays in a vehicle to each of its later calls, and for what follows.
    ///
    /// - Parameters:
    ///   - board: The call from which riders are on board.
    ///   - boarding: The record of the boarding or, for a continuation, of the ride before.
    private mutating func stay(
        in vehicle: Vehicle, _ index: Int, from board: Int, _ boarding: UInt32, delay: Int32, isContinuation: Bool,
        _ round: Int
    ) {
        let feed = feeds[index]
        for position in stride(from: board + 1, to: feed.callCount(of: vehicle), by: 1) {
            guard let (node, time) = feed.alighting(vehicle, at: position) else { continue }
            let arrival = time &+ delay
            // A vehicle that riders are on board of has passed the calls before the search begins.
            if arrival < 0 || arrival >= best[round + 1] { continue }
            arrive(
                at: node, arrival, round,
                JourneyLog.Ride(
                    boarding: boarding, vehicle: vehicle, feed: index, board: board, alight: position,
                    isContinuation: isContinuation))
        }
        enqueueContinuations(
            of: vehicle, index, board: board, boarding, delay: delay, isContinuation: isContinuation, round)
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
