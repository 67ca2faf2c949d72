package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitStore

/// Handles `trip.show`.
package struct TripShowHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: TripShowParameters, _ context: QueryContext) throws -> TripShowResult {
        let query = try TripQuery(parameters.trip, date: parameters.date, feed: parameters.feed, context)
        let result = try query.result(context)
        let timetable = query.timetable
        let names = NameRenderer(timetable, language: parameters.language)
        let rendering = DepartureRenderer(timetable, context, language: parameters.language)
        let summary = result.summary
        let departure = summary?.departure
        let (call, reliability) = (departure?.call, departure?.reliability)
        return TripShowResult(
            at: context.at, feed: timetable.feed, trip: try TripSummary(query, result, names),
            route: try names.route(query.place.pattern.route), serviceDate: result.date,
            runs: query.service?.runs(on: result.date) ?? false,
            status: summary.map { DepartureStatus($0.status) } ?? .scheduled,
            source: call.map { DepartureSource($0.source) } ?? .scheduled,
            confidence: call?.age == nil ? nil : reliability.map { Confidence($0.confidence) },
            realtimeState: reliability.map { RealtimeState($0.realtimeState) } ?? .notExpected,
            age: call?.age?.seconds,
            vehicle: summary.flatMap { DepartureVehicle($0, now: context.now) },
            alerts: try result.merged.first.map { (first) throws(StoreError) in
                try rendering.alerts(first.call, trip: query.trip.id)
            } ?? [],
            headway: query.frequency.map { Headway(seconds: Int($0.headway), exact: $0.isExact) },
            calls: try TripCall.all(of: result.calls, query, names),
            notices: context.worded(context.notices(about: [timetable]))
                + Notice.coverage(of: timetable, on: result.date))
    }
}

extension DepartureVehicle {
    fileprivate init?(_ summary: TripResult.Summary, now: Instant) {
        guard let (vehicle, realtime) = summary.vehicle else { return nil }
        self.init(
            vehicle, call: vehicle.progress?.call ?? 0, occupancy: summary.departure.call.occupancy, realtime: realtime,
            now: now)
    }
}

extension TripSummary {
    fileprivate init(_ query: TripQuery, _ result: TripResult, _ names: NameRenderer) throws(StoreError) {
        let (trip, pattern) = (query.trip, query.place.pattern)
        let headsign = try names.names.headsign(of: trip, pattern: pattern)
        let terminus = try result.calls.first { $0.endsHere }.map { (call) throws(StoreError) in
            try names.names.stopName(call.stop)
        }
        let isShortened = terminus != nil && terminus != headsign
        self.init(
            id: trip.id, shortName: try query.timetable.text(trip.shortName),
            headsign: isShortened ? terminus : headsign, scheduledHeadsign: isShortened ? headsign : nil,
            block: try query.timetable.text(trip.block), service: query.service?.id ?? "",
            wheelchair: AccessibilityLevel(trip.wheelchair), bikes: AccessibilityLevel(trip.bikes),
            directionId: pattern.direction.map { Int($0.rawValue) })
    }
}

extension TripCall {
    fileprivate static func all(
        of expected: [ExpectedCall], _ query: TripQuery, _ names: NameRenderer
    ) throws(StoreError) -> [TripCall] {
        var calls: [TripCall] = []
        for (position, expected) in expected.enumerated() {
            let (call, times) = (query.place.pattern.calls[position], query.timingGroup.times[position])
            let zone = try query.timetable.cachedStop(expected.stop).zone ?? query.zone
            calls.append(
                TripCall(
                    sequence: Int(call.sequence), stop: try names.callStop(expected.stop),
                    arrival: expected.scheduledArrival.map { Timestamp($0, in: zone) },
                    departure: expected.scheduledDeparture.map { Timestamp($0, in: zone) },
                    expectedArrival: expected.expectedArrival.map { Timestamp($0, in: zone) },
                    expectedDeparture: expected.expectedDeparture.map { Timestamp($0, in: zone) },
                    delay: expected.delay ?? expected.arrivalDelay,
                    uncertainty: expected.uncertainty.map { Int($0) }, status: DepartureStatus(expected.status),
                    source: DepartureSource(expected.source),
                    scheduledStop: expected.hasPlatformChange ? try names.callStop(call.stop) : nil,
                    isApproximate: !times.isExact, pickup: Boarding(call.pickup), dropOff: Boarding(call.dropOff),
                    headsign: try query.timetable.text(call.headsign)))
        }
        return calls
    }
}

extension Timetable {
    fileprivate func text(_ index: TextIndex?) throws(StoreError) -> String? {
        try index.map { (index) throws(StoreError) in try text(index) }
    }
}
