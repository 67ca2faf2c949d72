internal import TransitModel

/// Prepares the realtime data of one feed for searches for journeys.
struct JourneyRealtimeBuilder {
    private let views: RealtimeDatasetViews
    private let network: JourneyNetwork
    private let base: Int64
    private var tables = JourneyRealtimeDraft()

    /// A trip before it has a line. Its times are a range of ``draftTimes``.
    private struct Draft {
        var trip: JourneyRealtimeTables.Trip
        /// The route of the network.
        var route: Int
        var firstTime: Int
        /// The departure from the first call and the arrival at the last one, by which trips are sorted.
        var start: Int32
        var end: Int32
        /// The line among those of the route.
        var line = 0
    }

    private var drafts: ContiguousArray<Draft> = []
    private var draftTimes: ReportedCallTimes
    /// The trips with calls of their own.
    private var trips: [(trip: JourneyRealtimeTables.Trip, calls: [JourneyNetwork.Call], times: Range<Int>)] = []
    private var movedTimes: ReportedCallTimes
    private var fastestOfRoutes: ContiguousArray<Int32> = []

    /// The number of lines of a route that are tried for a trip, so that the work is bounded if all times contradict
    /// each other.
    private static let maximumTried = 64

    init(_ views: RealtimeDatasetViews, _ network: JourneyNetwork) {
        self.views = views
        self.network = network
        base = views.now.secondsSince1970
        draftTimes = ReportedCallTimes(base: base)
        movedTimes = ReportedCallTimes(base: base)
    }

    consuming func build() -> JourneyRealtimeTables {
        tables.entriesOfRoutes = ContiguousArray(repeating: 0, count: network.routeCount)
        let count = views.views.reduce(0) { $0 + $1.dataset.calls.count }
        tables.times.reserveCapacity(count)
        tables.usability.reserveCapacity(count)
        var added: Set<PatternIndex> = []
        for view in views.indices {
            for matched in views[view].dataset.patterns where added.insert(matched.pattern.index).inserted {
                addTrips(of: matched.pattern)
            }
        }
        addExtraTrips()
        let firstWithCalls = tables.lines.count
        for trip in trips { addLine(trip.trip, trip.calls, trip.times) }
        tables.linesWithCalls = firstWithCalls..<tables.lines.count
        for number in tables.routes.indices { tables.routes[number].firstFastest += UInt32(tables.fastest.count) }
        tables.fastest.append(contentsOf: fastestOfRoutes)
        addVisits()
        addEntries()
        return JourneyRealtimeTables(tables, base: base, end: views.firstChange())
    }

    // MARK: Trips of the timetable

    private mutating func addTrips(of pattern: Pattern) {
        let routes = network.routes(of: pattern.index.position)
        guard let first = routes.first, network.calls(of: first).count == pattern.callCount else { return }
        let calls = UnsafeBufferPointer(rebasing: network.calls[network.calls(of: first)])
        let routesOfTrips = routesOfSingleTrips(among: routes)
        for view in views.indices {
            let dataset = views[view].dataset
            for number in dataset.trips(on: pattern.index) {
                guard let trip = ReportedTrip(number, inView: view, of: views), trip.instance.isRunning else {
                    continue
                }
                let found = JourneyRealtimeTables.Trip(number: Int32(number), view: Int16(view), isExtra: false)
                let moved = Int(trip.instance.firstCall)..<Int(trip.instance.firstCall) + calls.count
                if dataset.hasPlatformChange(in: moved) {
                    let firstTime = movedTimes.times.count
                    movedTimes.add(trip, dataset, calls)
                    trips.append((found, movedCalls(trip, dataset, calls), firstTime..<movedTimes.times.count))
                } else {
                    let firstTime = draftTimes.times.count
                    draftTimes.add(trip, dataset, calls)
                    drafts.append(
                        Draft(
                            trip: found, route: routesOfTrips[trip.instance.key.trip.rawValue] ?? first,
                            firstTime: firstTime, start: draftTimes.times[firstTime].departure,
                            end: draftTimes.times[draftTimes.times.count - 1].arrival))
                }
            }
        }
        addLines(callCount: calls.count)
        drafts.removeAll(keepingCapacity: true)
        draftTimes.removeAll()
    }

    /// Returns the routes that consist of one trip, by that trip. Rules of transfers.txt may refer to it, and it then has
    /// nodes of its own.
    private func routesOfSingleTrips(among routes: Range<Int>) -> [UInt32: Int] {
        var found: [UInt32: Int] = [:]
        if routes.count < 2 { return found }
        for route in routes {
            let trips = network.trips(of: route)
            if trips.count == 1 { found[network.reference(of: trips.lowerBound, in: network.routes[route])] = route }
        }
        return found
    }

    /// Returns the calls of a trip at other stops than scheduled.
    private func movedCalls(
        _ trip: ReportedTrip, _ dataset: RealtimeDataset, _ calls: UnsafeBufferPointer<JourneyNetwork.Call>
    ) -> [JourneyNetwork.Call] {
        calls.enumerated().map { position, call in
            guard let stop = dataset.otherStop(position, of: trip.instance), stop.position < network.stopCount else {
                return call
            }
            return JourneyNetwork.Call(
                node: Int(network.nodesOfStops[stop.position]), canBoard: call.canBoard, canAlight: call.canAlight)
        }
    }

