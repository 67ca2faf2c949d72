public import TransitModel

/// A snapshot of all realtime data of a feed for one timetable version.
///
/// Trip updates, vehicles and alerts may come from separate messages. If one source sends several of these, the
/// corresponding properties share its dataset. Each query uses a single snapshot throughout.
public struct RealtimeDatasets: Sendable {
    public var tripUpdates: RealtimeDataset?
    public var vehicles: RealtimeDataset?
    public var alerts: RealtimeDataset?
    /// The responses of an arrivals source, which is queried stop by stop.
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

/// Whether a dataset's data about a trip can be used at a moment.
enum RealtimeValidity: Hashable {
    /// The data is recent enough to be used.
    case current
    /// The data is too old, and the source is silent. The last prediction is used until the trip is over.
    case lastKnown
    /// The data is too old and is not used: either the source repeated an old measurement, or the time was estimated
    /// from a position.
    case outdated
}

/// A dataset from a snapshot, with the age of its data at the time of a request.
struct RealtimeDatasetView {
    let dataset: RealtimeDataset
    let policy: FreshnessPolicy
    let now: Instant
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

    init(_ dataset: RealtimeDataset, _ policy: FreshnessPolicy, now: Instant) {
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

    /// Returns the validity of a trip's data. A prediction is as old as its measurement. A cancellation is not measured
    /// and is as old as its message.
    @inline(__always)
    func validity(of instance: RealtimeTrip) -> RealtimeValidity {
        let measured = instance.agesFromMeasurement ? instance.measured?.secondsSince1970 ?? time : time
        return validity(measured: measured, isEstimated: instance.agesFromMeasurement && instance.basis == .estimated)
    }

    func validity(of trip: ExtraTrip) -> RealtimeValidity {
        validity(measured: trip.measured?.secondsSince1970 ?? time, of: trip)
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
        return validity(measured: measured, isEstimated: trip.basis == .estimated)
    }

    @inline(__always)
    private func validity(measured: Int64, isEstimated: Bool) -> RealtimeValidity {
        if measured >= oldest { return .current }
        return isEstimated || measured < oldestKept ? .outdated : .lastKnown
    }

    func measured(_ instance: RealtimeTrip) -> Instant {
        instance.agesFromMeasurement ? instance.measured ?? dataset.time : dataset.time
    }

    // MARK: Sort times of calls

    /// The times of a trip at a call, in seconds from the start of the trip. Last known times are never before the
    /// scheduled time, because a vehicle that was early may have waited since.
    @inline(__always)
    func times(at position: Int, of instance: RealtimeTrip, _ validity: RealtimeValidity) -> (
        arrival: Int32, departure: Int32
    ) {
        let call = dataset.call(position, of: instance)
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

extension RealtimeDatasets {
    /// The datasets that are searched for trips: trip updates first, then responses from an arrivals source, then
    /// estimates from vehicles.
    func views(at now: Instant) -> [RealtimeDatasetView] {
        var views: [RealtimeDatasetView] = []
        if let tripUpdates { views.append(RealtimeDatasetView(tripUpdates, tripUpdatePolicy, now: now)) }
        if let arrivals { views.append(RealtimeDatasetView(arrivals, arrivalPolicy, now: now)) }
        if let vehicles, vehicles !== tripUpdates {
            views.append(RealtimeDatasetView(vehicles, vehiclePolicy, now: now))
        }
        return views
    }

    /// Returns the vehicle that serves the trip, if its position is not too old.
    public func vehicle(of instance: TripInstanceKey, now: Instant) -> RealtimeVehicle? {
        for dataset in [vehicles, tripUpdates] {
            guard let dataset, let vehicle = dataset.vehicle(of: instance) else { continue }
            let age = vehiclePolicy.age(of: vehicle.measured ?? dataset.time, at: now)
            if age.freshness != .stale { return vehicle }
        }
        return nil
    }

    /// Returns a scheduled call with realtime data applied, or `nil` if the trip must not be shown (`DELETED`).
    ///
    /// A call that the vehicle has left is ``ExpectedCall/Status/departed``.
    ///
    /// - Parameter run: the key of a copy of the trip (`DUPLICATED`), with the start of the copy. If there is no copy
    ///   with this key, the scheduled call is returned.
    public func expected(_ call: ScheduledCall, of instance: TripInstanceKey? = nil, now: Instant) -> ExpectedCall? {
        let views = RealtimeDatasetViews(self, now: now)
        guard let chosen = views.chosen(instance ?? TripInstanceKey(call)) else { return scheduled(call, now: now) }
        let view = views[chosen.view]
        let kind = view.dataset.trips[chosen.instance].kind
        if kind == .deleted { return nil }
        // The times of a copy are relative to its own start.
        return ExpectedCallBuilder(realtime: self, view: view).expected(
            instance: chosen.instance, position: call.position, scheduled: kind == .duplicated ? nil : call)
    }

    /// Returns a scheduled call for which there is no usable realtime data.
    func scheduled(_ call: ScheduledCall, now: Instant) -> ExpectedCall {
        var expected = ExpectedCall(scheduled: call)
        if isReported(TripInstanceKey(call)) {
            expected.isOutdatedInRealtime = true
        } else if isMissing(call, now: now) {
            expected.isMissingFromRealtime = true
            expected.confidence = .low
        }
        return expected
    }

    /// Returns whether there is any realtime data about a trip, however old.
    private func isReported(_ instance: TripInstanceKey) -> Bool {
        tripUpdates?.index(of: instance) != nil || arrivals?.index(of: instance) != nil
    }

    /// Returns whether fresh trip updates lack this trip although they should contain it. A trip is missing if it is
    /// not over and the updates contain a trip of the same route, direction and service date that starts no earlier.
    /// Updates for other service dates are not evidence, because many publishers send only changes in advance.
    private func isMissing(_ call: ScheduledCall, now: Instant) -> Bool {
        guard let tripUpdates, tripUpdatePolicy.age(of: tripUpdates.time, at: now).freshness != .stale else {
            return false
        }
        let key = RealtimeDataset.RouteServiceDate(
            route: call.pattern.route, direction: call.pattern.direction, date: call.serviceDate)
        guard let until = tripUpdates.latestReportedStarts[key] else { return false }
        let startInstant = call.departure.advanced(by: -Int(call.times.departure))
        return startInstant <= until && call.departure >= now
    }
}

extension RealtimeDatasets {
    /// Whether the realtime data can affect departures.
    var hasTrips: Bool {
        tripUpdates != nil || arrivals != nil
            || vehicles.map { !$0.trips.isEmpty || !$0.extraTrips.isEmpty } ?? false
    }
}

/// The sort key of departures: time first, then scheduled trips before extra trips, then pattern, trip, service date
/// and call.
struct DepartureSortKey: Comparable {
    /// Seconds since 1970.
    var time: Int64
    var isExtra: Bool
    var pattern: UInt32
    var trip: UInt32
    var date: Int32
    var position: Int32
    var start: Int64

    init(_ key: TripInstanceKey, time: Int64, position: Int, startInstant: Int64) {
        self.time = time
        isExtra = false
        pattern = key.pattern.rawValue
        trip = key.trip.rawValue
        date = key.serviceDate.daysSince1970
        self.position = Int32(truncatingIfNeeded: position)
        start = startInstant
    }

    init(_ call: ScheduledCall) {
        let departure = call.departure.secondsSince1970
        self.init(
            TripInstanceKey(call), time: departure, position: call.position,
            startInstant: departure &- Int64(call.times.departure))
    }

    /// Creates the key of a call of an extra trip.
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
