internal import TransitEngine
package import TransitModel
internal import TransitStore

/// A row of transfers.txt that decides a change, or that riders stay on board.
package struct ChangeRule {
    package var row: Transfer
    /// The timetable that has the row.
    package var timetable: Timetable
}

extension JourneyFeeds {
    /// Returns the row of transfers.txt that decides the change between two legs, or that riders stay on board; `nil` if none
    /// does, as between two feeds.
    func rule(from one: FoundJourney.Leg, to other: FoundJourney.Leg) throws(StoreError) -> ChangeRule? {
        guard one.feed == other.feed, let from = try vehicle(of: one, at: one.alightStop),
            let to = try vehicle(of: other, at: other.boardStop)
        else { return nil }
        let time = ChangeTime(seconds: other.changeTime, walk: other.changeWalk, isTimed: other.isTimedTransfer)
        return try rule(from: from, to: to, of: one.feed, other.isContinuation ? nil : time)
    }

    /// Returns the change from one call to another one, and the row of transfers.txt that decides it; `nil` if riders cannot
    /// change.
    ///
    /// - Parameter planned: The time of the change in seconds; `nil` for the quickest one.
    func change(
        from arrival: ExpectedCall, of timetable: Timetable, to departure: ExpectedCall, of other: Timetable,
        taking planned: Int?
    ) throws(StoreError) -> (time: ChangeTime, rule: ChangeRule?)? {
        guard let feed = position(of: timetable), let target = position(of: other) else { return nil }
        var times: [ChangeTime] = []
        if feed == target {
            times = self.times(from: nodes(of: arrival, feed), to: Set(nodes(of: departure, feed)), of: feed)
        }
        for footpath in footpathsBetweenFeeds
        where footpath.from.feed == feed && footpath.from.stop == arrival.stop && footpath.to.feed == target
            && footpath.to.stop == departure.stop
        {
            times.append(
                ChangeTime(seconds: footpath.to.walk, walk: Int(footpath.meters.rounded(.up)), isTimed: false))
        }
        let known = times.first { $0.seconds == planned } ?? times.min { $0.seconds < $1.seconds }
        // A change at a place on the way, to which riders walk from the one stop and from there to the other one.
        guard let time = known ?? planned.map({ ChangeTime(seconds: $0, walk: nil, isTimed: false) }) else {
            return nil
        }
        guard feed == target else { return (time, nil) }
        return (time, try rule(from: Vehicle(arrival), to: Vehicle(departure), of: feed, time))
    }

    /// Returns the row of transfers.txt by which riders stay on board of a vehicle that continues as another trip; `nil` if
    /// none says so.
    func rule(
        stayingFrom arrival: ExpectedCall, to departure: ExpectedCall, of timetable: Timetable
    ) throws(StoreError) -> ChangeRule? {
        guard let feed = position(of: timetable) else { return nil }
        return try rule(from: Vehicle(arrival), to: Vehicle(departure), of: feed, nil)
    }

    /// The time of a change.
    struct ChangeTime {
        var seconds: Int
        /// The straight-line distance in meters that ``seconds`` is computed from; `nil` if it is not a walk.
        var walk: Int?
        /// Whether the departing vehicle waits.
        var isTimed: Bool
    }

    private func times(from nodes: [Int], to targets: Set<Int>, of feed: Int) -> [ChangeTime] {
        let network = members[feed].feed.network
        var times: [ChangeTime] = []
        for node in nodes {
            // Riders can change within a node without a footpath.
            var isHere = targets.contains(node)
            for number in network.footpaths(of: node) where targets.contains(network.footpaths.node(number)) {
                var footpath = network.footpaths[number]
                if footpath.node == node { isHere = false }
                guard footpath.kind != .notPossible else { continue }
                func add() {
                    times.append(
                        ChangeTime(
                            seconds: Int(footpath.seconds(at: context.settings.walkingSpeed)),
                            walk: footpath.kind == .walk ? Int(footpath.value) : nil, isTimed: footpath.kind == .timed))
                }
                add()
                guard let value = footpath.wheelchairValue, value != footpath.value else { continue }
                footpath.value = value
                add()
            }
            if isHere { times.append(ChangeTime(seconds: 0, walk: nil, isTimed: false)) }
        }
        return times
    }