    // MARK: Lines

    /// Distributes the trips of a pattern to lines.
    private mutating func addLines(callCount: Int) {
        drafts.sort { ($0.route, $0.start, $0.end, $0.firstTime) < ($1.route, $1.start, $1.end, $1.firstTime) }
        var first = 0
        while first < drafts.count {
            var end = first
            while end < drafts.count, drafts[end].route == drafts[first].route { end += 1 }
            addLines(first..<end, callCount)
            first = end
        }
    }

    private mutating func addLines(_ range: Range<Int>, _ callCount: Int) {
        let route = drafts[range.lowerBound].route
        // The last trip of each line.
        var last: [Int] = []
        for number in range {
            let line =
                last.indices.prefix(Self.maximumTried).first { isOrdered(drafts[last[$0]], drafts[number], callCount) }
                ?? last.count
            if line == last.count { last.append(number) } else { last[line] = number }
            drafts[number].line = line
        }
        let firstLine = tables.lines.count
        if last.count == 1 {
            addLine(range, route, callCount)
        } else {
            var members = [[Int]](repeating: [], count: last.count)
            for number in range { members[drafts[number].line].append(number) }
            for line in members { addLine(line, route, callCount) }
        }
        tables.routes.append(
            .init(
                firstLine: UInt32(firstLine), endLine: UInt32(tables.lines.count),
                firstFastest: UInt32(fastestOfRoutes.count)))
        tables.entriesOfRoutes[route] = UInt32(tables.routes.count)
        let firstFastest = fastestOfRoutes.count
        fastestOfRoutes.append(contentsOf: network.fastest[network.calls(of: route)].lazy.map { Int32($0) })
        for number in range {
            let first = drafts[number].firstTime
            for call in 0..<callCount - 1 {
                fastestOfRoutes[firstFastest + call] = min(
                    fastestOfRoutes[firstFastest + call],
                    draftTimes.times[first + call].shortest(to: draftTimes.times[first + call + 1]))
            }
        }
    }

    /// Whether the second trip is never before the first, and riders can alight at the same calls. Otherwise riders may
    /// have to wait for the second one because the first one skips their stop.
    private func isOrdered(_ one: Draft, _ other: Draft, _ callCount: Int) -> Bool {
        for position in 0..<callCount {
            let (left, right) = (one.firstTime + position, other.firstTime + position)
            if draftTimes.usability[left].contains(.alighting) != draftTimes.usability[right].contains(.alighting) {
                return false
            }
            if draftTimes.times[left].departure > draftTimes.times[right].departure { return false }
            if draftTimes.times[left].arrival > draftTimes.times[right].arrival { return false }
        }
        return true
    }

    private mutating func addLine(
        _ numbers: some Collection<Int>, _ route: Int, _ callCount: Int
    ) {
        var line = JourneyRealtimeTables.Line(
            route: Int32(route), callCount: Int32(callCount), firstTrip: UInt32(tables.trips.count),
            endTrip: UInt32(tables.trips.count + numbers.count), firstTime: UInt32(tables.times.count))
        for number in numbers {
            let draft = drafts[number]
            tables.trips.append(draft.trip)
            let range = draft.firstTime..<draft.firstTime + callCount
            for position in range { line.include(draftTimes.times[position]) }
            tables.times.append(contentsOf: draftTimes.times[range])
            tables.usability.append(contentsOf: draftTimes.usability[range])
        }
        tables.lines.append(line)
    }

    /// Adds the line of a trip with calls of its own.
    private mutating func addLine(
        _ trip: JourneyRealtimeTables.Trip, _ calls: [JourneyNetwork.Call], _ times: Range<Int>
    ) {
        var line = JourneyRealtimeTables.Line(
            route: -1, callCount: Int32(calls.count), firstTrip: UInt32(tables.trips.count),
            endTrip: UInt32(tables.trips.count + 1), firstTime: UInt32(tables.times.count),
            firstCall: UInt32(tables.calls.count))
        tables.trips.append(trip)
        tables.calls.append(contentsOf: calls)
        for position in times {
            line.include(movedTimes.times[position])
            tables.times.append(movedTimes.times[position])
            tables.usability.append(movedTimes.usability[position])
            tables.fastest.append(
                position + 1 == times.upperBound
                    ? 0 : movedTimes.times[position].shortest(to: movedTimes.times[position + 1]))
        }
        tables.lines.append(line)
    }

    // MARK: Trips that the timetable lacks

    private mutating func addExtraTrips() {
        for index in views.indices {
            let view = views[index]
            for (number, trip) in view.dataset.extraTrips.enumerated() where trip.calls.count > 1 {
                guard view.validity(of: trip) != .outdated,
                    trip.calls.allSatisfy({ $0.stop.position < network.stopCount })
                else { continue }
                add(trip, JourneyRealtimeTables.Trip(number: Int32(number), view: Int16(index), isExtra: true), view)
            }
        }
    }

