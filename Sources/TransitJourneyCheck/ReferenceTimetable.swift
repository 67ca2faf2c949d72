internal import TransitEngine
internal import TransitModel

/// The parts of a feed that the reference derives once: the changes and the continuations.
struct ReferenceTables {
    let feed: CheckedFeed
    let changes: ReferenceChanges
    let blocks: ReferenceBlocks
    /// The stops within walking distance of each stop where trips call.
    let nearest: [Int: Set<Int>]
    let targets: [Int: [Int]]

    init(_ feed: CheckedFeed) {
        self.feed = feed
        changes = ReferenceChanges(feed)
        blocks = ReferenceBlocks(feed)
        var (nearest, targets): ([Int: Set<Int>], [Int: [Int]]) = ([:], [:])
        for stop in feed.visited {
            nearest[stop] = Set(changes.nearest(stop))
            targets[stop] = changes.targets(of: stop)
        }
        self.nearest = nearest
        self.targets = targets
    }
}

/// All vehicles of some days and feeds with absolute times, and the boardings that each alighting leads to.
///
/// Times are seconds from ``base``. Stops of the second feed are numbered after those of the first.
struct ReferenceTimetable {
    /// A trip on one date.
    struct Run {
        var firstCall: Int
        var endCall: Int
        var feed: Int
        /// `nil` for a trip that the timetable lacks.
        var trip: TripIndex?
        var date: ServiceDate
        var isRepeated: Bool
        /// Whether riders can stay for what follows the last call.
        var canStay: Bool
        var next: [Int] = []
    }

    struct Call {
        /// The place of the stop and the kind of the vehicle: a position in ``ReferenceTimetable/places``.
        var place: Int
        var arrival: Int32
        var departure: Int32
        var canBoard: Bool
        var canAlight: Bool
        /// The position of the boarding among all boardings, which are in the order of place and departure.
        var boarding: Int = -1
        /// The range of the call in ``ReferenceTimetable/changes``.
        var changes = 0..<0
    }

    /// A stop as vehicles of one kind visit it.
    struct Place: Hashable {
        var feed: Int
        var stop: Int
        var kind: ReferenceChanges.VehicleKind
    }

    /// A call as the reference is given it.
    struct GivenCall {
        var stop: Int
        var arrival: Int64
        var departure: Int64
        var canBoard: Bool
        var canAlight: Bool
    }

    let tables: [ReferenceTables]
    let base: Int64
    private(set) var runs: [Run] = []
    private(set) var calls: [Call] = []
    private(set) var places: [Place] = []
    private var numbers: [Place: Int] = [:]
    private(set) var placesOfStops: [[Int: [Int]]]
    /// The departures of the boardings of each place, ascending, and the range of each place.
    private(set) var departures: [Int32] = []
    private(set) var boardingsOfPlaces: [Range<Int>] = []
    /// The call of each boarding.
    private(set) var callsOfBoardings: [Int] = []
    /// For each alighting, the first boarding that riders reach at each place to which they can change.
    private(set) var changes: [Int32] = []
    /// The places to which riders can change from each place, with the time in seconds.
    private(set) var links: [[(place: Int, seconds: Int32)]] = []
    private var between: [[Int: [(stop: Int, seconds: Int)]]]
    private var runsOfTrips: [RunName: Int] = [:]

    private struct RunName: Hashable {
        var feed: Int
        var trip: TripIndex
        var date: ServiceDate
    }

    /// - Parameter betweenFeeds: The walks between stops of different feeds.
    init(_ tables: [ReferenceTables], base: Int64, betweenFeeds: [JourneyQuery.FootpathBetweenFeeds] = []) {
        self.tables = tables
        self.base = base
        placesOfStops = tables.map { _ in [:] }
        between = tables.map { _ in [:] }
        for walk in betweenFeeds {
            between[walk.from.feed][walk.from.stop.position, default: []].append(
                (walk.to.stop.position, walk.to.walk))
        }
    }

    /// Adds a vehicle that runs, if riders can still use it.
    mutating func add(
        _ given: [GivenCall], feed: Int, route: RouteIndex?, trip: TripIndex?, date: ServiceDate,
        isRepeated: Bool, canStay: Bool
    ) {
        let kind =
            if let route, let trip {
                tables[feed].changes.kind(route: route, trip: trip)
            } else {
                ReferenceChanges.VehicleKind()
            }
        let first = calls.count
        for call in given {
            calls.append(
                Call(
                    place: place(Place(feed: feed, stop: call.stop, kind: kind)),
                    arrival: Int32(clamping: call.arrival - base), departure: Int32(clamping: call.departure - base),
                    canBoard: call.canBoard && call.departure >= base, canAlight: call.canAlight))
        }
        if let trip, !isRepeated { runsOfTrips[RunName(feed: feed, trip: trip, date: date)] = runs.count }
        runs.append(
            Run(
                firstCall: first, endCall: calls.count, feed: feed, trip: trip, date: date, isRepeated: isRepeated,
                canStay: canStay))
    }

    private mutating func place(_ place: Place) -> Int {
        if let known = numbers[place] { return known }
        numbers[place] = places.count
        placesOfStops[place.feed][place.stop, default: []].append(places.count)
        places.append(place)
        return places.count - 1
    }

