internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// Converts calls of a feed to departures on the wire: adds names, time zones, the vehicle, and the confidence.
struct DepartureRenderer {
    var timetable: Timetable
    var realtime: RealtimeDatasets?
    var now: Instant
    /// The number of seconds since the source confirmed the timetable.
    var age: Int?
    var isExpired: Bool
    /// Whether the feed's realtime data is too old to use, so that calls that should have realtime data do not.
    var isRealtimeExpired: Bool
    var names: NameRenderer

    init(_ timetable: Timetable, _ context: QueryContext, language: String?) {
        self.timetable = timetable
        let feed = context.feed(of: timetable)
        let datasets = feed?.timetable === timetable ? feed?.realtime : nil
        realtime = datasets.flatMap { $0.isEmpty ? nil : $0 }
        now = context.now
        age = feed?.confirmed.map { max(0, $0.seconds(to: context.now)) }
        isExpired = timetable.isExpired(at: context.now)
        isRealtimeExpired = datasets?.outdatedTime(at: context.now) != nil
        names = NameRenderer(timetable, language: language)
    }

    /// The fields that a direct trip adds to a departure.
    struct DirectTripDetails {
        var destination: StopIndex
        /// `nil` if the arrival time is not known.
        var arrival: ExpectedCall?
        /// `nil` if the trip starts, or ends, at the stop itself.
        var walkBefore: Int?
        var walkAfter: Int?
    }

    /// The number of seconds before a departure from which on it usually has realtime data.
    static let realtimeHorizon = 2 * 3600

    /// - Parameters:
    ///   - direction: The direction for the caller: "work", "home", or another of the caller's places.
    ///   - directTrip: The fields that a direct trip adds.
    func departure(
        _ call: ExpectedCall, direction: String? = nil, directTrip: DirectTripDetails? = nil
    ) throws(StoreError) -> Departure {
        switch call.subject {
        case .scheduled(let scheduled): try departure(call, scheduled, direction, directTrip)
        case .extra(let trip, let position): try departure(call, trip, trip.calls[position], direction, directTrip)
        }
    }

    private func departure(
        _ call: ExpectedCall, _ scheduled: ScheduledCall, _ direction: String?, _ directTrip: DirectTripDetails?
    ) throws(StoreError) -> Departure {
        let trip = try timetable.file.trip(scheduled.trip)
        let route = scheduled.pattern.route
        let zone = try zone(of: call.stop, route: route)
        let vehicle = try vehicle(call, scheduled)
        // The vehicle's own data takes precedence over the timetable (GTFS-Realtime reference, VehicleDescriptor).
        let serving = realtime?.vehicle(of: call.tripInstance ?? TripInstanceKey(scheduled), now: now)?.position.vehicle
        let planned = scheduled.call
        let (destination, scheduledDestination) = try names.names.destination(of: call)
        return Departure(
            id: DepartureID(feed: timetable.feed, trip: trip.id, call: scheduled, of: call).description,
            feed: timetable.feed, trip: trip.id,
            tripShortName: try trip.shortName.map { (t) throws(StoreError) in try timetable.text(t) },
            serviceDate: scheduled.serviceDate,
            route: try names.route(route), headsign: destination, scheduledHeadsign: scheduledDestination,
            direction: direction, directionId: scheduled.pattern.direction.map { Int($0.rawValue) },
            stop: try names.callStop(call.stop),
            scheduledStop: call.hasPlatformChange ? try names.callStop(planned.stop) : nil,
            scheduled: call.scheduledDeparture.map { Timestamp($0, in: zone) },
            expected: call.expectedDeparture.map { Timestamp($0, in: zone) }, delay: call.delay,
            uncertainty: call.uncertainty.map { Int($0) }, status: DepartureStatus(call.status),
            source: DepartureSource(call.source), confidence: confidence(call), realtimeState: realtimeState(call),
            age: call.age?.seconds ?? age,
            isApproximate: !scheduled.times.isExact || scheduled.frequency?.row.isExact == false,
            pickup: Boarding(planned.pickup),
            headway: scheduled.frequency.map { Headway(seconds: Int($0.row.headway), exact: $0.row.isExact) },
            wheelchair: AccessibilityLevel(serving?.wheelchair ?? trip.wheelchair),
            bikes: AccessibilityLevel(serving?.bikes ?? trip.bikes),
            walk: directTrip?.walkBefore,
            leaveBy: directTrip?.walkBefore.map { Timestamp(call.departure.advanced(by: -$0), in: zone) },
            vehicle: vehicle, alerts: try alerts(call, route: route, trip: trip.id, directTrip),
            remark: call.remark?.text(in: names.language),
            arrival: try directTrip.map { (directTrip) throws(StoreError) in try arrival(directTrip, route: route) })
    }

