public import TransitModel

/// A snapshot of all realtime data of a feed for one timetable version.
///
/// Trip updates, vehicles and alerts may come from separate messages. If one source sends several of these, the
/// corresponding properties share its dataset. Each query uses a single snapshot throughout.
///
/// This is a class because every part of a query refers to it.
public final class RealtimeDatasets: Sendable {
    public let tripUpdates: RealtimeDataset?
    public let vehicles: RealtimeDataset?
    public let alerts: RealtimeDataset?
    /// The responses of an arrivals source, which is queried stop by stop.
    public let arrivals: RealtimeDataset?
    /// Which trips the source of the trip updates should have reported; `nil` if that is not known.
    public let reporting: ReportingEvidence?
    public let tripUpdatePolicy: FreshnessPolicy
    public let vehiclePolicy: FreshnessPolicy
    public let alertPolicy: FreshnessPolicy
    public let arrivalPolicy: FreshnessPolicy

    public init(
        tripUpdates: RealtimeDataset? = nil, vehicles: RealtimeDataset? = nil, alerts: RealtimeDataset? = nil,
        arrivals: RealtimeDataset? = nil, reporting: ReportingEvidence? = nil,
        tripUpdatePolicy: FreshnessPolicy = FreshnessPolicy(),
        vehiclePolicy: FreshnessPolicy = FreshnessPolicy(),
        alertPolicy: FreshnessPolicy = FreshnessPolicy(interval: 300),
        arrivalPolicy: FreshnessPolicy = FreshnessPolicy()
    ) {
        self.tripUpdates = tripUpdates
        self.vehicles = vehicles
        self.alerts = alerts
        self.arrivals = arrivals
        self.reporting = reporting
        self.tripUpdatePolicy = tripUpdatePolicy
        self.vehiclePolicy = vehiclePolicy
        self.alertPolicy = alertPolicy
        self.arrivalPolicy = arrivalPolicy
    }

    public var isEmpty: Bool { tripUpdates == nil && vehicles == nil && alerts == nil && arrivals == nil }

    /// Whether the realtime data can affect departures.
    var hasTrips: Bool {
        tripUpdates != nil || arrivals != nil
            || vehicles.map { !$0.trips.isEmpty || !$0.extraTrips.isEmpty } ?? false
    }

    /// The datasets that are searched for trips: trip updates first, then responses from an arrivals source, then
    /// estimates from vehicles.
    func views(at now: Instant) -> [RealtimeDatasetView] {
        var views: [RealtimeDatasetView] = []
        if let tripUpdates { views.append(RealtimeDatasetView(tripUpdates, tripUpdatePolicy, now: now)) }
        if let arrivals { views.append(RealtimeDatasetView(arrivals, arrivalPolicy, now: now, isOnDemand: true)) }
        if let vehicles, vehicles !== tripUpdates {
            views.append(RealtimeDatasetView(vehicles, vehiclePolicy, now: now))
        }
        return views
    }

    // MARK: Calls

