public import TransitModel

extension DepartureBoard {
    /// Returns the next departures with realtime data applied, ascending by expected time.
    ///
    /// Extends ``departures(visits:context:at:count:horizonDays:)`` as follows. A late trip stays listed until it
    /// leaves. A trip that has left early is not listed, and neither is a call after which a trip skips all others.
    /// Canceled trips and skipped calls are listed at their scheduled
    /// time. Trips that the timetable lacks are listed as well. Among departures at the same moment, scheduled trips
    /// come first, ordered by pattern, trip, service date and call.
    ///
    /// - Parameters:
    ///   - stops: the queried stops, to which extra trips and trips with a changed platform are matched.
    ///   - routes: limits extra trips and trips with a changed platform to these routes; `nil` for no limit. The
    ///     parameter does not filter `visits`.
    ///   - realtime: the realtime data of the feed; `nil` if there is none.
    ///   - now: the current time, from which the age of realtime data is computed. It may differ from `at`.
    ///   - end: only earlier departures are returned; `nil` for no limit besides the horizon.
    public static func departures(
        visits: [PatternCallPosition], stops: [StopIndex], routes: Set<RouteIndex>? = nil, context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, at: Instant, before end: Instant? = nil, count: Int,
        horizonDays: Int = defaultHorizonDays
    ) -> [ExpectedCall] {
        guard count > 0 else { return [] }
        let horizon = context.horizon(at: at, days: horizonDays).secondsSince1970
        let before = end.map { min($0.secondsSince1970, horizon) } ?? horizon
        guard let realtime, realtime.hasTrips else {
            return departures(
                visits: visits, context: context, at: at, before: before, count: count, excluding: nil
            ).map { ExpectedCall(scheduled: $0) }
        }
        var search = RealtimeBoardSearch(realtime: realtime, now: now, at: at, count: count)
        search.before = before
        search.routes = routes
        search.addRealtimeTrips(at: visits)
        search.addRealtimeTrips(at: stops, excluding: visits)
        return search.merged(
            with: departures(
                visits: visits, context: context, at: at, before: search.end, count: count, excluding: search.views))
    }
}

/// The realtime part of a board query, which finds the trips with realtime data and merges them with the scheduled
/// departures.
private struct RealtimeBoardSearch {
    let views: RealtimeDatasetViews
    let at: Int64
    let count: Int
    /// The exclusive upper limit of departure times, in seconds since 1970.
    var before = Int64.max
    /// If not `nil`, extra trips and moved trips are added only for these routes.
    var routes: Set<RouteIndex>?
    private var list: SmallestElements<Candidate>

    private struct Candidate: Comparable {
        var order: DepartureSortKey
        /// The index of the view.
        var view: Int
        /// The index into the dataset's trips or extra trips.
        var number: Int

        static func < (left: Self, right: Self) -> Bool { left.order < right.order }
        static func == (left: Self, right: Self) -> Bool { left.order == right.order }
    }

    init(realtime: RealtimeDatasets, now: Instant, at: Instant, count: Int) {
        views = RealtimeDatasetViews(realtime, now: now)
        self.at = at.secondsSince1970
        self.count = count
        list = SmallestElements(capacity: count)
    }

    // MARK: Scheduled trips

    mutating func addRealtimeTrips(at visits: [PatternCallPosition]) {
        for view in views.indices {
            let dataset = views[view].dataset
            for visit in visits {
                let tripInstances = dataset.trips(on: visit.pattern.index)
                if tripInstances.isEmpty { continue }
                guard Self.isBoardable(visit.position, on: visit.pattern) else { continue }
                for instance in tripInstances { addRealtimeTrips(at: visit.position, of: instance, inView: view) }
            }
        }
    }