    /// Returns the node of a call in its network, or all nodes of its stop if the network does not have the call.
    private func nodes(of call: ExpectedCall, _ feed: Int) -> [Int] {
        let network = members[feed].feed.network
        guard call.stop.position < network.stopCount else { return [] }
        let all = Array(network.nodes(of: call.stop.position))
        guard all.count > 1, case .scheduled(let scheduled) = call.subject else { return all }
        for route in network.routes(of: scheduled.pattern.index.position) {
            let row = network.routes[route]
            let hasTrip = network.trips(of: route).contains { trip in
                network.reference(of: trip, in: row) == UInt32(scheduled.trip.position)
            }
            let calls = network.calls(of: route)
            guard hasTrip, scheduled.position < calls.count else { continue }
            let node = network.calls[calls.lowerBound + scheduled.position].node
            return all.contains(node) ? [node] : all
        }
        return all
    }

    /// - Parameter time: The time of the change; `nil` if riders stay on board.
    private func rule(
        from: Vehicle, to: Vehicle, of feed: Int, _ time: ChangeTime?
    ) throws(StoreError) -> ChangeRule? {
        let timetable = members[feed].timetable
        let (here, there) = (try timetable.levels(of: from.stop), try timetable.levels(of: to.stop))
        var rows: [Transfer] = []
        for stop in [nil] + here.map(Optional.some) { rows += try timetable.file.transfers(from: stop) }
        guard let time else {
            guard let trip = try from.id(timetable), let next = try to.id(timetable) else { return nil }
            let row = rows.first { $0.kind == .inSeat && $0.fromTrip == trip && $0.toTrip == next }
            return row.map { ChangeRule(row: $0, timetable: timetable) }
        }
        let transfers = try JourneyNetworkInput.transfers(
            rows.filter { $0.toStop.map(there.contains) ?? false }, timetable.file)
        guard
            let row = TransferPrecedence.row(
                of: transfers, from: here, to: there, TransferPrecedence.Vehicle(route: from.route, trip: from.trip),
                TransferPrecedence.Vehicle(route: to.route, trip: to.trip))
        else { return nil }
        return row.decides(time) ? ChangeRule(row: row, timetable: timetable) : nil
    }

    /// A vehicle at a stop of its feed's timetable.
    private struct Vehicle {
        var stop: StopIndex
        var route: RouteIndex?
        var trip: TripIndex?

        init(_ call: ExpectedCall, at stop: StopIndex? = nil) {
            (self.stop, route, trip) = (stop ?? call.stop, call.route, call.tripInstance?.trip)
        }

        func id(_ timetable: Timetable) throws(StoreError) -> TripID? {
            try trip.map { (trip) throws(StoreError) in try timetable.file.trip(trip).id }
        }
    }

    private func vehicle(of leg: FoundJourney.Leg, at stop: StopIndex) throws(StoreError) -> Vehicle? {
        let member = members[leg.feed]
        let calls = try member.feed.calls(of: leg) { (pattern) throws(StoreError) in
            try member.timetable.file.pattern(pattern)
        }
        return calls.map { Vehicle($0.departure, at: stop) }
    }
}

extension Transfer {
    /// Whether the time of a change is from this row. It is not from a row that a network leaves out
    /// (`JourneyNetworkOmissions`).
    fileprivate func decides(_ time: JourneyFeeds.ChangeTime) -> Bool {
        switch kind {
        case .timed: time.isTimed
        case .minimumTime where minimumTime != nil: time.walk == nil && minimumTime == time.seconds
        case .recommended, .minimumTime: !time.isTimed
        case .notPossible, .inSeat, .inSeatNotAllowed: false
        }
    }
}

extension Timetable {
    /// Returns a stop and what it belongs to, nearest first: its platform and its station.
    fileprivate func levels(of stop: StopIndex) throws(StoreError) -> [StopIndex] {
        var levels = [stop]
        // A boarding area has a platform, and the platform a station.
        for _ in 0..<2 {
            let last = levels[levels.count - 1].position
            guard let parent = try file.stopLocations(ofStops: last..<last + 1).first?.parent, !levels.contains(parent)
            else { break }
            levels.append(parent)
        }
        return levels
    }
}