    /// Returns the departure of a trip that is not in the timetable.
    private func departure(
        _ call: ExpectedCall, _ trip: ExtraTrip, _ extra: ExtraCall, _ direction: String?,
        _ directTrip: DirectTripDetails?
    ) throws(StoreError) -> Departure {
        let zone = try zone(of: call.stop, route: trip.route)
        let id = trip.id ?? TripID(trip.entity.rawValue)
        let isPlan = call.source == .scheduled && call.scheduledDeparture != nil
        let serving = realtime?.vehicle(ofEstimated: trip)?.position.vehicle
        let way = try (trip.variantTrip ?? trip.replaced?.trip).map { (way) throws(StoreError) in
            try timetable.file.trip(way)
        }
        let (destination, scheduledDestination) = try names.names.destination(of: call)
        return Departure(
            id: "\(DepartureID(feed: timetable.feed, trip: id, date: trip.serviceDate, sequence: extra.sequence ?? 0))",
            feed: timetable.feed, trip: id, tripShortName: trip.shortName, serviceDate: trip.serviceDate,
            route: try trip.route.map { (route) throws(StoreError) in try names.route(route) }
                ?? RouteSummary(id: "", type: Self.unknownType),
            headsign: destination, scheduledHeadsign: scheduledDestination,
            direction: direction, directionId: trip.direction.map { Int($0.rawValue) },
            stop: try names.callStop(call.stop), scheduled: call.scheduledDeparture.map { Timestamp($0, in: zone) },
            // Without a prediction, only the time planned by the publisher is known. A departure always shows one of
            // the two times.
            expected: isPlan ? nil : Timestamp(call.departure, in: zone), delay: call.delay,
            uncertainty: call.uncertainty.map { Int($0) }, status: DepartureStatus(call.status),
            source: DepartureSource(call.source), confidence: confidence(call), realtimeState: realtimeState(call),
            age: call.age?.seconds, isApproximate: false, pickup: .regular,
            wheelchair: AccessibilityLevel(serving?.wheelchair ?? way?.wheelchair ?? .unknown),
            bikes: AccessibilityLevel(serving?.bikes ?? way?.bikes ?? .unknown), walk: directTrip?.walkBefore,
            leaveBy: directTrip?.walkBefore.map { Timestamp(call.departure.advanced(by: -$0), in: zone) },
            vehicle: vehicle(of: trip, call),
            alerts: try alerts(call, route: trip.route, trip: id, directTrip),
            remark: call.remark?.text(in: names.language),
            arrival: try directTrip.map { (directTrip) throws(StoreError) in try arrival(directTrip, route: trip.route)
            })
    }

    /// The `route_type` of a trip whose route is not known: bus, because most unplanned trips are bus trips.
    private static let unknownType = 3

    private func zone(of stop: StopIndex, route: RouteIndex?) throws(StoreError) -> ServiceZone {
        if let own = try timetable.cachedStop(stop).zone { return own }
        return route.map { timetable.zone(of: $0) } ?? timetable.zone
    }

    private func arrival(_ directTrip: DirectTripDetails, route: RouteIndex?) throws(StoreError) -> Arrival {
        guard let call = directTrip.arrival else {
            return Arrival(
                stop: try names.callStop(directTrip.destination), scheduled: nil, walk: directTrip.walkAfter,
                dropOff: .regular)
        }
        let zone = try zone(of: call.stop, route: route)
        let isExtra = call.scheduledCall == nil
        return Arrival(
            stop: try names.callStop(call.stop), scheduled: call.scheduledArrival.map { Timestamp($0, in: zone) },
            expected: isExtra && !(call.source == .scheduled && call.scheduledArrival != nil)
                ? Timestamp(call.arrival, in: zone) : call.expectedArrival.map { Timestamp($0, in: zone) },
            delay: call.arrivalDelay, uncertainty: call.uncertainty.map { Int($0) },
            status: DepartureStatus(call.status),
            scheduledStop: call.hasPlatformChange
                ? try call.scheduledCall.map { (scheduled) throws(StoreError) in
                    try names.callStop(scheduled.call.stop)
                } : nil, walk: directTrip.walkAfter, dropOff: Boarding(call.scheduledCall?.call.dropOff ?? .regular))
    }