    /// Adds extra trips, and trips that call at one of the stops instead of their scheduled stop.
    mutating func addRealtimeTrips(at stops: [StopIndex], excluding visits: [PatternCallPosition]) {
        for view in views.indices {
            for stop in stops {
                addExtraTrips(at: stop, visits, inView: view)
                for moved in views[view].dataset.movedVisits(to: stop) {
                    let (instance, position) = (Int(moved.instance), Int(moved.position))
                    let pattern = views[view].dataset.pattern(of: views[view].dataset.trips[instance])
                    let isListed = visits.contains {
                        $0.position == position && $0.pattern.index == pattern.index
                    }
                    guard !isListed, isWanted(pattern.route), Self.isBoardable(position, on: pattern) else { continue }
                    addRealtimeTrips(at: position, of: instance, inView: view)
                }
            }
        }
    }

    private func isWanted(_ route: RouteIndex?) -> Bool {
        guard let routes else { return true }
        return route.map { routes.contains($0) } ?? false
    }

    private static func isBoardable(_ position: Int, on pattern: Pattern) -> Bool {
        position >= 0 && position + 1 < pattern.callCount && pattern.pickup(at: position) != .none
    }

    private mutating func addRealtimeTrips(at position: Int, of number: Int, inView view: Int) {
        let own = views[view]
        let dataset = own.dataset
        let instance = dataset.trips[number]
        guard instance.kind != .deleted, instance.kind != .replaced else { return }
        let validity = own.validity(of: instance)
        guard validity != .outdated else { return }
        let startInstant = instance.startInstant.secondsSince1970
        let current = views.currentTimes(at: position, of: instance, validity, inView: view)
        let time =
            current?.times(at: position).departure
            ?? startInstant &+ Int64(own.times(at: position, of: instance, validity).departure)
        guard time >= at, time < before, views.isChosen(instance, validity, inView: view) else { return }
        if dataset.ends(instance, at: position) { return }
        let call = dataset.call(position, of: instance)
        if at >= views.now.secondsSince1970, views.hasPassed(instance, call, position: position, validity, current) {
            return
        }
        let order = DepartureSortKey(instance.key, time: time, position: position, startInstant: startInstant)
        list.insert(Candidate(order: order, view: view, number: number))
    }

    // MARK: Extra trips

    private mutating func addExtraTrips(at stop: StopIndex, _ visits: [PatternCallPosition], inView view: Int) {
        let dataset = views[view].dataset
        for visit in dataset.extraVisits(at: stop) {
            let (number, position) = (Int(visit.trip), Int(visit.position))
            let trip = dataset.extraTrips[number]
            let validity = views[view].validity(of: trip, at: position)
            guard isWanted(trip.route), validity != .outdated, trip.continues(after: position, visits) else { continue }
            let time = views[view].times(at: position, of: trip, validity).departure
            guard time >= at, time < before else { continue }
            let order = DepartureSortKey(extra: number, view: view, time: time, position: position)
            list.insert(Candidate(order: order, view: view, number: number))
        }
    }

    // MARK: Merging

    /// The exclusive upper limit of the scheduled departures that can appear in the result. Scheduled departures at the
    /// same moment as the last element of a full list can precede it.
    var end: Int64 {
        guard list.isFull, let last = list.elements.last else { return before }
        return min(before, last.order.time &+ 1)
    }

    func merged(with scheduled: [ScheduledCall]) -> [ExpectedCall] {
        var calls: [ExpectedCall] = []
        calls.reserveCapacity(min(count, scheduled.count + list.elements.count))
        var next = 0
        var rest = list.elements[...]
        while calls.count < count {
            if let candidate = rest.first,
                next == scheduled.count || candidate.order < DepartureSortKey(scheduled[next])
            {
                rest.removeFirst()
                calls.append(rendered(candidate))
            } else if next < scheduled.count {
                calls.append(views.realtime.scheduled(scheduled[next], now: views.now))
                next += 1
            } else {
                break
            }
        }
        return calls
    }

    private func rendered(_ candidate: Candidate) -> ExpectedCall {
        let rendering = ExpectedCallBuilder(views, view: candidate.view)
        let position = Int(candidate.order.position)
        return candidate.order.isExtra
            ? rendering.expected(extra: candidate.number, position: position)
            : rendering.expected(instance: candidate.number, position: position)
    }
}
