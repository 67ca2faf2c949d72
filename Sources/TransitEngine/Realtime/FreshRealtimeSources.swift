internal import TransitModel

/// What both searches, for departures and for rides, ask of a snapshot.
struct FreshRealtimeSources {
    let live: RealtimeTimetable
    let now: Instant
    /// Where runs are looked for, the better source first.
    let views: [FreshRealtime]

    init(_ live: RealtimeTimetable, now: Instant) {
        self.live = live
        self.now = now
        views = live.views(at: now)
    }

    var indices: Range<Int> { views.indices }
    subscript(number: Int) -> FreshRealtime { views[number] }

    /// The view and number of a run: the first view with data about it wins, such as a trip update before an estimate
    /// from the vehicle. A last known prediction yields to a later view with current data, unless it cancels the run or
    /// skips one of its calls. `nil` without usable data.
    func chosen(_ key: TripInstanceKey) -> (view: Int, run: Int)? {
        var lastKnown: (view: Int, run: Int)?
        for view in views.indices {
            guard let number = views[view].dataset.run(key) else { continue }
            let run = views[view].dataset.runs[number]
            switch views[view].validity(of: run) {
            case .outdated: continue
            case .current: return (view, number)
            case .lastKnown:
                if lastKnown != nil { continue }
                if !run.isRunning || views[view].dataset.calls(of: run).contains(where: \.isSkipped) {
                    return (view, number)
                }
                lastKnown = (view, number)
            }
        }
        return lastKnown
    }

    /// Whether ``chosen(_:)`` returns this run in this view.
    func isChosen(_ run: RealtimeTrip, _ validity: RealtimeValidity, inView view: Int) -> Bool {
        if views.count == 1 || view == 0 && validity == .current { return true }
        return chosen(run.key)?.view == view
    }

    /// Whether a run of the timetable is not to be listed as such, since something is told of it.
    func isHidden(_ key: TripInstanceKey) -> Bool {
        views.contains { view in
            guard let number = view.dataset.run(key) else { return false }
            let run = view.dataset.runs[number]
            return run.hidesScheduled && view.validity(of: run) != .outdated
        }
    }

    /// Whether the call has no current data of its own and the vehicle has passed it.
    func hasPassed(_ run: RealtimeTrip, _ call: RealtimeCall, position: Int, _ validity: RealtimeValidity) -> Bool {
        guard run.isRunning, !call.isExpected || validity == .lastKnown, !call.isSkipped,
            let progress = live.vehicle(of: run.key, now: now)?.progress
        else { return false }
        return progress.call > position
    }
}
