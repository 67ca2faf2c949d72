internal import TransitEngine
package import TransitModel
package import TransitQueries
package import TransitStore

/// Converts departures of queries to observations, with their names.
///
/// The identity and the names of a departure are read once for each timetable version, because evaluating the subjects
/// of a user after each message must not read the timetable file.
package struct DepartureObserver: Sendable {
    /// A departure of one timetable version.
    private enum Identity: Hashable, Sendable {
        case scheduled(FeedID, TripInstanceKey, position: Int)
        case extra(FeedID, EntityID, position: Int)
    }

    /// What does not change while a timetable version is current.
    private struct Known: Sendable {
        var key: DepartureKey
        var names: DepartureNames
        var id: String
        var scheduledPlatform: String?
    }

    private var known: [Identity: Known] = [:]

    /// The maximum number of departures whose names are kept.
    private static let maximumKnown = 1024

    package init() {}

    /// Returns a departure as it is known now; `nil` if its route is not known.
    ///
    /// - Parameter arrival: The arrival at the subject's destination.
    package mutating func departure(
        _ merged: MergedDeparture, arrival: Instant? = nil, at now: Instant
    ) throws(StoreError) -> WatchedDeparture? {
        let (call, timetable) = (merged.call, merged.timetable)
        guard let known = try known(merged) else { return nil }
        var platform: String?
        if call.hasPlatformChange {
            platform = try timetable.cachedStop(call.stop).platform
        } else if call.measured != nil {
            platform = known.scheduledPlatform
        }
        let isUsable = call.age.map { $0.freshness != .stale } ?? false
        let observation = DepartureObservation(
            departure: known.key, at: now, expected: call.source == .scheduled ? nil : call.expectedDeparture,
            uncertainty: call.uncertainty.map { Int($0) }, status: call.status, source: call.source,
            confidence: call.confidence, scheduledPlatform: known.scheduledPlatform, platform: platform,
            measured: call.measured,
            isFresh: call.isMissingFromRealtime || isUsable && !call.isLastKnown && !call.isOutdatedInRealtime,
            isMissing: call.isMissingFromRealtime)
        return WatchedDeparture(observation: observation, names: known.names, id: known.id, arrival: arrival)
    }

    /// Returns the departure of a direct trip, with its destination; `nil` if its route is not known.
    package mutating func departure(
        _ trip: DirectTrips.Found, at now: Instant
    ) throws(StoreError) -> WatchedDeparture? {
        guard var departure = try departure(trip.merged, arrival: trip.journey.arrival?.arrival, at: now) else {
            return nil
        }
        // The destination is in the trip's own timetable, which may be the other one of a merged pair.
        if trip.journey.arrival == nil || trip.merged.confirmation == nil {
            departure.names.destination = try TimetableNames(trip.merged.timetable).stopName(trip.journey.destination)
        }
        if let arrival = trip.journey.arrival {
            departure.destinationPosition = try trip.arrivalTimetable.cachedStop(arrival.stop).coordinate
        }
        if let arrival = trip.journey.arrival, let call = arrival.scheduledCall, call.position > 0 {
            let before = call.pattern.times(timingGroup: call.timingGroup, call: call.position - 1).departure
            departure.departureBeforeArrival = arrival.arrival.advanced(by: -Int(call.times.arrival - before))
        }
        return departure
    }

    private mutating func known(_ merged: MergedDeparture) throws(StoreError) -> Known? {
        let (call, timetable) = (merged.call, merged.timetable)
        let identity: Identity
        switch call.subject {
        case .scheduled(let scheduled):
            identity = .scheduled(
                timetable.feed, call.tripInstance ?? TripInstanceKey(scheduled), position: scheduled.position)
        case .extra(let trip, let position): identity = .extra(timetable.feed, trip.entity, position: position)
        }
        if let known = known[identity] { return known }
        guard let new = try Self.read(merged) else { return nil }
        if known.count >= Self.maximumKnown { known.removeAll() }
        known[identity] = new
        return new
    }

    private static func read(_ merged: MergedDeparture) throws(StoreError) -> Known? {
        let (call, timetable) = (merged.call, merged.timetable)
        // A trip that the timetable lacks keeps its first expected time, because the identity is read once.
        guard let key = try merged.key, let route = merged.route, let row = timetable.route(route) else { return nil }
        let stop =
            switch call.subject {
            case .scheduled(let scheduled): scheduled.call.stop
            case .extra(let trip, let position): trip.calls[position].stop
            }
        let (names, cachedStop) = (TimetableNames(timetable), try timetable.cachedStop(stop))
        var words = DepartureNames(
            route: RouteName.words(type: row.type, name: row.displayName), headsign: try names.headsign(of: call),
            stop: try names.name(of: cachedStop), zone: cachedStop.zone ?? timetable.zone(of: route))
        words.number = try number(of: call, timetable)
        return Known(
            key: key, names: words, id: "\(try merged.identifier)", scheduledPlatform: cachedStop.platform)
    }

    private static func number(of call: ExpectedCall, _ timetable: Timetable) throws(StoreError) -> String? {
        switch call.subject {
        case .scheduled(let scheduled):
            guard let name = try timetable.file.trip(scheduled.trip).shortName else { return nil }
            return try timetable.text(name)
        case .extra(let trip, _): return trip.shortName
        }
    }
}
