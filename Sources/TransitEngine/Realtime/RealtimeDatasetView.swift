internal import TransitModel

/// Whether a dataset's data about a trip can be used at a moment.
enum RealtimeValidity: Hashable {
    /// The data is recent enough to be used.
    case current
    /// The data is too old, and the source is silent. The last prediction is used until the trip is over.
    case lastKnown
    /// The data is too old and is not used: either the source repeated an old measurement, or the time was estimated
    /// from a position.
    case outdated
    /// The times are too old and are not used, but the message repeats decisions about the trip: calls that are skipped
    /// or moved to another platform. They are as old as the message. Another dataset may have current times
    /// (``RealtimeDatasetViews/currentTimes(of:_:inView:)``).
    case decisions
}

/// A dataset from a snapshot, with the age of its data at the time of a request.
struct RealtimeDatasetView {
    let dataset: RealtimeDataset
    let policy: FreshnessPolicy
    let now: Instant
    /// Whether the data comes from responses about single stops, in which every vehicle is an addition. Such an addition
    /// is no decision of the publisher, but a measurement like its times.
    private let isOnDemand: Bool
    /// Data measured before this time is too old.
    private let oldest: Int64
    /// A published plan that was requested before this time is too old.
    private let oldestPlan: Int64
    /// Data measured before this time became too old while its message was still fresh. In this case the source was not
    /// silent, but had no newer data to report.
    private let oldestKept: Int64
    private let time: Int64
    /// Whether the publisher's clock is fast, so that the age of its measurements is uncertain.
    private let isAhead: Bool

    init(_ dataset: RealtimeDataset, _ policy: FreshnessPolicy, now: Instant, isOnDemand: Bool = false) {
        self.isOnDemand = isOnDemand
        self.dataset = dataset
        self.policy = policy
        self.now = now
        time = dataset.time.secondsSince1970
        oldest = now.secondsSince1970 &- Int64(policy.usable)
        oldestKept = time &+ Int64(policy.fresh) &- Int64(policy.usable)
        oldestPlan = now.secondsSince1970 &- Int64(policy.plannedTimesLifetime)
        isAhead = dataset.header.timestamp.map { policy.age(of: $0, at: dataset.received).isAhead } ?? false
    }

    /// Returns the current age of data measured at the given time.
    func age(of measured: Instant) -> DataAge {
        var age = policy.age(of: measured, at: now)
        age.isAhead = age.isAhead || isAhead
        return age
    }

    /// Returns the validity of a trip's data. A prediction is as old as its measurement. A decision, such as a
    /// cancellation, is not measured and is as old as its message.
    @inline(__always)
    func validity(of instance: RealtimeTrip) -> RealtimeValidity {
        let measured = instance.agesFromMeasurement ? instance.measured?.secondsSince1970 ?? time : time
        if measured >= oldest, instance.retention == 0 { return .current }
        return validityOfOld(instance, measured: measured)
    }

    /// The validity of a trip that the last message lacks or whose times are too old.
    private func validityOfOld(_ instance: RealtimeTrip, measured: Int64) -> RealtimeValidity {
        let reported = dataset.reported(instance).secondsSince1970
        let measured = instance.agesFromMeasurement ? instance.measured?.secondsSince1970 ?? reported : reported
        let isEstimated = instance.agesFromMeasurement && instance.basis == .estimated
        guard isEstimated || measured < reported &+ Int64(policy.fresh) &- Int64(policy.usable) else {
            return .lastKnown
        }
        guard instance.isRunning else { return .outdated }
        // A copy is a trip of its own, which would disappear.
        if instance.kind == .duplicated { return .lastKnown }
        return instance.kind != .estimated && dataset.hasDecisions(instance) ? .decisions : .outdated
    }

    func validity(of trip: ExtraTrip) -> RealtimeValidity {
        validity(measured: trip.measured?.secondsSince1970 ?? dataset.reported(trip).secondsSince1970, of: trip)
    }

    /// The validity of one call. If the data of a trip comes from several responses, each call is as old as its own
    /// response.
    func validity(of trip: ExtraTrip, at position: Int) -> RealtimeValidity {
        guard let measured = trip.calls[position].measured else { return validity(of: trip) }
        return validity(measured: measured.secondsSince1970, of: trip)
    }

