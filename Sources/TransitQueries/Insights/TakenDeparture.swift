internal import TransitEngine
package import TransitModel
package import TransitStore

/// A departure that a user took or may take, with the stop where the user alights.
package struct TakenDeparture: Sendable {
    package var merged: MergedDeparture
    /// `nil` if unknown.
    package var destination: StopIndex?
    /// The position of the call at ``destination`` in the pattern; `nil` if unknown.
    package var alighting: Int?
    /// `nil` if the departure serves none of the user's commutes.
    package var commute: String?
}

extension TakenDeparture {
    /// A direct trip of a commute.
    package init(_ found: DirectTrips.Found, of commute: String) {
        self.init(
            merged: found.merged, destination: found.directTrip.destination,
            alighting: found.directTrip.arrival?.scheduledCall?.position, commute: commute)
    }

    /// Returns the trip for the user's log.
    package func trip(logged: Instant) throws(StoreError) -> SavedTrip? {
        guard let key = try merged.key else { return nil }
        let (timetable, call) = (merged.timetable, merged.call)
        let names = TimetableNames(timetable, language: nil)
        let stop = try timetable.cachedStop(call.stop)
        let zone = try merged.zone
        let distance = try distance
        let destination = try self.destination.map { (index) throws(StoreError) in try timetable.cachedStop(index) }
        return SavedTrip(
            departure: key, departed: call.departure, offset: zone.offset(at: key.scheduled),
            routeName: merged.route.flatMap { timetable.route($0) }?.displayName ?? key.route.rawValue,
            stopName: try names.name(of: stop), destination: destination?.id,
            destinationName: try destination.map { (stop) throws(StoreError) in try names.name(of: stop) },
            commute: commute, meters: distance?.meters, isStraightLine: distance?.isStraightLine ?? false,
            logged: logged)
    }

    /// The distance from the departure to the destination; `nil` if it is unknown.
    private var distance: TripDistance? {
        get throws(StoreError) {
            let timetable = merged.timetable
            guard let destination else { return nil }
            guard let scheduled = merged.call.scheduledCall, let alighting else {
                let ends = [
                    try timetable.cachedStop(merged.call.stop).coordinate,
                    try timetable.cachedStop(destination).coordinate,
                ]
                return TripDistance(shape: [], stops: ends, from: 0, to: 1)
            }
            var stops: [Coordinate?] = []
            for call in scheduled.pattern.calls { stops.append(try timetable.cachedStop(call.stop).coordinate) }
            let shape = try timetable.file.trip(scheduled.trip).shape
            let points = try shape.map { (shape) throws(StoreError) in try timetable.file.shape(shape).points } ?? []
            return TripDistance(shape: points, stops: stops, from: scheduled.position, to: alighting)
        }
    }
}