    /// Connects the vehicles after the last one has been added.
    mutating func finish() {
        for run in runs.indices where !runs[run].isRepeated {
            guard let trip = runs[run].trip else { continue }
            let (feed, date) = (runs[run].feed, runs[run].date)
            runs[run].next = (tables[feed].blocks.next[trip] ?? []).compactMap {
                runsOfTrips[RunName(feed: feed, trip: $0, date: date)]
            }
        }
        sortBoardings()
        links = places.indices.map { links(from: $0) }
        for call in calls.indices where calls[call].canAlight {
            let first = changes.count
            for link in links[calls[call].place] {
                let boarding = self.boarding(at: link.place, from: calls[call].arrival &+ link.seconds)
                if boarding < boardingsOfPlaces[link.place].upperBound { changes.append(Int32(boarding)) }
            }
            calls[call].changes = first..<changes.count
        }
    }

    private mutating func sortBoardings() {
        var order = calls.indices.filter { calls[$0].canBoard }
        order.sort { (calls[$0].place, calls[$0].departure) < (calls[$1].place, calls[$1].departure) }
        departures = order.map { calls[$0].departure }
        callsOfBoardings = order
        for (number, call) in order.enumerated() { calls[call].boarding = number }
        var next = 0
        for place in places.indices {
            let first = next
            while next < order.count, calls[order[next]].place == place { next += 1 }
            boardingsOfPlaces.append(first..<next)
        }
    }

    /// Returns the first boarding at a place at a time or later; the end of its boardings if there is none.
    func boarding(at place: Int, from time: Int32) -> Int {
        var (low, high) = (boardingsOfPlaces[place].lowerBound, boardingsOfPlaces[place].upperBound)
        while low < high {
            let middle = (low + high) / 2
            if departures[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func links(from number: Int) -> [(place: Int, seconds: Int32)] {
        let from = places[number]
        let tables = tables[from.feed]
        var found: [(place: Int, seconds: Int32)] = []
        for stop in tables.targets[from.stop] ?? [from.stop] {
            let isNear = tables.nearest[from.stop]?.contains(stop) ?? false
            for target in placesOfStops[from.feed][stop] ?? [] {
                let seconds = tables.changes.seconds(
                    from: (from.stop, from.kind), to: (stop, places[target].kind), isNear: isNear)
                if let seconds { found.append((target, Int32(seconds))) }
            }
        }
        for walk in between[from.feed][from.stop] ?? [] {
            for feed in self.tables.indices where feed != from.feed {
                for target in placesOfStops[feed][walk.stop] ?? [] { found.append((target, Int32(walk.seconds))) }
            }
        }
        return found
    }
}

// MARK: - Trips of the timetable

extension ReferenceTimetable {
    /// A trip of the timetable on one date, as it is scheduled.
    struct ScheduledRun {
        var pattern: Pattern
        var timingGroup: Int
        var times: [CallTimes]
        /// The position in the timing group.
        var position: Int
        var date: ServiceDate
        /// Seconds since 1970.
        var start: Int64
        var frequency: (start: Int32, row: Frequency)?

        var trip: TripIndex { pattern.trip(timingGroup: timingGroup, position: position) }
        func departure(_ call: Int) -> Int64 { start + Int64(times[call].departure) }
        func arrival(_ call: Int) -> Int64 { start + Int64(times[call].arrival) }
    }

    /// Calls `body` with each trip that is under way in a range of times, in seconds since 1970.
    static func forEachRun(of feed: CheckedFeed, in range: ClosedRange<Int64>, _ body: (ScheduledRun) -> Void) {
        let days = Int32(range.lowerBound / 86_400) - 4...Int32(range.upperBound / 86_400) + 2
        let dates = days.map { ServiceDate(daysSince1970: $0) }
        let active = dates.map { date in feed.services.map { $0.runs(on: date) } }
        var starts: [String: [Int64]] = [:]
        for pattern in feed.patterns where pattern.callCount > 1 {
            let zone = feed.zones[pattern.route.position]
            // Times of a service day are counted from twelve hours before noon (GTFS reference, Field Types).
            let noons =
                starts[zone.name]
                ?? dates.map { zone.instant(date: $0, secondsOfDay: 43_200).secondsSince1970 - 43_200 }
            starts[zone.name] = noons
            for (number, group) in pattern.timingGroups.enumerated() {
                let (first, last) = (group.times[0], group.times[pattern.callCount - 1])
                for position in group.starts.indices {
                    let service = group.services[position].position
                    let rows = group.frequencies.filter { Int($0.trip) == position }
                    for day in dates.indices where active[day][service] {
                        func add(_ start: Int32, _ row: Frequency?) {
                            let start64 = noons[day] + Int64(start)
                            guard start64 + Int64(max(first.departure, last.arrival)) >= range.lowerBound,
                                start64 + Int64(first.departure) <= range.upperBound
                            else { return }
                            body(
                                ScheduledRun(
                                    pattern: pattern, timingGroup: number, times: group.times, position: position,
                                    date: dates[day], start: start64, frequency: row.map { (start, $0) }))
                        }
                        if rows.isEmpty { add(group.starts[position], nil) }
                        for row in rows {
                            for start in stride(from: row.start, to: row.end, by: Int(row.headway)) { add(start, row) }
                        }
                    }
                }
            }
        }
    }

    /// Adds a trip as it is scheduled.
    mutating func add(_ run: ScheduledRun, feed: Int) {
        let calls = run.pattern.calls.enumerated().map { position, call in
            GivenCall(
                stop: call.stop.position, arrival: run.arrival(position), departure: run.departure(position),
                canBoard: call.pickup != .none && position + 1 < run.times.count,
                canAlight: call.dropOff != .none && position > 0)
        }
        add(
            calls, feed: feed, route: run.pattern.route, trip: run.trip, date: run.date,
            isRepeated: run.frequency != nil, canStay: true)
    }
}
