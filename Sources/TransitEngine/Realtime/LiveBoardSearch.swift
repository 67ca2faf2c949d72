internal import TransitModel

/// The live side of a question to ``Board``: it finds the runs of which something is told, and puts what the timetable alone
/// knows between them.
struct LiveBoardSearch {
    let live: LiveTimetable
    let views: [LiveView]
    let now: Instant
    let at: Int64
    let count: Int
    /// What leaves at this moment or later is not of interest.
    var before = Int64.max
    private var list: FirstElements<Candidate>
    /// How many calls of the timetable may be hidden by what was found.
    private var hidden = 0

    private struct Candidate: Comparable {
        var order: ListOrder
        /// Position in the views.
        var view: Int
        /// Position in the dataset's runs or extra trips.
        var number: Int

        static func < (left: Self, right: Self) -> Bool { left.order < right.order }
        static func == (left: Self, right: Self) -> Bool { left.order == right.order }
    }

    init(live: LiveTimetable, now: Instant, at: Instant, count: Int) {
        self.live = live
        self.now = now
        self.at = at.secondsSince1970
        self.count = count
        views = live.views(at: now)
        list = FirstElements(capacity: count)
    }

    // MARK: Runs of the timetable

    mutating func look(at visits: [PatternVisit]) {
        for view in views.indices {
            let dataset = views[view].dataset
            for visit in visits {
                let runs = dataset.runs(on: visit.pattern.index)
                if runs.isEmpty { continue }
                hidden += runs.count
                guard Self.isBoardable(visit.position, on: visit.pattern) else { continue }
                for run in runs { look(at: visit.position, ofRun: run, inView: view) }
            }
        }
    }

    /// Extra trips, and runs that have moved to one of the stops from another.
    mutating func look(at stops: [StopIndex], besides visits: [PatternVisit]) {
        for view in views.indices {
            for stop in stops {
                lookAtExtraTrips(at: stop, inView: view)
                for moved in views[view].dataset.movedVisits(to: stop) {
                    let (run, position) = (Int(moved.run), Int(moved.position))
                    let pattern = views[view].dataset.pattern(of: views[view].dataset.runs[run])
                    let isListed = visits.contains {
                        $0.position == position && $0.pattern.index == pattern.index
                    }
                    guard !isListed, Self.isBoardable(position, on: pattern) else { continue }
                    look(at: position, ofRun: run, inView: view)
                }
            }
        }
    }

    private static func isBoardable(_ position: Int, on pattern: Pattern) -> Bool {
        position + 1 < pattern.calls.count && pattern.calls[position].pickup != .none
    }

    private mutating func look(at position: Int, ofRun number: Int, inView view: Int) {
        let dataset = views[view].dataset
        let run = dataset.runs[number]
        guard run.kind != .deleted, run.kind != .replaced else { return }
        let call = dataset.call(position, of: run)
        let begins = run.begins.secondsSince1970
        let time = begins &+ Int64(call.departure)
        guard time >= at, time < before, views[view].isUsable(run), !isKnownBefore(run, view: view) else { return }
        if run.isRunning, !call.isExpected, !call.isSkipped, at >= now.secondsSince1970, hasPassed(run.key, position) {
            return
        }
        let order = ListOrder(run.key, time: time, position: position, begins: begins)
        list.insert(Candidate(order: order, view: view, number: number))
    }

    /// Whether its vehicle is known to be farther on.
    private func hasPassed(_ run: RunKey, _ position: Int) -> Bool {
        guard let progress = live.vehicle(of: run, now: now)?.progress else { return false }
        return progress.call > position
    }

    /// Whether a trip update tells of a run that is estimated from its vehicle as well.
    private func isKnownBefore(_ run: LiveRun, view: Int) -> Bool {
        view > 0
            && views[..<view].contains { other in
                other.dataset.run(run.key).map { other.isUsable(other.dataset.runs[$0]) } ?? false
            }
    }

    // MARK: Trips that the timetable does not have

    private mutating func lookAtExtraTrips(at stop: StopIndex, inView view: Int) {
        let dataset = views[view].dataset
        for visit in dataset.extraVisits(at: stop) {
            let (number, position) = (Int(visit.trip), Int(visit.position))
            let trip = dataset.extraTrips[number]
            guard position + 1 < trip.calls.count, views[view].isUsable(trip) else { continue }
            let time = trip.calls[position].departure.secondsSince1970
            guard time >= at, time < before else { continue }
            let order = ListOrder(extra: number, view: view, time: time, position: position)
            list.insert(Candidate(order: order, view: view, number: number))
        }
    }

    // MARK: The timetable's own

    /// The calls of which nothing is told, as many as the answer can need.
    ///
    /// The search through the timetable knows nothing of live data. It is asked for more than is wanted, since some of what it
    /// finds is hidden: as a rule once, for what is live soon fills the answer.
    func scheduled(_ search: (_ count: Int) -> [ScheduledCall]) -> [ScheduledCall] {
        let most = count + hidden
        var asked = min(most, 2 * count + 8)
        while true {
            let found = search(asked)
            let free = found.filter { !isHidden($0) }
            let isFilled = list.isFull && lastIsBehind(found)
            if found.count < asked || free.count >= count || isFilled || asked >= most { return free }
            asked = min(most, asked * 4)
        }
    }

    private func lastIsBehind(_ found: [ScheduledCall]) -> Bool {
        guard let last = list.elements.last, let call = found.last else { return false }
        return call.departure.secondsSince1970 > last.order.time
    }

    private func isHidden(_ call: ScheduledCall) -> Bool {
        let key = RunKey(call)
        return views.contains { view in
            guard let number = view.dataset.run(key) else { return false }
            let run = view.dataset.runs[number]
            return run.hidesScheduled && view.isUsable(run)
        }
    }

    func merged(with scheduled: [ScheduledCall]) -> [ExpectedCall] {
        var calls: [ExpectedCall] = []
        calls.reserveCapacity(min(count, scheduled.count + list.elements.count))
        var next = 0
        var rest = list.elements[...]
        while calls.count < count {
            if let candidate = rest.first, next == scheduled.count || candidate.order < ListOrder(scheduled[next]) {
                rest.removeFirst()
                calls.append(rendered(candidate))
            } else if next < scheduled.count {
                calls.append(live.scheduled(scheduled[next], now: now))
                next += 1
            } else {
                break
            }
        }
        return calls
    }

    private func rendered(_ candidate: Candidate) -> ExpectedCall {
        let rendering = CallRendering(live: live, view: views[candidate.view])
        let position = Int(candidate.order.position)
        return candidate.order.isExtra
            ? rendering.expected(extra: candidate.number, position: position)
            : rendering.expected(run: candidate.number, position: position)
    }
}
