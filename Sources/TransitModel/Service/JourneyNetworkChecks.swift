// The checks of a network that is opened. A damaged file must be found, and a search must need no checks.
extension JourneyNetwork {
    func checkIndices() throws(JourneyNetworkError) {
        let nodes = stopsOfNodes.count
        guard !routes.isEmpty, !nodesOfStops.isEmpty, visitsOfNodes.count == nodes + 1,
            fastest.count == calls.count, dwells.count == calls.count, !routesOfPatterns.isEmpty
        else { throw .malformed("the tables have contradictory sizes") }
        try Self.checkOffsets(nodesOfStops, end: nodes, "nodes")
        try Self.checkOffsets(visitsOfNodes, end: visits.count, "visits")
        try Self.checkOffsets(routesOfPatterns, end: routeCount, "routes")
        let stopCount = stopCount
        guard stopsOfNodes.allSatisfy({ $0 < stopCount }), calls.allSatisfy({ $0.node < nodes }) else {
            throw .malformed("an index is out of range")
        }
        for route in 0..<routeCount { try check(route: route) }
        for visit in visits {
            guard visit.route < routeCount, visit.position < routes[visit.route].callCount else {
                throw .malformed("a visit has an unknown call")
            }
        }
    }

    static func checkFootpaths(
        _ footpaths: Footpaths, _ footpathsOfNodes: UnsafeBufferPointer<UInt32>, nodes: Int
    ) throws(JourneyNetworkError) {
        guard footpathsOfNodes.count == nodes + 1 else { throw .malformed("the tables have contradictory sizes") }
        try checkOffsets(footpathsOfNodes, end: footpaths.count, "footpaths")
        guard
            footpaths.rows.allSatisfy({
                $0.node < nodes && ($0.value < footpaths.values.count || $0.value == PackedFootpath.rare)
            })
        else { throw .malformed("an index is out of range") }
    }

    private func check(route number: Int) throws(JourneyNetworkError) {
        let route = routes[number]
        guard route.callCount > 1, route.callCount <= Visit.maximumCalls,
            Int(route.firstCall) + Int(route.callCount) <= calls.count
        else { throw .malformed("a route has unknown calls, or fewer than two") }
        if number > 0, routes[number - 1].pattern == route.pattern, routes[number - 1].firstCall == route.firstCall {
            guard routes[number - 1].callCount == route.callCount else {
                throw .malformed("two routes share different numbers of calls")
            }
        }
        let range = trips(of: number)
        guard route.firstFrequency == .max || Int(route.firstFrequency) + range.count <= frequencies.count else {
            throw .malformed("a route has unknown frequencies")
        }
        guard [1, 2, 4].contains(route.layout.width) else { throw .malformed("a route has times of an unknown size") }
        guard let last = range.lazy.map({ self.trips[$0].timingGroup }).max() else { return }
        let values = (last + 1) * Int(route.callCount) * (route.layout.hasDepartures ? 2 : 1)
        guard Int(route.firstTime) * 4 + values * route.layout.width <= times.count else {
            throw .malformed("a trip has an unknown timing group")
        }
    }

    static func checkTrips(
        of routes: UnsafeBufferPointer<Route>, tripCount: Int
    ) throws(JourneyNetworkError) {
        var previous: UInt32 = 0
        for route in routes {
            guard route.firstTrip >= previous else { throw .malformed("the routes are out of order") }
            previous = route.firstTrip
        }
        guard routes.first.map({ $0.firstTrip == 0 }) ?? false, previous == tripCount else {
            throw .malformed("the last route does not end at the ends of the tables")
        }
    }

    /// Checks the indices of the timetable's tables.
    func check(_ counts: TimetableSummary.Counts) throws(JourneyNetworkError) {
        guard stopCount == counts.stops, routesOfPatterns.count == counts.patterns + 1,
            routes.dropLast().allSatisfy({ $0.pattern < counts.patterns && $0.route < counts.routes }),
            trips.allSatisfy({ $0.service < counts.services }),
            (0..<routeCount).allSatisfy({ route in
                trips(of: route).allSatisfy {
                    Int(routes[route].firstReference) + Int(trips[$0].reference) < counts.trips
                }
            })
        else { throw .malformed("it does not fit the timetable") }
    }

    private static func checkOffsets(
        _ offsets: UnsafeBufferPointer<UInt32>, end: Int, _ name: String
    ) throws(JourneyNetworkError) {
        var previous: UInt32 = 0
        for offset in offsets {
            guard offset >= previous else { throw .malformed("the offsets of \(name) descend") }
            previous = offset
        }
        guard offsets.first == 0, previous == end else {
            throw .malformed("the offsets of \(name) do not end at the end")
        }
    }

