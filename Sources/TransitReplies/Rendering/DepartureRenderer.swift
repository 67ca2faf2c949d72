internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// Converts departures of a feed to departures on the wire: adds names, time zones and the vehicle.
///
/// This is a class because one is chosen for each departure of a reply.
final class DepartureRenderer {
    let timetable: Timetable
    private let realtime: RealtimeDatasets?
    private let now: Instant
    private let names: NameRenderer

    init(_ timetable: Timetable, _ context: QueryContext, language: String?) {
        self.timetable = timetable
        realtime = context.realtime(timetable).flatMap { $0.isEmpty ? nil : $0 }
        now = context.now
        names = NameRenderer(timetable, language: language)
    }

    /// The fields that a direct trip adds to a departure.
    struct DirectTripDetails {
        var destination: StopIndex
        /// `nil` if the arrival time is not known.
        var arrival: ExpectedCall?
        /// `nil` if the trip ends at the stop itself.
        var walkAfter: Int?
    }

    /// What a departure's trip adds, which is in the timetable or only in the realtime data.
    private struct TripFields {
        var id: TripID
        var shortName: String?
        var headsign: String?
        var isApproximate = false
        var pickup = Boarding.regular
        var headway: Headway?
        var accessibility = TripAccessibility()
    }

    private func tripFields(_ call: ExpectedCall) throws(StoreError) -> TripFields {
        switch call.subject {
        case .scheduled(let scheduled):
            let trip = try timetable.cachedTrip(scheduled.trip)
            return TripFields(
                id: trip.id, shortName: trip.shortName, headsign: try names.names.headsign(of: scheduled, trip),
                isApproximate: scheduled.isApproximate,
                pickup: Boarding(scheduled.pattern.pickup(at: scheduled.position)),
                headway: scheduled.frequency.map { Headway(seconds: Int($0.row.headway), exact: $0.row.isExact) },
                accessibility: TripAccessibility(trip.trip))
        case .extra(let trip, _):
            let way = try (trip.variantTrip ?? trip.replaced?.trip).map { (way) throws(StoreError) in
                try timetable.file.trip(way)
            }
            return TripFields(
                id: trip.name, shortName: trip.shortName, headsign: try names.names.headsign(of: trip),
                accessibility: way.map { TripAccessibility($0) } ?? TripAccessibility())
        }
    }

    /// - Parameters:
    ///   - direction: The direction for the caller: "work", "home", or another of the caller's places.
    ///   - walk: The walk to the stop in seconds; `nil` if it is not known.
    ///   - directTrip: The fields that a direct trip adds.
    func departure(
        _ merged: MergedDeparture, direction: String? = nil, walk: Int? = nil, directTrip: DirectTripDetails? = nil
    ) throws(StoreError) -> Departure {
        let call = merged.call
        let route = call.route
        let reliability = merged.reliability
        let prediction = try merged.prediction
        let trip = try tripFields(call)
        let stop = try timetable.cachedStop(call.stop)
        let zone = zone(of: stop, route: route)
        // The vehicle's own data takes precedence over the timetable (GTFS-Realtime reference, VehicleDescriptor).
        let vehicle = realtime?.vehicle(of: call, now: now)
        let accessibility = trip.accessibility.served(by: vehicle?.position.vehicle)
        let (destination, scheduledDestination) = try names.names.destination(of: call, headsign: trip.headsign)
        let leaveBy = merged.leaveBy(walk: walk ?? 0, prediction)
        return Departure(
            id: DepartureID(call, ofTrip: trip.id, timetable.feed).description, feed: timetable.feed, trip: trip.id,
            tripShortName: trip.shortName, serviceDate: call.serviceDate,
            route: try route.map { (route) throws(StoreError) in try names.route(route) }
                ?? RouteSummary(id: "", type: Self.unknownType),
            headsign: destination, scheduledHeadsign: scheduledDestination, direction: direction,
            directionId: call.direction.map { Int($0.rawValue) }, stop: try names.callStop(stop),
            scheduledStop: try scheduledStop(call), scheduled: call.scheduledDeparture.map { Timestamp($0, in: zone) },
            expected: call.shownDeparture.map { Timestamp($0, in: zone) }, delay: call.delay,
            uncertainty: call.uncertainty.map { Int($0) } ?? Self.uncertainty(of: call, prediction),
            status: DepartureStatus(call.status), source: DepartureSource(call.source),
            confidence: Confidence(reliability.confidence),
            realtimeState: RealtimeState(reliability.realtimeState),
            // A notification can show what was known a moment ago.
            age: reliability.age.map { $0 + merged.feed.now.seconds(to: now) }, isApproximate: trip.isApproximate,
            pickup: trip.pickup, headway: trip.headway,
            wheelchair: AccessibilityLevel(accessibility.wheelchair),
            bikes: AccessibilityLevel(accessibility.bikes), walk: walk,
            leaveBy: walk == nil ? nil : Timestamp(leaveBy, in: zone), leaveIn: now.seconds(to: leaveBy),
            vehicle: self.vehicle(vehicle, of: call),
            alerts: try alerts(call, trip: trip.id, directTrip), remark: call.remark?.text(in: names.language),
            arrival: try directTrip.map { (directTrip) throws(StoreError) in
                try arrival(directTrip, route: route)
            }, usual: prediction.map { UsualDelay($0) })
    }

