internal import TransitModel

/// What both searches, for departures and for rides, ask of a snapshot.
struct LiveViews {
    let live: LiveTimetable
    let now: Instant
    /// Where runs are looked for, the better source first.
    let views: [LiveView]

    init(_ live: LiveTimetable, now: Instant) {
        self.live = live
        self.now = now
        views = live.views(at: now)
    }

    var indices: Range<Int> { views.indices }
    subscript(number: Int) -> LiveView { views[number] }

    /// Whether a view before this one tells of the run too, as a trip update does of a run that is also estimated from its vehicle.
    func isKnown(_ run: RunKey, before view: Int) -> Bool {
        view > 0
            && views[..<view].contains { other in
                other.dataset.run(run).map { other.isUsable(other.dataset.runs[$0]) } ?? false
            }
    }

    /// Whether a call of the timetable is not to be listed as such, since something is told of its run.
    func isHidden(_ call: ScheduledCall) -> Bool {
        let key = RunKey(call)
        return views.contains { view in
            guard let number = view.dataset.run(key) else { return false }
            let run = view.dataset.runs[number]
            return run.hidesScheduled && view.isUsable(run)
        }
    }

    /// Whether nothing is told of the call itself, and the vehicle is known to be farther on.
    func hasPassed(_ run: LiveRun, _ call: LiveCall, position: Int) -> Bool {
        guard run.isRunning, !call.isExpected, !call.isSkipped,
            let progress = live.vehicle(of: run.key, now: now)?.progress
        else { return false }
        return progress.call > position
    }

    /// What the timetable alone knows, as much of it as an answer can need.
    ///
    /// The search through the timetable knows nothing of live data. It is asked for more than is wanted, since some of what it
    /// finds is hidden: as a rule once, for what is live soon fills the answer.
    ///
    /// - Parameters:
    ///   - count: how many are wanted.
    ///   - hidden: how many may be hidden.
    ///   - last: when the last of a full list of live ones leaves; what leaves later is not of interest.
    func free<Found>(
        count: Int, hidden: Int, last: Int64?, departure: (Found) -> ScheduledCall, search: (_ count: Int) -> [Found]
    ) -> [Found] {
        let most = count + hidden
        var asked = min(most, 2 * count + 8)
        while true {
            let found = search(asked)
            let free = found.filter { !isHidden(departure($0)) }
            let end = found.last.map { departure($0).departure.secondsSince1970 } ?? .max
            if found.count < asked || free.count >= count || last.map({ end > $0 }) ?? false || asked >= most {
                return free
            }
            asked = min(most, asked * 4)
        }
    }
}
