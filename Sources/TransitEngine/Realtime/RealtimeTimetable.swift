public import TransitModel

/// Everything live about one feed and one version of its timetable, at one moment.
///
/// Trip updates, vehicles and alerts are told by messages of their own; a source that tells several of them is the same
/// dataset in several places. A question takes a snapshot once and stays with it.
public struct RealtimeTimetable: Sendable {
    public var tripUpdates: RealtimeDataset?
    public var vehicles: RealtimeDataset?
    public var alerts: RealtimeDataset?
    /// What was asked stop by stop.
    public var arrivals: RealtimeDataset?
    public var tripUpdatePolicy: FreshnessPolicy
    public var vehiclePolicy: FreshnessPolicy
    public var alertPolicy: FreshnessPolicy
    public var arrivalPolicy: FreshnessPolicy

    public init(
        tripUpdates: RealtimeDataset? = nil, vehicles: RealtimeDataset? = nil, alerts: RealtimeDataset? = nil,
        arrivals: RealtimeDataset? = nil, tripUpdatePolicy: FreshnessPolicy = FreshnessPolicy(),
        vehiclePolicy: FreshnessPolicy = FreshnessPolicy(),
        alertPolicy: FreshnessPolicy = FreshnessPolicy(interval: 300),
        arrivalPolicy: FreshnessPolicy = FreshnessPolicy()
    ) {
        self.tripUpdates = tripUpdates
        self.vehicles = vehicles
        self.alerts = alerts
        self.arrivals = arrivals
        self.tripUpdatePolicy = tripUpdatePolicy
        self.vehiclePolicy = vehiclePolicy
        self.alertPolicy = alertPolicy
        self.arrivalPolicy = arrivalPolicy
    }

    public var isEmpty: Bool { tripUpdates == nil && vehicles == nil && alerts == nil && arrivals == nil }
}

/// Whether a dataset's data about a run or a trip can be used at a moment.
enum RealtimeValidity: Hashable {
    /// The data is recent enough to be used.
    case current
    /// The data is too old, and the source is silent. The last prediction stays until the run is over.
    case lastKnown
    /// The data is too old and is not used: the source itself repeated an old measurement, or the time was estimated
    /// from a position.
    case outdated
}

/// One dataset of a snapshot at the time of a request, without outdated data.
struct FreshRealtime {
    let dataset: RealtimeDataset
    let policy: FreshnessPolicy
    let now: Instant
    /// Data measured before this time is too old.
    private let oldest: Int64
    /// A published plan that was requested before this time is too old.
    private let oldestPlan: Int64
    /// Data measured before this time grew too old while its message was still fresh. The source was not silent then;
    /// it had nothing newer to report.
    private let oldestKept: Int64
    private let time: Int64
    /// Whether the publisher's clock is fast, so that nothing that it measured has an age to be sure of.
    private let isAhead: Bool

    init(_ dataset: RealtimeDataset, _ policy: FreshnessPolicy, now: Instant) {
        self.dataset = dataset
        self.policy = policy
        self.now = now
        time = dataset.time.secondsSince1970
        oldest = now.secondsSince1970 &- Int64(policy.usable)
        oldestKept = time &+ Int64(policy.fresh) &- Int64(policy.usable)
        oldestPlan = now.secondsSince1970 &- Int64(policy.plan)
        isAhead = dataset.header.timestamp.map { policy.age(of: $0, at: dataset.received).isAhead } ?? false
    }

    /// How old what was measured then is now.
    func age(of measured: Instant) -> DataAge {
        var age = policy.age(of: measured, at: now)
        age.isAhead = age.isAhead || isAhead
        return age
    }

    /// A prediction is as old as its measurement. A cancellation is not measured: it is as old as its message.
    @inline(__always)
    func validity(of run: RealtimeTrip) -> RealtimeValidity {
        let measured = run.isMeasured ? run.measured?.secondsSince1970 ?? time : time
        return validity(measured: measured, isEstimated: run.isMeasured && run.basis == .estimated)
    }

    func validity(of trip: ExtraTrip) -> RealtimeValidity {
        validity(measured: trip.measured?.secondsSince1970 ?? time, of: trip)
    }

    /// The validity of one call. If the data of a trip comes from several answers, each call is as old as its own
    /// answer.
    func validity(of trip: ExtraTrip, at position: Int) -> RealtimeValidity {
        guard let measured = trip.calls[position].measured else { return validity(of: trip) }
        return validity(measured: measured.secondsSince1970, of: trip)
    }

    private func validity(measured: Int64, of trip: ExtraTrip) -> RealtimeValidity {
        if trip.basis == .planned {
            if measured >= oldestPlan { return .current }
            // A plan with its own lifetime expires after it.
            if policy.plan > policy.usable { return .outdated }
        }
        return validity(measured: measured, isEstimated: trip.basis == .estimated)
    }

    @inline(__always)
    private func validity(measured: Int64, isEstimated: Bool) -> RealtimeValidity {
        if measured >= oldest { return .current }
        return isEstimated || measured < oldestKept ? .outdated : .lastKnown
    }

    func measured(_ run: RealtimeTrip) -> Instant { run.isMeasured ? run.measured ?? dataset.time : dataset.time }

    // MARK: Times that place a call in a list

    /// The times of a run at a call, in seconds from the run's start. Last known times are never before the plan,
    /// because a vehicle that was early may have waited since.
    @inline(__always)
    func times(at position: Int, of run: RealtimeTrip, _ validity: RealtimeValidity) -> (
        arrival: Int32, departure: Int32
    ) {
        let call = dataset.call(position, of: run)
        guard validity == .lastKnown, call.isExpected, run.kind != .unscheduled else {
            return (call.arrival, call.departure)
        }
        let planned = dataset.pattern(of: run).times(timingGroup: Int(run.timingGroup), call: position)
        return (max(call.arrival, planned.arrival), max(call.departure, planned.departure))
    }

