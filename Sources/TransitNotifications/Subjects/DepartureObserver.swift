package import TransitEngine
package import TransitModel
package import TransitQueries
package import TransitStore

/// Converts departures of queries to observations, with their names. It decides nothing about a departure.
///
/// The identity and the names of a departure are read once for each timetable version, because evaluating the subjects
/// of a user after each message must not read the timetable file.
package struct DepartureObserver: Sendable {
    /// The data that does not change while a timetable version is current.
    private struct Known: Sendable {
        var key: DepartureKey
        var names: DepartureNames
        var id: String
        var scheduledPlatform: String?
    }

    private var known: [MergedDeparture.ID: Known] = [:]
    /// The language of the names, as an IETF BCP 47 language tag; `nil` for the feeds' own. The names that were read are
    /// in this language, so another language needs another observer.
    private let language: String?

    /// The maximum number of departures whose names are kept.
    private static let maximumKnown = 1024

    package init(language: String? = nil) { self.language = language }

    /// Returns a departure as it is known now; `nil` if its route is not known.
    ///
    /// - Parameter arrival: The arrival at the subject's destination.
    package mutating func departure(
        _ merged: MergedDeparture, arrival: Instant? = nil
    ) throws(StoreError) -> WatchedDeparture? {
        let (call, reliability) = (merged.call, merged.reliability)
        guard let known = try known(merged) else { return nil }
        // Most vehicles call at the scheduled platform, whose name is known.
        let platform =
            call.hasPlatformChange ? try merged.timetable.cachedStop(call.stop).platform : known.scheduledPlatform
        let observation = DepartureObservation(
            departure: known.key, at: merged.feed.now, expected: call.predictedDeparture,
            uncertainty: try merged.earlyMargin, status: call.status, source: call.source,
            confidence: reliability.confidence, scheduledPlatform: known.scheduledPlatform,
            platform: call.hasReportedStop ? platform : nil, measured: call.measured, isFresh: reliability.isCurrent,
            isMissing: reliability.realtimeState == .missing)
        var departure = WatchedDeparture(observation: observation, names: known.names, id: known.id, arrival: arrival)
        departure.shown = ShownDeparture(merged)
        departure.silentSince = merged.feed.silentSince
        return departure
    }

    /// Returns the departure of a direct trip, with its destination; `nil` if its route is not known.
    package mutating func departure(_ trip: DirectTrips.Found) throws(StoreError) -> WatchedDeparture? {
        try ride(
            trip.merged, to: trip.directTrip.destination, arrival: trip.directTrip.arrival, in: trip.arrivalTimetable)
    }

    /// Returns the departure of a ride, with its destination; `nil` if its route is not known.
    ///
    /// - Parameters:
    ///   - destination: The stop where the rider gets off, in a timetable.
    ///   - arrival: The call there; `nil` if it is not known.
    package mutating func ride(
        _ merged: MergedDeparture, to destination: StopIndex, arrival: ExpectedCall?, in timetable: Timetable
    ) throws(StoreError) -> WatchedDeparture? {
        guard var departure = try departure(merged, arrival: arrival?.arrival) else { return nil }
        departure.names.destination = try TimetableNames(timetable, language: language).stopName(destination)
        guard let arrival else { return departure }
        departure.destinationPosition = try timetable.cachedStop(arrival.stop).coordinate
        if let call = arrival.scheduledCall, call.position > 0 {
            // The vehicle may have continued as another trip.
            if merged.timetable === timetable, call.trip == merged.call.scheduledCall?.trip {
                departure.shown = ShownDeparture(merged, alighting: call.position)
            }
            let before = call.pattern.times(timingGroup: call.timingGroup, call: call.position - 1).departure
            departure.departureBeforeArrival = arrival.arrival.advanced(by: -Int(call.times.arrival - before))
        }
        return departure
    }

    private mutating func known(_ merged: MergedDeparture) throws(StoreError) -> Known? {
        let identity = merged.id
        if let known = known[identity] { return known }
        guard let new = try read(merged) else { return nil }
        if known.count >= Self.maximumKnown { known.removeAll() }
        known[identity] = new
        return new
    }

    private func read(_ merged: MergedDeparture) throws(StoreError) -> Known? {
        let (call, timetable) = (merged.call, merged.timetable)
        // A trip that the timetable lacks keeps its first expected time, because the identity is read once.
        guard let key = try merged.key, let route = merged.route, let row = timetable.route(route) else { return nil }
        let names = TimetableNames(timetable, language: language)
        let cachedStop = try timetable.cachedStop(call.scheduledStop)
        var words = DepartureNames(
            route: RouteName.words(type: row.type, name: try names.displayName(of: row)),
            headsign: try names.headsign(of: call),
            stop: try names.name(of: cachedStop), zone: cachedStop.zone ?? timetable.zone(of: route))
        words.number = try Self.number(of: call, timetable)
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
