package import TransitEngine
internal import TransitModel
internal import TransitStore

/// Merges the calls of one trip with the data of the agency's other feed.
///
/// A call at which riders can board is merged like a departure. At the other calls, such as the last one, the other
/// feed's trip is the one with which the departure before it was merged.
struct MergedTrip {
    private let route: PairedRoute
    private let timetable: Timetable
    /// The last departure that both feeds have.
    private var departure: MergedDeparture?

    /// Returns `nil` if the agency has no other feed or the route is not known.
    init?(of call: ExpectedCall, in timetable: Timetable, _ context: QueryContext) throws(StoreError) {
        guard let pair = try context.pair(of: timetable), let route = call.route else { return nil }
        self.route = PairedRoute(route, of: timetable, pair)
        self.timetable = timetable
    }

    /// Continues a trip after a departure that was merged before.
    init?(after departure: MergedDeparture, in timetable: Timetable, _ context: QueryContext) throws(StoreError) {
        try self.init(of: departure.call(in: timetable) ?? departure.call, in: timetable, context)
        if departure.confirmation != nil { self.departure = departure }
    }

    /// Merges the next call. The calls must be merged in the order of travel.
    mutating func merged(_ call: ExpectedCall, _ context: QueryContext) throws(StoreError) -> MergedDeparture {
        if call.isBoardable {
            let merged = try route.merged(call, context)
            if merged.confirmation != nil { departure = merged }
            return merged.belonging(to: timetable)
        }
        guard let departure, let other = departure.call(in: route.pair.other(than: timetable)),
            let later = try laterCall(of: other, as: call, context)
        else { return MergedDeparture(FeedConditions(timetable, context), call) }
        let isMain = timetable === route.pair.main
        let (first, second) = isMain ? (call, later) : (later, call)
        return MergedDeparture(
            first, second, of: route.pair.conditions(context), by: DeparturePairing.compare(first, second),
            keepingFirst: isMain)
    }

    /// Returns the later call of the other feed's trip at the stop of a call.
    func laterCall(
        of other: ExpectedCall, as call: ExpectedCall, _ context: QueryContext
    ) throws(StoreError) -> ExpectedCall? {
        let timetable = route.pair.other(than: timetable)
        let realtime = context.realtime(timetable)
        guard let stop = route.pair.stops([call.stop], of: self.timetable).first else { return nil }
        switch other.subject {
        case .scheduled(let scheduled):
            let calls = scheduled.pattern.calls
            guard
                let position = calls.indices.first(where: { $0 > scheduled.position && calls[$0].stop == stop })
            else { return nil }
            let key = other.tripInstance ?? TripInstanceKey(scheduled)
            let later = ScheduledCall(
                key, pattern: scheduled.pattern, timingGroup: scheduled.timingGroup,
                tripPosition: scheduled.tripPosition, position: position,
                zone: timetable.zone(of: scheduled.pattern.route))
            guard let realtime else { return ExpectedCall(scheduled: later) }
            return realtime.expected(later, of: key, now: context.now)
        case .extra(let trip, let position):
            guard let later = trip.calls.indices.first(where: { $0 > position && trip.calls[$0].stop == stop }) else {
                return nil
            }
            return realtime?.extraCall(
                trip: trip.name, date: trip.serviceDate, sequence: trip.calls[later].sequence ?? 0, now: context.now)
        }
    }
}

extension ExpectedCall {
    /// Whether boards list the call: riders can board, and the trip continues.
    fileprivate var isBoardable: Bool {
        switch subject {
        case .scheduled(let call): call.position + 1 < call.pattern.callCount && call.call.pickup != .none
        case .extra(let trip, let position): position + 1 < trip.calls.count
        }
    }
}

extension MergedDeparture {
    /// The vehicle that serves the departure, with the realtime data that describes it.
    package func vehicle(_ context: QueryContext) -> (vehicle: RealtimeVehicle, realtime: RealtimeDatasets)? {
        let own = call(in: timetable) ?? call
        let other = confirmation.map { ($0.call, $0.timetable) }
        for (call, timetable) in [(own, timetable), other].compactMap(\.self) {
            guard let realtime = context.realtime(timetable) else { continue }
            if let vehicle = realtime.vehicle(of: call, now: context.now) { return (vehicle, realtime) }
        }
        return nil
    }
}
