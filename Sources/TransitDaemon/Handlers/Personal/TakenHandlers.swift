internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `taken.add`, `taken.undo`, `taken.list` and `taken.import`.
struct TakenHandlers: Sendable {
    let state: StateStore
    let travel: TravelRecorder
    let notifications: NotificationService

    func takenAdd(_ parameters: TakenAddParameters, _ context: RequestContext) throws -> TakenResult {
        try takenAdd(parameters, context, then: { _ in [] })
    }

    /// - Parameter action: A further change of the caller's notifications. It is saved together with the trip, and made
    ///   only if the trip is new.
    func takenAdd(
        _ parameters: TakenAddParameters, _ context: RequestContext,
        then action: (inout NotificationEngine) -> [NotificationDecision]
    ) throws -> TakenResult {
        let query = TakenQuery(context.query)
        let taken =
            try parameters.departure.map { try query.departure($0, destination: parameters.destination) }
            ?? guessed(query, destination: parameters.destination, context)
        guard let trip = try taken.trip(logged: context.now) else {
            throw ControlError(
                .takenNotFound, "The route of this departure is not known, so it cannot be logged.",
                hint: "Try again when its feed has been updated.")
        }
        guard taken.merged.call.isRunning else {
            throw ControlError(
                .takenNotFound, "This departure is canceled.", hint: "Log the one that you took instead.")
        }
        guard trip.departed <= context.now.advanced(by: Self.maximumAhead) else {
            throw ControlError(
                .takenNotFound,
                "This departure does not leave until \(Timestamp(trip.departed, offset: trip.offset).text).",
                hint: "Log it when it has left.")
        }
        let before = try insights(context)
        let isNew = try log(trip, context, then: action)
        let badges = isNew ? try insights(context).badges(newSince: before) : []
        if isNew { travel.learn(afterChangeOf: context.caller.uid) }
        return TakenResult(
            at: context.at, trip: LoggedTrip(trip), guessed: parameters.departure == nil, changed: isNew,
            badges: badges.map { BadgeStatus($0, context.query.fixedUnits) }, units: context.query.units)
    }

    /// Logs a trip and, in the same transaction, the change of the caller's notifications: the notification of the departure is
    /// withdrawn, and the rule `getoff` follows the trip.
    ///
    /// - Returns: Whether the trip is new. If not, nothing is changed.
    private func log(
        _ trip: SavedTrip, _ context: RequestContext,
        then action: (inout NotificationEngine) -> [NotificationDecision]
    ) throws(StoreError) -> Bool {
        let uid = context.caller.uid
        var isNew = false
        let isOn: Void? = try notifications.perform(uid, context.query) { engine in
            let decisions = engine.taken(trip.departure, at: context.now)
            return ((), decisions + action(&engine))
        } writing: { (saved) throws(StoreError) in
            isNew = try state.addTrips([trip], of: uid, notifications: saved)[0]
            return isNew
        }
        if isOn == nil { isNew = try state.addTrips([trip], of: uid)[0] }
        return isNew
    }

    /// A trip can be logged this many seconds before it leaves.
    static let maximumAhead = 15 * 60

    private func insights(_ context: RequestContext) throws(StoreError) -> TravelInsights {
        TravelInsights(try state.tripLog(of: context.caller.uid).totals, context)
    }

    /// Returns the departure that the caller has just caught.
    ///
    /// - Throws: ``ErrorKind/takenNotFound`` and ``ErrorKind/takenAmbiguous``.
    private func guessed(
        _ query: TakenQuery, destination: String?, _ context: RequestContext
    ) throws -> TakenDeparture {
        let viewed = travel.recentlyViewed(by: context.caller.uid, now: context.now)
        switch try query.justCaught(viewed: viewed) {
        case .found(let taken):
            guard let destination else { return taken }
            return try query.departure(taken.merged.identifier.description, destination: destination)
        case .none:
            throw ControlError(
                .takenNotFound, "No departure is known that you may have just caught.",
                hint: "Give its id, as shown by: transitctl next --json, or transitctl departures STOP --json.")
        case .ambiguous(let candidates):
            let descriptions = try candidates.map { try Self.description($0) }
            throw ControlError(
                .takenAmbiguous,
                "You may have caught one of \(candidates.count) departures: "
                    + descriptions.map(\.words).joined(separator: "; ") + ".",
                hint: "Give one of: \(descriptions.map(\.id).joined(separator: ", ")).",
                details: [
                    "candidates": .array(
                        descriptions.map { .object(["id": .string($0.id), "name": .string($0.words)]) })
                ])
        }
    }