    /// Returns a scheduled call with realtime data applied, or `nil` if the trip must not be shown (`DELETED`).
    ///
    /// A call that the vehicle has left is ``ExpectedCall/Status/departed``.
    ///
    /// - Parameter instance: the key of a copy of the trip (`DUPLICATED`), with the start of the copy. If there is no copy
    ///   with this key, the scheduled call is returned.
    public func expected(_ call: ScheduledCall, of instance: TripInstanceKey? = nil, now: Instant) -> ExpectedCall? {
        let views = RealtimeDatasetViews(self, now: now)
        guard let chosen = views.chosen(instance ?? TripInstanceKey(call)) else { return scheduled(call, now: now) }
        let kind = views[chosen.view].dataset.trips[chosen.instance].kind
        if kind == .deleted { return nil }
        // The times of a copy are relative to its own start.
        return ExpectedCallBuilder(views, view: chosen.view).expected(
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

    /// Returns whether the last trip updates lack this trip although they should contain it.
    private func isMissing(_ call: ScheduledCall, now: Instant) -> Bool {
        reportingFinding(call, now: now)?.verdict == .missing
    }

    /// Returns what follows from the fact that the trip updates do not contain the trip of a call. Returns `nil` if
    /// nothing follows: data may have been lost on this side, the call is over, the trip has no exact start, or its vehicle
    /// is known.
    func reportingFinding(_ call: ScheduledCall, now: Instant) -> ReportingFinding? {
        guard let tripUpdates, let reporting, tripUpdates.lostChanges == nil, call.departure >= now,
            call.frequency?.row.isExact != false
        else { return nil }
        // A trip that was missing from the last message of a silent source is no less doubtful now, and one that this
        // message did not have to contain does not become missing.
        let known = min(now, tripUpdates.time.advanced(by: tripUpdatePolicy.usable))
        let key = TripInstanceKey(call)
        guard vehicle(of: key, now: now) == nil else { return nil }
        let start = call.departure.secondsSince1970 - Int64(call.times.departure)
        return reporting.finding(
            key, route: .init(route: call.pattern.route, direction: call.pattern.direction), start: start,
            end: start + Int64(call.pattern.duration(ofTimingGroup: call.timingGroup)), now: known.secondsSince1970)
    }

    /// Returns whether a cancellation of the trip applies to no trip instance, because it has no date and several are
    /// possible.
    public func hasAmbiguousCancellation(of trip: TripID) -> Bool {
        tripUpdates?.ambiguousDecisions.contains(trip) ?? false
    }

    /// Returns a call of a trip that the timetable lacks, or `nil` if there is no usable data about the call.
    ///
    /// - Parameters:
    ///   - trip: see ``ExtraTrip/name``.
    ///   - sequence: `stop_sequence` of the call; 0 for the first call without a sequence.
    public func extraCall(trip: TripID, date: ServiceDate, sequence: UInt32, now: Instant) -> ExpectedCall? {
        let views = RealtimeDatasetViews(self, now: now)
        for index in views.indices {
            let view = views[index]
            for (number, extra) in view.dataset.extraTrips.enumerated() {
                guard extra.name == trip, extra.serviceDate == date,
                    let position = extra.calls.firstIndex(where: { ($0.sequence ?? 0) == sequence }),
                    view.validity(of: extra, at: position) != .outdated
                else { continue }
                return ExpectedCallBuilder(views, view: index).expected(extra: number, position: position)
            }
        }
        return nil
    }

    /// Returns the latest time of measurement among the arrivals at the stops whose departure is still ahead but whose
    /// data is too old to be used; `nil` if there are no such arrivals.
    public func outdatedArrival(at stops: Set<StopIndex>, now: Instant) -> Instant? {
        guard let arrivals else { return nil }
        let view = RealtimeDatasetView(arrivals, arrivalPolicy, now: now, isOnDemand: true)
        return arrivals.extraTrips.lazy.flatMap { trip in
            trip.calls.indices.lazy.filter { position in
                let call = trip.calls[position]
                return stops.contains(call.stop) && call.departure >= now
                    && view.validity(of: trip, at: position) == .outdated
            }.map { trip.calls[$0].measured ?? trip.measured ?? arrivals.time }
        }.max()
    }

    // MARK: Vehicles

    /// Returns the vehicle that serves the trip, if its position is not too old.
    public func vehicle(of instance: TripInstanceKey, now: Instant) -> RealtimeVehicle? {
        for dataset in [vehicles, tripUpdates] {
            guard let dataset, let vehicle = dataset.vehicle(of: instance) else { continue }
            let age = vehiclePolicy.age(of: Self.measured(vehicle, in: dataset), at: now)
            if age.freshness != .stale { return vehicle }
        }
        return nil
    }

    /// Returns what is stated about the vehicles that serve trips and accommodate wheelchairs or bicycles or not.
    public func accessibility(now: Instant) -> [TripInstanceKey: VehicleDescriptor] {
        var found: [TripInstanceKey: VehicleDescriptor] = [:]
        for dataset in [vehicles, tripUpdates] {
            for vehicle in dataset?.vehicles ?? [] {
                guard let key = vehicle.tripInstance, found[key] == nil, let stated = vehicle.position.vehicle,
                    stated.wheelchair != nil || stated.bikes != nil
                else { continue }
                found[key] = self.vehicle(of: key, now: now)?.position.vehicle
            }
        }
        return found
    }

    private static func measured(_ vehicle: RealtimeVehicle, in dataset: RealtimeDataset) -> Instant {
        vehicle.measured.map { max($0, vehicle.waitingUntil ?? $0) } ?? dataset.time
    }

    /// Returns the first moment after `now` at which ``vehicle(of:now:)`` may no longer return a vehicle because its
    /// position is too old, in seconds since 1970.
    func firstExpiryOfVehicle(after now: Instant) -> Int64 {
        var first = Int64.max
        for dataset in [vehicles, tripUpdates] {
            guard let dataset else { continue }
            for vehicle in dataset.vehicles where vehicle.tripInstance != nil {
                let measured = Self.measured(vehicle, in: dataset).secondsSince1970
                let expiry = measured.saturatingAdd(Int64(vehiclePolicy.usable) + 1)
                if expiry > now.secondsSince1970 { first = min(first, expiry) }
            }
        }
        return first
    }

    /// Returns the vehicle that serves a call, or from whose position the call was estimated.
    public func vehicle(of call: ExpectedCall, now: Instant) -> RealtimeVehicle? {
        switch call.subject {
        case .scheduled(let scheduled): vehicle(of: call.tripInstance ?? TripInstanceKey(scheduled), now: now)
        case .extra(let trip, _): vehicle(ofEstimated: trip)
        }
    }

    /// Returns the vehicle from whose position an estimated trip was computed; `nil` for published trips.
    public func vehicle(ofEstimated trip: ExtraTrip) -> RealtimeVehicle? {
        guard trip.variantTrip != nil else { return nil }
        return (vehicles ?? tripUpdates)?.vehicles.first { $0.position.id == trip.entity && $0.exclusion == nil }
    }
}