    /// The same for a trip that the timetable lacks, if the publisher gives a plan.
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

extension RealtimeTimetable {
    /// Where runs are looked for: trip updates first, then what was asked stop by stop, then what is estimated from
    /// vehicles.
    func views(at now: Instant) -> [FreshRealtime] {
        var views: [FreshRealtime] = []
        if let tripUpdates { views.append(FreshRealtime(tripUpdates, tripUpdatePolicy, now: now)) }
        if let arrivals { views.append(FreshRealtime(arrivals, arrivalPolicy, now: now)) }
        if let vehicles, vehicles !== tripUpdates { views.append(FreshRealtime(vehicles, vehiclePolicy, now: now)) }
        return views
    }

    /// The vehicle that serves a run, when its position is not too old.
    public func vehicle(of run: TripInstanceKey, now: Instant) -> RealtimeVehicle? {
        for dataset in [vehicles, tripUpdates] {
            guard let dataset, let vehicle = dataset.vehicle(of: run) else { continue }
            let age = vehiclePolicy.age(of: vehicle.measured ?? dataset.time, at: now)
            if age.freshness != .stale { return vehicle }
        }
        return nil
    }

    /// The call of a run of the timetable as it may be expected now; `nil` when the run is not to be shown (`DELETED`).
    ///
    /// A call that has left is ``ExpectedCall/Status/departed``.
    ///
    /// - Parameter run: the run, where it is a copy of the trip (`DUPLICATED`), with the start of the copy. Without such a copy
    ///   the call is that of the timetable.
    public func expected(_ call: ScheduledCall, of run: TripInstanceKey? = nil, now: Instant) -> ExpectedCall? {
        let views = FreshRealtimeSources(self, now: now)
        guard let chosen = views.chosen(run ?? TripInstanceKey(call)) else { return scheduled(call, now: now) }
        let view = views[chosen.view]
        let kind = view.dataset.runs[chosen.run].kind
        if kind == .deleted { return nil }
        // The times of a copy count from its own start.
        return ExpectedCallBuilder(live: self, view: view).expected(
            run: chosen.run, position: call.position, scheduled: kind == .duplicated ? nil : call)
    }

    /// A call of which nothing usable is told.
    func scheduled(_ call: ScheduledCall, now: Instant) -> ExpectedCall {
        var expected = ExpectedCall(scheduled: call)
        if isTold(TripInstanceKey(call)) {
            expected.isOutdatedInRealtime = true
        } else if isMissing(call, now: now) {
            expected.isMissingFromRealtime = true
            expected.confidence = .low
        }
        return expected
    }

    /// Whether something is told of a run at all, however old it is.
    private func isTold(_ run: TripInstanceKey) -> Bool {
        tripUpdates?.run(run) != nil || arrivals?.run(run) != nil
    }

    /// Whether the publisher tells of the route and direction on that service date in fresh trip updates, of runs that start as
    /// late as this one, and yet not of this one, which is not over. What it tells of another date says nothing: many a
    /// publisher tells ahead only of what it has changed.
    private func isMissing(_ call: ScheduledCall, now: Instant) -> Bool {
        guard let tripUpdates, tripUpdatePolicy.age(of: tripUpdates.time, at: now).freshness != .stale else {
            return false
        }
        let way = RealtimeDataset.RouteServiceDate(
            route: call.pattern.route, direction: call.pattern.direction, date: call.serviceDate)
        guard let until = tripUpdates.coverage[way] else { return false }
        let begins = call.departure.advanced(by: -Int(call.times.departure))
        return begins <= until && call.departure >= now
    }
}

extension RealtimeTimetable {
    /// Whether anything in it can change a departure.
    var hasRuns: Bool {
        tripUpdates != nil || arrivals != nil
            || vehicles.map { !$0.runs.isEmpty || !$0.extraTrips.isEmpty } ?? false
    }
}

/// The order of a list of departures: by time; at one moment those of the timetable first, by pattern, trip, date and call.
struct DepartureSortKey: Comparable {
    /// Seconds since 1970.
    var time: Int64
    var isExtra: Bool
    var pattern: UInt32
    var trip: UInt32
    var date: Int32
    var position: Int32
    var start: Int64

    init(_ key: TripInstanceKey, time: Int64, position: Int, begins: Int64) {
        self.time = time
        isExtra = false
        pattern = key.pattern.rawValue
        trip = key.trip.rawValue
        date = key.serviceDate.daysSince1970
        self.position = Int32(truncatingIfNeeded: position)
        start = begins
    }

    init(_ call: ScheduledCall) {
        let departure = call.departure.secondsSince1970
        self.init(
            TripInstanceKey(call), time: departure, position: call.position,
            begins: departure &- Int64(call.times.departure))
    }

    /// Of an extra trip.
    init(extra number: Int, view: Int, time: Int64, position: Int) {
        self.time = time
        isExtra = true
        pattern = UInt32(truncatingIfNeeded: view)
        trip = UInt32(truncatingIfNeeded: number)
        date = 0
        self.position = Int32(truncatingIfNeeded: position)
        start = 0
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.isExtra != right.isExtra { return right.isExtra }
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.trip != right.trip { return left.trip < right.trip }
        if left.date != right.date { return left.date < right.date }
        if left.position != right.position { return left.position < right.position }
        return left.start < right.start
    }
}