    private static func description(_ taken: TakenDeparture) throws(StoreError) -> (id: String, words: String) {
        let merged = taken.merged
        let time = Timestamp(merged.call.departure, in: try merged.zone).text
        let route = merged.route.flatMap { merged.timetable.route($0) }?.displayName ?? ""
        let stop = try TimetableNames(merged.timetable).stopName(merged.call.stop)
        return (try merged.identifier.description, "\(route) at \(time) from \(stop)")
    }

    func takenUndo(_ parameters: TakenUndoParameters, _ context: RequestContext) throws -> TakenResult {
        let uid = context.caller.uid
        let removed = try state.lastTrip(of: uid)
        if let removed {
            let isOn: Void? = try notifications.perform(uid, context.query) { engine in
                engine.untaken(removed.departure, at: context.now)
                return ((), [])
            } writing: { (saved) throws(StoreError) in
                try state.removeTrip(removed, of: uid, notifications: saved)
                return true
            }
            if isOn == nil { try state.removeTrip(removed, of: uid) }
            travel.learn(afterChangeOf: uid)
        }
        return TakenResult(at: context.at, trip: removed.map { LoggedTrip($0) }, changed: removed != nil)
    }

    func takenList(_ parameters: TakenListParameters, _ context: RequestContext) throws -> TakenListResult {
        let log = try state.tripLog(of: context.caller.uid)
        return try TakenListResult(log, parameters, context.query, notices: state.personalNotices(context))
    }

    func takenImport(_ parameters: TakenImportParameters, _ context: RequestContext) throws -> TakenImportResult {
        var result = TakenImportResult(at: context.at, added: 0, known: 0)
        var trips: [SavedTrip] = []
        for (index, trip) in parameters.trips.enumerated() {
            do throws(ImportProblem) { trips.append(try SavedTrip(trip, now: context.now)) } catch {
                result.rejected.append(RejectedTrip(index: index, member: error.member, message: error.message))
            }
        }
        var finder = TripDistanceFinder(context.query)
        let isGiven = trips.map { $0.meters != nil }
        for index in trips.indices where !isGiven[index] {
            guard let distance = try finder.distance(of: trips[index]) else { continue }
            trips[index].meters = distance.meters
            trips[index].isStraightLine = distance.isStraightLine
        }
        let (isNew, isRestored) = try state.importTrips(
            trips, restoring: try parameters.folded.map { (folded) throws(ControlError) in try Self.totals(folded) },
            of: context.caller.uid)
        result.restored = isRestored
        result.added = isNew.count { $0 }
        result.known = isNew.count { !$0 }
        for index in trips.indices where isNew[index] && !isGiven[index] {
            if trips[index].meters == nil {
                result.unmeasured += 1
            } else if trips[index].isStraightLine {
                result.straightLine += 1
            } else {
                result.alongTrip += 1
            }
        }
        if result.added > 0 { travel.learn(afterChangeOf: context.caller.uid) }
        return result
    }

    private static func totals(_ folded: FoldedTrips) throws(ControlError) -> (TripTotals, fingerprints: Set<Int64>) {
        var totals = TripTotals()
        for day in folded.days {
            let counts = [day.trips, day.early, day.late, day.straightLine, day.unmeasured]
            guard counts.allSatisfy({ (0...100_000).contains($0) }), (0...1_000_000_000).contains(day.distance) else {
                throw ControlError(
                    parameter: "folded.days", "has implausible counts for \(day.date).",
                    hint: "Use a file that transitctl exported.")
            }
            totals.days[day.date] = TripTotals.Day(day)
        }
        for route in folded.routes where (0...10_000_000).contains(route.trips) {
            let (key, count) = TripTotals.route(route)
            totals.routes[key] = count
        }
        return (totals, Set(folded.digests.compactMap { UInt64($0, radix: 16).map { Int64(bitPattern: $0) } }))
    }
}