    private func validity(measured: Int64, of trip: ExtraTrip) -> RealtimeValidity {
        if trip.basis == .planned {
            if measured >= oldestPlan { return .current }
            // A plan with its own lifetime expires after it.
            if policy.plannedTimesLifetime > policy.usable { return .outdated }
        }
        if trip.retention > 0 { return .lastKnown }
        if measured >= oldest { return .current }
        if trip.isDecision, !isOnDemand { return .lastKnown }
        return trip.basis == .estimated || measured < oldestKept ? .outdated : .lastKnown
    }

    /// Returns the first moment after ``now`` at which the validity of a trip may change, in seconds since 1970.
    ///
    /// Validity depends on the moment only because data becomes too old, so it changes one second after the last one at
    /// which the data could be used.
    func firstChange() -> Int64 {
        let (usable, plan) = (Int64(policy.usable), Int64(policy.plannedTimesLifetime))
        var first = Int64.max
        func expire(_ measured: Int64) {
            if measured >= oldest { first = min(first, measured.saturatingAdd(usable + 1)) }
            if measured >= oldestPlan { first = min(first, measured.saturatingAdd(plan + 1)) }
        }
        for trip in dataset.trips {
            expire(trip.agesFromMeasurement ? trip.measured?.secondsSince1970 ?? time : time)
        }
        for trip in dataset.extraTrips {
            expire(trip.measured?.secondsSince1970 ?? dataset.reported(trip).secondsSince1970)
            for call in trip.calls { if let measured = call.measured { expire(measured.secondsSince1970) } }
        }
        return first
    }

    func measured(_ instance: RealtimeTrip) -> Instant {
        instance.agesFromMeasurement
            ? instance.measured ?? dataset.reported(instance) : dataset.reported(instance)
    }

    /// Returns a call of a trip. If only the decisions about the trip are used, the call has its scheduled times.
    func call(_ position: Int, of instance: RealtimeTrip, _ validity: RealtimeValidity) -> RealtimeCall {
        let call = dataset.call(position, of: instance)
        guard validity == .decisions else { return call }
        let planned = dataset.pattern(of: instance).times(timingGroup: Int(instance.timingGroup), call: position)
        var decided = RealtimeCall(arrival: planned.arrival, departure: planned.departure)
        decided.isSkipped = call.isSkipped
        return decided
    }

    /// Returns the departure of a trip at a call, in seconds since 1970, if the data about the trip is current; `nil` if it
    /// is not. The number is an index into the dataset's trips.
    @inline(__always)
    func currentDeparture(ofTrip number: Int, at position: Int) -> Int64? {
        guard validity(of: dataset.trips[number]) == .current else { return nil }
        return dataset.trips[number].startInstant.secondsSince1970
            &+ Int64(dataset.call(position, of: dataset.trips[number]).departure)
    }

    // MARK: Sort times of calls

    /// The times of a trip at a call, in seconds from the start of the trip. Last known times are never before the
    /// scheduled time, because a vehicle that was early may have waited since.
    @inline(__always)
    func times(at position: Int, of instance: RealtimeTrip, _ validity: RealtimeValidity) -> (
        arrival: Int32, departure: Int32
    ) {
        let call = call(position, of: instance, validity)
        guard validity == .lastKnown, call.isExpected, instance.kind != .unscheduled else {
            return (call.arrival, call.departure)
        }
        let planned = dataset.pattern(of: instance).times(timingGroup: Int(instance.timingGroup), call: position)
        return (max(call.arrival, planned.arrival), max(call.departure, planned.departure))
    }

    /// The times of an extra trip at a call, in seconds since 1970. Last known times are never before the planned time,
    /// if the publisher states one.
    func times(at position: Int, of trip: ExtraTrip, _ validity: RealtimeValidity) -> (arrival: Int64, departure: Int64)
    {
        let call = trip.calls[position]
        var (arrival, departure) = (call.arrival.secondsSince1970, call.departure.secondsSince1970)
        if validity == .lastKnown, call.isExpected {
            arrival = max(arrival, call.scheduledArrival?.secondsSince1970 ?? arrival)
            departure = max(departure, call.scheduledDeparture?.secondsSince1970 ?? departure)
        }
        return (arrival, departure)
    }
}

/// The realtime datasets of a snapshot, prepared for the searches for departures and direct trips. This is a class because
/// each of thousands of trips that a search looks at refers to it.
final class RealtimeDatasetViews {
    let realtime: RealtimeDatasets
    let now: Instant
    /// The datasets that are searched for trips, in order of preference.
    let views: [RealtimeDatasetView]

    init(_ realtime: RealtimeDatasets, now: Instant) {
        self.realtime = realtime
        self.now = now
        views = realtime.views(at: now)
    }