    // MARK: Confidence and realtime state

    func confidence(_ call: ExpectedCall) -> Confidence {
        if call.source == .scheduled, isExpired { return .low }
        return switch call.confidence {
        case .high: .high
        case .medium: .medium
        case .low: .low
        }
    }

    func realtimeState(_ call: ExpectedCall) -> RealtimeState {
        if call.isLastKnown { return .expired }
        // A planned time is not realtime data, however recent it is. A planned time that could not be refreshed is
        // shown as aging. A call that is missing from a new message has no realtime data either.
        if call.source == .scheduled, call.scheduledCall == nil {
            return call.age.map { $0.freshness != .fresh } ?? false ? .aging : .notExpected
        }
        if let age = call.age { return call.realtimeState(age) }
        if call.isOutdatedInRealtime { return .expired }
        if call.isMissingFromRealtime { return .missing }
        let isNear = (0...Self.realtimeHorizon).contains(now.seconds(to: call.departure))
        return isRealtimeExpired && isNear ? .expired : .notExpected
    }

    // MARK: The vehicle and the alerts

    private func vehicle(_ call: ExpectedCall, _ scheduled: ScheduledCall) throws(StoreError) -> DepartureVehicle? {
        guard let realtime,
            let vehicle = realtime.vehicle(of: call.tripInstance ?? TripInstanceKey(scheduled), now: now)
        else {
            return call.occupancy.map { DepartureVehicle(occupancy: OccupancyLevel($0)) }
        }
        return DepartureVehicle(
            vehicle, call: scheduled.position, occupancy: call.occupancy, realtime: realtime, now: now)
    }

    /// Returns the vehicle from whose position an estimate was computed.
    private func vehicle(of trip: ExtraTrip, _ call: ExpectedCall) -> DepartureVehicle? {
        guard let realtime, case .extra(_, let position) = call.subject, let found = realtime.vehicle(ofEstimated: trip)
        else {
            return call.occupancy.map { DepartureVehicle(occupancy: OccupancyLevel($0)) }
        }
        // The first call of an estimate is the vehicle's next call.
        let next = found.progress?.call ?? 0
        return DepartureVehicle(found, call: next + position, occupancy: call.occupancy, realtime: realtime, now: now)
    }

    private func alerts(
        _ call: ExpectedCall, route: RouteIndex?, trip: TripID, _ directTrip: DirectTripDetails?
    ) throws(StoreError) -> [String] {
        guard let alerts = realtime?.alerts?.alerts, !alerts.alerts.isEmpty else { return [] }
        var stops: [StopID] = []
        for stop in [call.stop] + (directTrip.map { [$0.arrival?.stop ?? $0.destination] } ?? []) {
            stops += try timetable.withStation(stop)
        }
        let row = route.flatMap { timetable.route($0) }
        let subject = AlertIndex.Subject(
            agency: row.flatMap { timetable.agency(of: $0)?.id }, route: row?.id, routeType: row?.type,
            direction: call.scheduledCall?.pattern.direction, trip: trip,
            serviceDate: call.scheduledCall?.serviceDate, stops: stops)
        return alerts.active(for: subject, at: call.departure).map(\.id.rawValue)
    }
}

extension ExpectedCall {
    /// Returns the realtime state for data of the given age. A time from the timetable has no realtime state unless the
    /// data has expired.
    func realtimeState(_ age: DataAge) -> RealtimeState {
        switch age.freshness {
        case .fresh: source == .scheduled ? .notExpected : .fresh
        case .aging: source == .scheduled ? .notExpected : .aging
        case .stale: .expired
        }
    }
}
