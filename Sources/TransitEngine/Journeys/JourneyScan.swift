internal import TransitModel

/// A round of a search rides along the routes on which riders can board.
extension JourneySearch {
    /// A call of the routes that are scanned, where riders can board.
    struct BoardingCall {
        var position: Int
        /// When riders are there, and the number of the record in ``JourneyLog/boardings``.
        var time: Int32
        var record: UInt32
    }

    /// The vehicles that are scanned: their feed, their number in ``JourneyLabels``, and their calls.
    private struct Scanned {
        var feed: Int
        var sequence: Int
        var firstNode: Int
        var calls: UnsafeBufferPointer<JourneyNetwork.Call>
        var hasContinuations: Bool
    }

    /// Scans the routes that share the calls of a route.
    mutating func scan(route global: Int, from position: Int, _ round: Int) {
        let index = feeds.count == 1 ? 0 : feeds.lastIndex { $0.firstRoute <= global } ?? 0
        scan(route: global - feeds[index].firstRoute, of: feeds[index], index, position, round)
    }

    private mutating func scan(route first: Int, of feed: SearchedFeed, _ index: Int, _ position: Int, _ round: Int) {
        let calls = UnsafeBufferPointer(rebasing: feed.calls[feed.network.calls(of: first)])
        findBoardingCalls(calls, firstNode: feed.firstNode, from: position, round)
        if boardingCalls.isEmpty { return }
        let days = feed.days(ofRoute: feed.routes[first].route)
        var scanned = Scanned(
            feed: index, sequence: 0, firstNode: feed.firstNode, calls: calls, hasContinuations: false)
        for route in feed.network.routes(sharingCallsOf: first) {
            scanned.hasContinuations = feed.hasContinuations(route)
            for day in days {
                scanned.sequence = feed.sequence(ofRoute: route, on: day)
                scan(ScheduledVehicles(feed, route: route, day: feed.days[day]), scanned, round)
            }
            guard let tables = feed.tables else { continue }
            for line in tables.lines(of: route) {
                scanned.sequence = feed.sequence(ofLine: line)
                scan(ReportedVehicles(feed, tables, line: line), scanned, round)
            }
        }
    }

    /// Scans a line with calls of its own.
    mutating func scan(line: Int, of index: Int, from position: Int, _ round: Int) {
        let feed = feeds[index]
        guard let tables = feed.tables else { return }
        let calls = UnsafeBufferPointer(rebasing: feed.reportedCalls[tables.calls(of: line)])
        findBoardingCalls(calls, firstNode: feed.firstNode, from: position, round)
        let scanned = Scanned(
            feed: index, sequence: feed.sequence(ofLine: line), firstNode: feed.firstNode, calls: calls,
            hasContinuations: false)
        scan(ReportedVehicles(feed, tables, line: line), scanned, round)
    }

    /// Finds the calls where the previous round improved the time at which riders can board. Earlier times of other
    /// iterations lead to vehicles that those have ridden.
    private mutating func findBoardingCalls(
        _ calls: UnsafeBufferPointer<JourneyNetwork.Call>, firstNode: Int, from first: Int, _ round: Int
    ) {
        boardingCalls.removeAll(keepingCapacity: true)
        let isMarked = labels.isMarked(in: round)
        for position in stride(from: first, to: calls.count, by: 1) {
            let call = calls[position]
            let node = firstNode &+ call.node
            guard isMarked[node], call.canBoard else { continue }
            let label = labels.boardings[node &* rounds &+ round]
            guard label.time < labels.best[round + 1] else { continue }
            boardingCalls.append(BoardingCall(position: position, time: label.time, record: label.record))
        }
    }

    /// Rides along the calls in the earliest vehicle that can be boarded.
    @inline(__always)
    private mutating func scan(_ vehicles: some VehicleSequence, _ scanned: Scanned, _ round: Int) {
        guard vehicles.mayRun(leave: currentLeave, before: labels.best[round + 1]) else { return }
        let last = scanned.calls.count - 1
        // Riders who wait for a later vehicle because it continues are not among those who have boarded the earliest one,
        // unless it can be boarded wherever the other one can, and leaves within the window.
        let isCompared = !scanned.hasContinuations || vehicles.boardsEverywhere && (round > 0 || !isWindow)
        let known =
            isCompared
            ? labels.ridden(scanned.sequence, in: round) : JourneyLabels.Ridden(vehicle: .max, position: .max)
        var vehicle = vehicles.end
        var (boardPosition, boarding): (Int, UInt32) = (0, 0)
        // The last call up to which the vehicle may be earlier than those that riders have boarded.
        var end = last
        for number in boardingCalls.indices {
            let call = boardingCalls[number]
            let position = call.position
            if call.time < labels.best[round + 1] {
                let isKnown = position >= Int(known.position) && Int(known.vehicle) < vehicle
                let limit = isKnown ? Int(known.vehicle) : vehicle
                let earlier = vehicles.earliest(at: position, from: call.time, before: limit)
                if earlier != limit, round > 0 || isInWindow(vehicles.departure(earlier, position), call.record) {
                    if scanned.hasContinuations {
                        enqueueContinuations(
                            of: vehicles, earlier..<limit, scanned.feed, boardAt: position, call.record, round)
                    }
                    if isCompared { labels.board(earlier, of: scanned.sequence, at: position, in: round) }
                    end = earlier < Int(known.vehicle) ? last : min(last, Int(known.position))
                    vehicle = earlier
                    boardPosition = position
                    boarding = call.record
                }
            }
            if vehicle == vehicles.end { continue }
            var found = position + 1
            let next = number + 1 < boardingCalls.count ? min(end, boardingCalls[number + 1].position) : end
            while found <= next {
                let call = scanned.calls[found]
                if call.canAlight {
                    let arrival = vehicles.arrival(vehicle, found)
                    let node = scanned.firstNode &+ call.node
                    if arrival < labels.arrivals[node &* rounds &+ round], arrival < labels.best[round + 1],
                        vehicles.canAlight(vehicle, found)
                    {
                        arrive(
                            at: node, arrival, round,
                            JourneyLog.Ride(
                                boarding: boarding, vehicle: vehicles.vehicle(vehicle), feed: scanned.feed,
                                board: boardPosition, alight: found, isContinuation: false))
                    }
                }
                found += 1
            }
        }
    }

    /// Whether riders who board a first vehicle set out within the window.
    @inline(__always)
    private func isInWindow(_ departure: Int32, _ boarding: UInt32) -> Bool {
        departure &- log.boardings[Int(boarding)].seconds <= lastLeave
    }

    /// Records an arrival that is earlier than those before with at most as many vehicles.
    mutating func arrive(at node: Int, _ arrival: Int32, _ round: Int, _ ride: JourneyLog.Ride) {
        guard
            labels.isDestination[node] || bounds.mayImprove(labels.best, changingAt: node, arrival, after: round + 1)
        else { return }
        let row = node &* rounds
        var later = round
        while later < rounds, labels.arrivals[row + later] > arrival {
            labels.arrivals[row + later] = arrival
            later += 1
        }
        let record = log.add(ride)
        if labels.arrivalRecords[node] == .max { reached.append(Int32(truncatingIfNeeded: node)) }
        labels.arrivalRecords[node] = record
        guard labels.isDestination[node], let walk = walks.egress[node] else { return }
        let total = arrival &+ walk
        guard total < labels.best[round + 1] else { return }
        for vehicles in (round + 1)...rounds { labels.best[vehicles] = min(labels.best[vehicles], total) }
        improved[round + 1] = record
    }
}
