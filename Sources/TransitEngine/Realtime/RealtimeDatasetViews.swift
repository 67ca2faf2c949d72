internal import TransitModel

/// The realtime datasets of a snapshot, prepared for the searches for departures and direct trips.
struct RealtimeDatasetViews {
    let realtime: RealtimeDatasets
    let now: Instant
    /// The datasets that are searched for trips, in order of preference.
    let views: [RealtimeDatasetView]

    init(_ realtime: RealtimeDatasets, now: Instant) {
        self.realtime = realtime
        self.now = now
        views = realtime.views(at: now)
    }

    var indices: Range<Int> { views.indices }
    subscript(number: Int) -> RealtimeDatasetView { views[number] }

    /// Returns the index of a view and the index of the trip in the view's dataset. The first view with data about the
    /// trip wins, so a trip update precedes an estimate from the vehicle. A last known prediction yields to a later
    /// view with current data, unless it cancels the trip or skips one of its calls. Returns `nil` if there is no
    /// usable data.
    func chosen(_ key: TripInstanceKey) -> (view: Int, instance: Int)? {
        var lastKnown: (view: Int, instance: Int)?
        for view in views.indices {
            guard let number = views[view].dataset.index(of: key) else { continue }
            let instance = views[view].dataset.trips[number]
            switch views[view].validity(of: instance) {
            case .outdated: continue
            case .current: return (view, number)
            case .lastKnown:
                if lastKnown != nil { continue }
                if !instance.isRunning || views[view].dataset.calls(of: instance).contains(where: \.isSkipped) {
                    return (view, number)
                }
                lastKnown = (view, number)
            }
        }
        return lastKnown
    }

    /// Returns whether ``chosen(_:)`` returns this trip in this view.
    func isChosen(_ instance: RealtimeTrip, _ validity: RealtimeValidity, inView view: Int) -> Bool {
        if views.count == 1 || view == 0 && validity == .current { return true }
        return chosen(instance.key)?.view == view
    }

    /// Returns whether a scheduled trip is left out of the scheduled departures because realtime data about it is
    /// listed instead.
    func isHidden(_ key: TripInstanceKey) -> Bool {
        views.contains { view in
            guard let number = view.dataset.index(of: key) else { return false }
            let instance = view.dataset.trips[number]
            return instance.hidesScheduled && view.validity(of: instance) != .outdated
        }
    }

    /// Returns whether the vehicle has passed the call and the call has no current data of its own.
    func hasPassed(_ instance: RealtimeTrip, _ call: RealtimeCall, position: Int, _ validity: RealtimeValidity) -> Bool
    {
        guard instance.isRunning, !call.isExpected || validity == .lastKnown, !call.isSkipped,
            let progress = realtime.vehicle(of: instance.key, now: now)?.progress
        else { return false }
        return progress.call > position
    }
}
