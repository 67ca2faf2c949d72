internal import TransitModel

/// A trip of the timetable with realtime data that a search can use.
struct ReportedTrip {
    let instance: RealtimeTrip
    /// The start of the trip, in seconds since 1970.
    let start: Int64
    private let views: RealtimeDatasetViews
    private let view: RealtimeDatasetView
    private let validity: RealtimeValidity
    /// The times in a later view, if this one has only decisions about the trip.
    private let current: RealtimeDatasetViews.TripTimes?

    /// Returns `nil` if the trip is not shown, if its data is outdated, or if another view's data about it is used.
    init?(_ number: Int, inView index: Int, of views: RealtimeDatasetViews) {
        view = views[index]
        instance = view.dataset.trips[number]
        guard instance.kind != .deleted, instance.kind != .replaced else { return nil }
        validity = view.validity(of: instance)
        guard validity != .outdated, views.isChosen(instance, validity, inView: index) else { return nil }
        self.views = views
        start = instance.startInstant.secondsSince1970
        current = views.currentTimes(of: instance, validity, inView: index)
    }

    /// Whether stated times contradict each other.
    var hasContradiction: Bool { current?.instance.hasContradiction ?? instance.hasContradiction }

    /// The calls of a trip whose data is current, so that their times are used as they are; `nil` for another trip.
    var currentCalls: ArraySlice<RealtimeCall>? { validity == .current ? view.dataset.calls(of: instance) : nil }

    func isSkipped(at position: Int) -> Bool { view.dataset.call(position, of: instance).isSkipped }

    func isExpected(at position: Int) -> Bool {
        (current?.call(at: position) ?? view.dataset.call(position, of: instance)).isExpected
    }

    /// Whether the trip serves the call and no later one, so that nobody can ride on from there.
    func ends(at position: Int) -> Bool { view.dataset.ends(instance, at: position) }

    /// The times of a call, in seconds since 1970.
    func times(at position: Int) -> (arrival: Int64, departure: Int64) {
        if let current, !isSkipped(at: position) { return current.times(at: position) }
        let times = view.times(at: position, of: instance, validity)
        return (start &+ Int64(times.arrival), start &+ Int64(times.departure))
    }

    /// Whether the vehicle has passed the call, for a search from a moment (seconds since 1970) that is not in the past.
    func hasPassed(_ position: Int, at moment: Int64) -> Bool {
        let call = view.dataset.call(position, of: instance)
        return moment >= views.now.secondsSince1970
            && views.hasPassed(instance, call, position: position, validity, call.isSkipped ? nil : current)
    }
}
