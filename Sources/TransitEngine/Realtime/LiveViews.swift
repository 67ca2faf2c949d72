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

    /// Whether a run of the timetable is not to be listed as such, since something is told of it.
    func isHidden(_ key: RunKey) -> Bool {
        views.contains { view in
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
}