// MARK: - Conversions

/// Why a trip cannot be imported.
struct ImportProblem: Error {
    var member: String
    var message: String
}

extension SavedTrip {
    /// The largest plausible distance of a trip in meters.
    private static let maximumDistance = 2_000_000
    private static let maximumName = 200

    /// Checks a trip from an import.
    init(_ trip: LoggedTrip, now: Instant) throws(ImportProblem) {
        func check(_ isValid: Bool, _ member: String, _ message: String) throws(ImportProblem) {
            if !isValid { throw ImportProblem(member: member, message: message) }
        }
        let earliest = Instant(secondsSince1970: 0)
        let latest = now.advanced(by: 86_400)
        try check(
            (earliest...latest).contains(trip.scheduled.instant), "scheduled",
            "The trip is in the future or before 1970.")
        try check(
            abs(trip.scheduled.instant.seconds(to: trip.departed.instant)) <= 86_400, "departed",
            "The departure is more than a day from its scheduled time.")
        let local = trip.scheduled.instant.secondsSince1970 + Int64(trip.scheduled.offset)
        let seconds = local - Int64(trip.serviceDate.daysSince1970) * 86_400
        try check(
            (-86_400...Int64(ServiceTime.maximum)).contains(seconds), "service_date",
            "The service date does not belong to the scheduled departure.")
        try check(
            trip.directionId.map { (0...1).contains($0) } ?? true, "direction_id", "The direction is neither 0 nor 1.")
        try check(
            trip.distance.map { (0...Self.maximumDistance).contains($0) } ?? true, "distance",
            "The distance is not between 0 and \(Self.maximumDistance) m.")
        let texts = [
            ("route", trip.route.rawValue), ("stop", trip.stop.rawValue), ("route_name", trip.routeName),
            ("stop_name", trip.stopName), ("destination", trip.destination?.rawValue ?? "-"),
            ("destination_name", trip.destinationName ?? "-"), ("commute", trip.commute ?? "-"),
        ]
        for (member, text) in texts {
            try check(!text.isEmpty, member, "The text is empty.")
            try check(
                text.unicodeScalars.count <= Self.maximumName, member,
                "The text has more than \(Self.maximumName) characters.")
        }
        self.init(
            departure: DepartureKey(
                feed: trip.feed, route: trip.route,
                direction: trip.directionId.flatMap { Direction(rawValue: UInt8(clamping: $0)) }, stop: trip.stop,
                scheduled: trip.scheduled.instant, serviceDate: trip.serviceDate),
            departed: trip.departed.instant, offset: trip.scheduled.offset, routeName: trip.routeName,
            stopName: trip.stopName, destination: trip.destination, destinationName: trip.destinationName,
            commute: trip.commute, meters: trip.distance, isStraightLine: trip.straightLine,
            logged: min(trip.logged.instant, now))
    }
}

extension TripTotals.Day {
    fileprivate init(_ day: FoldedDay) {
        self.init()
        trips = day.trips
        earlyTrips = day.early
        lateTrips = day.late
        meters = day.distance
        straightLineTrips = day.straightLine
        unmeasuredTrips = day.unmeasured
    }
}

extension TripTotals {
    fileprivate static func route(_ count: RouteCount) -> (RouteKey, Route) {
        (
            RouteKey(feed: count.feed, route: count.route, stop: count.stop, destination: count.destination),
            Route(
                trips: count.trips, last: count.last.instant, routeName: count.routeName, stopName: count.stopName,
                destinationName: count.destinationName)
        )
    }
}

extension Timestamp {
    /// The time of day, such as "08:12".
    fileprivate var text: String { String(instant.rfc3339(offset: offset).dropFirst(11).prefix(5)) }
}