    /// The possible error of the expected time in seconds, as earlier days show it.
    private static func uncertainty(of call: ExpectedCall, _ prediction: DelayPrediction?) -> Int? {
        guard let prediction, let delay = call.delay else { return nil }
        return prediction.uncertainty(ofDelay: delay)
    }

    /// Adds what the agency's other feed says about a departure.
    func add(_ confirmation: MergedDeparture.DepartureConfirmation, to departure: inout Departure) throws(StoreError) {
        let call = confirmation.call
        let zone = zone(of: try timetable.cachedStop(call.stop), route: call.route)
        departure.confirmedBy = ConfirmingDeparture(
            feed: timetable.feed, departure: "\(try MergedDeparture(confirmation.feed, call).identifier)",
            expected: (call.shownDeparture ?? call.scheduledDeparture).map { Timestamp($0, in: zone) },
            source: DepartureSource(call.source), status: DepartureStatus(call.status),
            difference: confirmation.difference, agrees: confirmation.isAgreed, isUsed: confirmation.isUsed)
        let destination = try names.names.destination(of: call, headsign: names.names.headsign(of: call))
        if confirmation.isUsed, destination.scheduled != nil {
            departure.scheduledHeadsign = departure.headsign
            departure.headsign = destination.name
        }
        // Both feeds report the same vehicle.
        departure.vehicle = departure.vehicle ?? vehicle(realtime?.vehicle(of: call, now: now), of: call)
    }

    /// The `route_type` of a trip whose route is not known: bus, because most unplanned trips are bus trips.
    private static let unknownType = 3

    private func zone(of stop: Timetable.CachedStop, route: RouteIndex?) -> ServiceZone {
        stop.zone ?? route.map { timetable.zone(of: $0) } ?? timetable.zone
    }

    private func arrival(_ directTrip: DirectTripDetails, route: RouteIndex?) throws(StoreError) -> Arrival {
        guard let call = directTrip.arrival else {
            return Arrival(
                stop: try names.callStop(directTrip.destination), scheduled: nil, walk: directTrip.walkAfter,
                dropOff: .regular)
        }
        let stop = try timetable.cachedStop(call.stop)
        let zone = zone(of: stop, route: route)
        return Arrival(
            stop: try names.callStop(stop), scheduled: call.scheduledArrival.map { Timestamp($0, in: zone) },
            expected: call.shownArrival.map { Timestamp($0, in: zone) }, delay: call.arrivalDelay,
            uncertainty: call.uncertainty.map { Int($0) }, status: DepartureStatus(call.status),
            scheduledStop: try scheduledStop(call), walk: directTrip.walkAfter,
            dropOff: Boarding(call.scheduledCall?.call.dropOff ?? .regular))
    }

    /// Returns the stop in the timetable if the vehicle calls at another one.
    private func scheduledStop(_ call: ExpectedCall) throws(StoreError) -> CallStop? {
        guard call.hasPlatformChange, let scheduled = call.scheduledCall else { return nil }
        return try names.callStop(scheduled.call.stop)
    }

    // MARK: The vehicle and the alerts

    /// - Parameter vehicle: The vehicle that serves the call or from whose position it was estimated; `nil` if unknown.
    private func vehicle(_ vehicle: RealtimeVehicle?, of call: ExpectedCall) -> DepartureVehicle? {
        guard let realtime, let vehicle else {
            return call.occupancy.map { DepartureVehicle(occupancy: OccupancyLevel($0)) }
        }
        let position =
            switch call.subject {
            case .scheduled(let scheduled): scheduled.position
            // The first call of an estimate is the vehicle's next call.
            case .extra(_, let position): (vehicle.progress?.call ?? 0) + position
            }
        return DepartureVehicle(vehicle, call: position, occupancy: call.occupancy, realtime: realtime, now: now)
    }

    /// Returns the identifiers of the alerts that affect a departure.
    func alerts(
        _ call: ExpectedCall, trip: TripID, _ directTrip: DirectTripDetails? = nil
    ) throws(StoreError) -> [String] {
        guard let alerts = realtime?.alerts?.alerts, !alerts.alerts.isEmpty else { return [] }
        var stops: [StopID] = []
        for stop in [call.stop] + (directTrip.map { [$0.arrival?.stop ?? $0.destination] } ?? []) {
            stops += try timetable.withStation(stop)
        }
        let row = call.route.flatMap { timetable.route($0) }
        let subject = AlertIndex.Subject(
            agency: row.flatMap { timetable.agency(of: $0)?.id }, route: row?.id, routeType: row?.type,
            direction: call.scheduledCall?.pattern.direction, trip: trip,
            serviceDate: call.scheduledCall?.serviceDate, stops: stops)
        return alerts.active(for: subject, at: call.departure).map(\.id.rawValue)
    }
}