    /// Returns `nil` if there is no realtime data that can affect departures.
    convenience init?(ofTrips realtime: RealtimeDatasets?, now: Instant) {
        guard let realtime, realtime.hasTrips else { return nil }
        self.init(realtime, now: now)
    }

    /// Returns the first moment after ``now`` at which any answer of this object and of ``ReportedTrip`` may change without
    /// new data, in seconds since 1970: the validity of a trip, or whether a vehicle is known (``hasPassed``).
    func firstChange() -> Int64 {
        let validity = views.lazy.map { $0.firstChange() }.min() ?? .max
        return min(validity, realtime.firstExpiryOfVehicle(after: now))
    }

    var indices: Range<Int> { views.indices }
    subscript(number: Int) -> RealtimeDatasetView { views[number] }

    /// Returns the index of a view and the index of the trip in the view's dataset. The first view with data about the
    /// trip wins, so a trip update precedes an estimate from the vehicle. A last known prediction yields to a later
    /// view with current data, unless it contains decisions: it cancels the trip, or skips or moves one of its calls.
    /// Decisions never yield, but the times of the other calls may come from a later view
    /// (``currentTimes(of:_:inView:)``). Returns `nil` if there is no usable data.
    func chosen(_ key: TripInstanceKey) -> (view: Int, instance: Int)? {
        var lastKnown: (view: Int, instance: Int)?
        for view in views.indices {
            guard let number = views[view].dataset.index(of: key) else { continue }
            let instance = views[view].dataset.trips[number]
            switch views[view].validity(of: instance) {
            case .outdated: continue
            case .current, .decisions: return (view, number)
            case .lastKnown:
                if lastKnown != nil { continue }
                if !instance.isRunning || views[view].dataset.hasDecisions(instance) { return (view, number) }
                lastKnown = (view, number)
            }
        }
        return lastKnown
    }

    /// A trip in one of the views whose times are used.
    struct TripTimes {
        /// The index of the view.
        var index: Int
        var view: RealtimeDatasetView
        /// The index of the trip in the view's dataset.
        var number: Int
        var instance: RealtimeTrip
        var validity: RealtimeValidity

        func call(at position: Int) -> RealtimeCall { view.dataset.call(position, of: instance) }

        /// The times of a call, in seconds since 1970.
        func times(at position: Int) -> (arrival: Int64, departure: Int64) {
            let times = view.times(at: position, of: instance, validity)
            let start = instance.startInstant.secondsSince1970
            return (start &+ Int64(times.arrival), start &+ Int64(times.departure))
        }
    }

    /// Returns the current times of a trip of which a view has decisions but no current times: those in a later view,
    /// such as an estimate from the vehicle. Returns `nil` if the view's own times are used.
    func currentTimes(of instance: RealtimeTrip, _ validity: RealtimeValidity, inView view: Int) -> TripTimes? {
        guard validity != .current, view + 1 < views.count, instance.isRunning, instance.kind != .duplicated else {
            return nil
        }
        for other in (view + 1)..<views.count {
            guard let number = views[other].dataset.index(of: instance.key) else { continue }
            let found = views[other].dataset.trips[number]
            guard found.isRunning, views[other].validity(of: found) == .current else { continue }
            return TripTimes(index: other, view: views[other], number: number, instance: found, validity: .current)
        }
        return nil
    }

    /// Returns the current times for a call, as ``currentTimes(of:_:inView:)``. Returns `nil` for a call that is skipped.
    func currentTimes(
        at position: Int, of instance: RealtimeTrip, _ validity: RealtimeValidity, inView view: Int
    ) -> TripTimes? {
        if validity == .current || views[view].dataset.call(position, of: instance).isSkipped { return nil }
        return currentTimes(of: instance, validity, inView: view)
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
    ///
    /// - Parameter times: the trip in the view whose times are used, if that is not the trip's own view.
    func hasPassed(
        _ instance: RealtimeTrip, _ call: RealtimeCall, position: Int, _ validity: RealtimeValidity, _ times: TripTimes?
    ) -> Bool {
        let (call, validity) = times.map { ($0.call(at: position), $0.validity) } ?? (call, validity)
        guard instance.isRunning, !call.isExpected || validity == .lastKnown || validity == .decisions, !call.isSkipped,
            let progress = realtime.vehicle(of: instance.key, now: now)?.progress
        else { return false }
        return progress.call > position
    }
}

extension Int64 {
    /// Returns the sum, or the nearest number if that is out of range.
    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