    private mutating func add(_ trip: ExtraTrip, _ found: JourneyRealtimeTables.Trip, _ view: RealtimeDatasetView) {
        var calls: [JourneyNetwork.Call] = []
        var latest = Int64.min
        let firstTime = movedTimes.times.count
        for (position, call) in trip.calls.enumerated() {
            let validity = view.validity(of: trip, at: position)
            let stated = view.times(at: position, of: trip, validity)
            let arrival = max(stated.arrival, latest)
            if call.isExpected { latest = max(latest, stated.departure) }
            let isUsable = !call.isSkipped && validity != .outdated
            let isLast = position == trip.calls.count - 1 || trip.earlyTerminus == position
            movedTimes.append(
                arrival, stated.departure, isUsable ? (isLast ? .alighting : [.boarding, .alighting]) : [])
            calls.append(
                JourneyNetwork.Call(
                    node: Int(network.nodesOfStops[call.stop.position]), canBoard: !isLast, canAlight: position > 0))
        }
        trips.append((found, calls, firstTime..<movedTimes.times.count))
    }

    // MARK: Indexes

    private mutating func addVisits() {
        guard !tables.linesWithCalls.isEmpty else { return }
        var counts = ContiguousArray<UInt32>(repeating: 0, count: network.nodeCount + 1)
        for call in tables.calls where call.canBoard { counts[call.node + 1] += 1 }
        for node in 0..<network.nodeCount { counts[node + 1] += counts[node] }
        tables.visitsOfNodes = counts
        tables.visits = ContiguousArray(repeating: .init(line: 0, position: 0), count: Int(counts[network.nodeCount]))
        for number in tables.linesWithCalls {
            let line = tables.lines[number]
            for position in 0..<Int(line.callCount) {
                let call = tables.calls[Int(line.firstCall) + position]
                guard call.canBoard else { continue }
                tables.visits[Int(counts[call.node])] = .init(line: UInt32(number), position: UInt32(position))
                counts[call.node] += 1
            }
        }
    }

    /// An entry of ``JourneyRealtimeTables`` with its trip.
    private struct Entry {
        /// The trip, then ``JourneyRealtimeTables/DateEntry/date`` in an order without a sign.
        var key: UInt64
        var entry: JourneyRealtimeTables.DateEntry

        init(_ key: TripInstanceKey) {
            entry = .init(
                date: JourneyRealtimeTables.DateEntry.date(
                    key.serviceDate, isRepetition: key.frequencyStart != nil))
            self.key = UInt64(key.trip.rawValue) << 32 | UInt64(UInt32(bitPattern: entry.date) ^ 1 << 31)
        }
    }

    private mutating func addEntries() {
        var entries: ContiguousArray<Entry> = []
        for view in views.views {
            for trip in view.dataset.trips {
                var entry = Entry(trip.key)
                entry.entry.hidesScheduled = trip.hidesScheduled && view.validity(of: trip) != .outdated
                entries.append(entry)
            }
        }
        if network.hasContinuingTrips {
            for (number, line) in tables.lines.enumerated() {
                for trip in line.trips where !tables.trips[trip].isExtra {
                    let found = tables.trips[trip]
                    let key = views[Int(found.view)].dataset.trips[Int(found.number)].key
                    guard key.frequencyStart == nil else { continue }
                    var entry = Entry(key)
                    entry.entry.line = Int32(number)
                    entry.entry.trip = Int32(trip)
                    entries.append(entry)
                }
            }
        }
        entries.sort { $0.key < $1.key }
        var trips: ContiguousArray<UInt32> = []
        var previous: UInt64?
        for entry in entries {
            if entry.key == previous {
                let last = tables.entries.count - 1
                tables.entries[last].hidesScheduled = tables.entries[last].hidesScheduled || entry.entry.hidesScheduled
                if entry.entry.trip >= 0 {
                    tables.entries[last].line = entry.entry.line
                    tables.entries[last].trip = entry.entry.trip
                }
                continue
            }
            previous = entry.key
            let trip = UInt32(truncatingIfNeeded: entry.key >> 32)
            if trips.last != trip {
                trips.append(trip)
                tables.firstEntries.append(UInt32(tables.entries.count))
            }
            tables.entries.append(entry.entry)
        }
        tables.firstEntries.append(UInt32(tables.entries.count))
        addBits(trips)
    }

    private mutating func addBits(_ trips: ContiguousArray<UInt32>) {
        let words = trips.last.map { Int($0 >> 6) + 1 } ?? 0
        tables.reported = ContiguousArray(repeating: 0, count: words)
        tables.ranks = ContiguousArray(repeating: 0, count: words)
        for trip in trips { tables.reported[Int(trip >> 6)] |= 1 << UInt64(trip & 63) }
        for word in 1..<max(1, words) {
            tables.ranks[word] = tables.ranks[word - 1] + UInt32(tables.reported[word - 1].nonzeroBitCount)
        }
    }
}

extension JourneyRealtimeTables.Line {
    fileprivate mutating func include(_ times: JourneyNetwork.Times) {
        earliest = min(earliest, times.departure)
        latest = max(latest, times.arrival)
    }
}