    /// Returns continuations between the first routes that share the calls of others.
    static func betweenFirstRoutes(
        _ continuations: [RouteContinuation], _ routes: UnsafeBufferPointer<Route>
    ) -> [RouteContinuation] {
        if continuations.isEmpty { return [] }
        var first: [UInt32] = []
        for (number, route) in routes.enumerated() {
            let isShared =
                number > 0 && route.firstCall == routes[number - 1].firstCall
                && route.pattern == routes[number - 1].pattern
            first.append(isShared ? first[number - 1] : UInt32(number))
        }
        let found = continuations.map {
            RouteContinuation(route: first[Int($0.route)], next: first[Int($0.next)])
        }
        return Set(found).sorted { ($0.route, $0.next) < ($1.route, $1.next) }
    }

    /// The trips that continue as other trips.
    struct Continuations {
        let continuing: UnsafeBufferPointer<UInt64>
        /// For each word of ``continuing``, the position of the first row of its trips.
        let ranks: UnsafeBufferPointer<UInt32>
        let rows: UnsafeBufferPointer<Continuation>
        let tripCount: Int

        /// Calls `body` with each trip as which a trip may continue.
        func forEach(of trip: Int, _ body: (Int) -> Void) {
            if continuing.isEmpty { return }
            let (bits, bit) = (continuing[trip >> 6], UInt64(1) << UInt64(trip & 63))
            guard bits & bit != 0 else { return }
            var row = Int(ranks[trip >> 6])
            for _ in 0..<(bits & (bit - 1)).nonzeroBitCount {
                while !rows[row].isLast { row += 1 }
                row += 1
            }
            body(rows[row].next)
            while !rows[row].isLast {
                row += 1
                body(rows[row].next)
            }
        }

        func check() throws(JourneyNetworkError) {
            guard continuing.count == ranks.count, continuing.isEmpty || continuing.count == (tripCount + 63) / 64
            else {
                throw .malformed("the continuations have contradictory sizes")
            }
            var row = 0
            for (word, bits) in continuing.enumerated() {
                guard Int(ranks[word]) == row else { throw .malformed("the continuations are out of order") }
                for _ in 0..<bits.nonzeroBitCount {
                    while row < rows.count, !rows[row].isLast { row += 1 }
                    row += 1
                }
                guard row <= rows.count, bits == 0 || word << 6 + 63 - bits.leadingZeroBitCount < tripCount else {
                    throw .malformed("a continuation has an unknown trip")
                }
            }
            guard row == rows.count, rows.allSatisfy({ $0.next < tripCount }) else {
                throw .malformed("a continuation has an unknown trip")
            }
        }

        /// Returns the continuations between routes, in ascending order.
        func betweenRoutes(_ routes: UnsafeBufferPointer<Route>) -> [RouteContinuation] {
            var found: [RouteContinuation] = []
            for (word, bits) in continuing.enumerated() {
                var remaining = bits
                while remaining != 0 {
                    let trip = word << 6 + remaining.trailingZeroBitCount
                    remaining &= remaining - 1
                    let route = UInt32(Self.route(of: trip, among: routes))
                    forEach(of: trip) {
                        let next = RouteContinuation(
                            route: route, next: UInt32(Self.route(of: $0, among: routes)))
                        if found.last != next { found.append(next) }
                    }
                }
            }
            return Set(found).sorted { ($0.route, $0.next) < ($1.route, $1.next) }
        }

        /// Returns the route of a trip.
        static func route(of trip: Int, among routes: UnsafeBufferPointer<Route>) -> Int {
            var (low, high) = (0, routes.count - 1)
            // The last route whose first trip is not after the trip.
            while low + 1 < high {
                let middle = (low + high) / 2
                if routes[middle].firstTrip <= trip { low = middle } else { high = middle }
            }
            return low
        }
    }
}

extension JourneyNetwork.Footpaths {
    /// Returns the footpaths whose way back is not a footpath, or has another kind or value.
    ///
    /// A footpath whose way back is out of the order of nodes may be among them, too.
    func withoutReverse(_ footpathsOfNodes: UnsafeBufferPointer<UInt32>) -> [JourneyNetwork.FootpathWithoutReverse] {
        var found: [JourneyNetwork.FootpathWithoutReverse] = []
        // For each node, the position of the first of its footpaths that leads to the current node or a later one.
        var next = Array(footpathsOfNodes)
        next.withUnsafeMutableBufferPointer { next in
            for from in 0..<footpathsOfNodes.count - 1 {
                for number in Int(footpathsOfNodes[from])..<Int(footpathsOfNodes[from + 1]) {
                    let (to, value) = (rows[number].node, rows[number].value)
                    let end = Int(footpathsOfNodes[to + 1])
                    var back = Int(next[to])
                    while back < end, rows[back].node < from { back += 1 }
                    next[to] = UInt32(back)
                    if back < end, rows[back].node == from, rows[back].value == value,
                        value != JourneyNetwork.PackedFootpath.rare || rareValue(back) == rareValue(number)
                    {
                        continue
                    }
                    found.append(.init(from: UInt32(from), footpath: UInt32(number)))
                }
            }
        }
        return found
    }
}