/// Finds the departure that a user took: one that the user names, or the one that the user has just caught.
package struct TakenQuery {
    private let context: QueryContext

    /// The maximum number of commutes and usual departures that are searched, and of departures of each.
    private static let maximumCommutes = 20
    private static let maximumDepartures = 60
    /// A search for departures begins this many seconds earlier, because a commute lists only departures that can be
    /// reached by a walk that begins then.
    private static let maximumWalk = 45 * 60

    package init(_ context: QueryContext) { self.context = context }

    /// Returns the departure with an identifier, with the commute that it serves.
    ///
    /// - Parameter destination: The stop where the user alights; `nil` for the end of the commute.
    /// - Throws: The errors of ``ExplainQuery`` and ``StopFinder``; ``QueryError/stopNotFound(_:similar:partialFeeds:)`` if the trip
    ///   does not call at the destination after the departure.
    package func departure(_ text: String, destination: String?) throws -> TakenDeparture {
        let merged = try ExplainQuery(text, context).result(context).merged
        return try completed(merged, destination: destination)
    }

    /// Adds the destination to a departure, and the commute that it serves.
    private func completed(_ merged: MergedDeparture, destination: String?) throws -> TakenDeparture {
        let identifier = try merged.identifier
        let start = min(merged.call.scheduledDeparture ?? merged.call.departure, merged.call.departure)
        let served = try departures(from: start.advanced(by: -60)).first {
            try $0.merged.identifier == identifier
        }
        guard let destination else { return served ?? TakenDeparture(merged: merged) }
        let found = try StopFinder([merged.timetable], context).find(destination)
        let stops = Set(try found.callingStops())
        var taken = TakenDeparture(merged: merged, commute: served?.commute)
        switch merged.call.subject {
        case .scheduled(let scheduled):
            taken.alighting = scheduled.pattern.calls.indices.first {
                $0 > scheduled.position && stops.contains(scheduled.pattern.calls[$0].stop)
            }
            taken.destination = taken.alighting.map { scheduled.pattern.calls[$0].stop }
        case .extra(let trip, let position):
            taken.destination = trip.calls[(position + 1)...].first { stops.contains($0.stop) }?.stop
        }
        guard taken.destination != nil else { throw QueryError.stopNotFound(destination, similar: []) }
        return taken
    }

    /// Returns the departures that serve the user's commutes, in no particular order. A commute that cannot be queried
    /// has none.
    private func departures(from time: Instant) throws -> [TakenDeparture] {
        let start = time.advanced(by: -Self.maximumWalk).rfc3339()
        var departures: [TakenDeparture] = []
        for entry in context.commuteList.entries.prefix(Self.maximumCommutes) {
            let name = entry.commute.name
            guard
                let query = try QueryError.unlessThrown({
                    try DirectTripsQuery(commute: name, at: start, context)
                })
            else { continue }
            let found = try query.result(count: Self.maximumDepartures, context).directTrips
            departures += found.map { TakenDeparture($0, of: name) }
        }
        return departures
    }

    // MARK: The departure that the user has just caught

    /// A departure that was shown to the user.
    package struct Viewed: Hashable, Sendable {
        package var departure: String
        /// `nil` for a departure of a board.
        package var commute: String?

        package init(departure: String, commute: String?) {
            self.departure = departure
            self.commute = commute
        }
    }

    /// The result of a guess.
    package enum Guess {
        case found(TakenDeparture)
        case ambiguous([TakenDeparture])
        case none
    }

    /// Guesses the departure that the user has just caught.
    ///
    /// - Parameter viewed: The departures that were shown to the user within the last minutes.
    package func justCaught(viewed: [Viewed]) throws -> Guess {
        var found: [String: TakenDeparture] = [:]
        var candidates: [TripGuess.Candidate] = []
        func add(_ taken: TakenDeparture, _ reason: TripGuess.Candidate.Reason) throws {
            let id = try taken.merged.identifier.description
            // A departure of a commute has a destination.
            if found[id].map({ $0.destination == nil }) ?? true { found[id] = taken }
            candidates.append(
                TripGuess.Candidate(
                    id: id, departure: taken.merged.call.departure, isRunning: taken.merged.call.isRunning,
                    reason: reason))
        }
        let current = try? context.commuteList.chosen(
            at: context.now, zone: context.zone, returnHour: context.settings.returnHour
        ).commute.name
        let ofCommutes = try departures(from: context.now.advanced(by: -TripGuess.after))
        for taken in ofCommutes {
            try add(taken, taken.commute == current ? .currentCommute : .commute)
            if let key = try taken.merged.key, isUsual(key, of: taken.merged) { try add(taken, .usual) }
        }
        for one in viewed {
            let known = found[one.departure]
            let taken = known ?? (try? self.departure(one.departure, destination: nil))
            if let taken { try add(taken, one.commute == nil ? .viewed : .viewedCommute) }
        }
        for merged in try usualDepartures() {
            try add(try found[merged.identifier.description] ?? completed(merged, destination: nil), .usual)
        }
        let taken: (TripGuess.Candidate) -> TakenDeparture? = { found[$0.id] }
        switch TripGuess.choose(candidates, now: context.now) {
        case .none: return .none
        case .found(let candidate): return taken(candidate).map { .found($0) } ?? .none
        case .ambiguous(let candidates): return .ambiguous(candidates.compactMap(taken))
        }
    }

    private func isUsual(_ key: DepartureKey, of merged: MergedDeparture) -> Bool {
        context.personal.usualDepartures.contains {
            $0.isSame(as: key, zone: merged.serviceZone) && $0.isMeant(on: key.serviceDate)
        }
    }

    /// Returns the departures at the stops of usual departures that are usual ones and may have just left.
    private func usualDepartures() throws -> [MergedDeparture] {
        var departures: [MergedDeparture] = []
        let start = context.now.advanced(by: -TripGuess.after)
        var stops: Set<QualifiedStop> = []
        for usual in context.personal.usualDepartures.prefix(StateStore.maximumPinned) {
            let stop = QualifiedStop(feed: usual.feed, stop: usual.stop)
            guard stops.count < Self.maximumCommutes, stops.insert(stop).inserted,
                let query = try QueryError.unlessThrown({
                    try BoardQuery(stop: stop.description, route: nil, feed: nil, at: start.rfc3339(), context)
                })
            else { continue }
            for merged in try query.result(count: Self.maximumDepartures, context).departures {
                if let key = try merged.key, isUsual(key, of: merged) { departures.append(merged) }
            }
        }
        return departures
    }
}
