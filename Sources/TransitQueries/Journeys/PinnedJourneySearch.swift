internal import TransitEngine
package import TransitModel
package import TransitStore

/// The searches about a pinned journey at one moment: what a rider does instead if it broke, what follows a tight change, and
/// whether it is the last one of the day. The feeds are prepared once for all of them.
package struct PinnedJourneySearch {
    private let pinned: PinnedJourney
    private let search: RequestedJourneySearch
    private let zone: ServiceZone
    private let context: QueryContext

    private var journey: Journey { pinned.journey }

    /// How much earlier a way that begins otherwise has to arrive to be better than one that begins as planned, in seconds.
    private static let worthChanging = 60
    /// How much earlier than planned a rider may set out instead, in seconds.
    private static let earlierStart = 1800
    /// A journey of the next morning that begins within this many seconds is a later one of the same night.
    private static let shortestNight = 3600
    /// The number of later journeys of which one has to begin with another vehicle.
    private static let laterJourneys = 3

    package init(_ pinned: PinnedJourney, _ request: CommuteRequest, _ context: QueryContext) throws(StoreError) {
        (self.pinned, self.context, zone) = (pinned, context, request.zone)
        search = try RequestedJourneySearch(
            request, options: pinned.saved.options, maximumChanges: JourneysQuery.usualChanges, context)
    }

    // MARK: Replacements

    /// Returns the way with the earliest arrival; `nil` if there is none, if journeys cannot be searched, and if the journey
    /// holds.
    package func replacement() throws(StoreError) -> JourneyReplacement? {
        guard let leg = pinned.problem?.leg else { return nil }
        guard leg > 0 else { return try otherStart() }
        let previous = journey.legs[leg - 1]
        var found: JourneyReplacement?
        if pinned.stage == .changing(leg) {
            found = try search.earliest(after: previous, at: context.now).flatMap { replacement($0, kept: leg) }
        } else {
            found = try search.onBoard(of: previous.departure).earliestOnBoard().flatMap {
                replacement($0, kept: leg - 1)
            }
            found?.journey.legs[0].change = previous.change
            found?.journey.legs[0].isContinuation = previous.isContinuation
        }
        guard pinned.stage == .beforeDeparture, let other = try otherStart(),
            found.map({ other.journey.arrival.advanced(by: Self.worthChanging) < $0.journey.arrival }) ?? true
        else { return found }
        return other
    }

    private func otherStart() throws(StoreError) -> JourneyReplacement? {
        let start = max(context.now, journey.leaveBy.advanced(by: -Self.earlierStart))
        return try search.earliest(from: start).map { journey in
            JourneyReplacement(
                kind: .otherStart, journey: journey, keptLegs: 0, firstNewLeg: 0,
                isTakenFrom: journey.legs[0].departure.call.departure)
        }
    }

    /// Describes how a way differs from the pinned one.
    ///
    /// - Parameter kept: The number of pinned rides before those of the way.
    private func replacement(_ way: Journey, kept: Int) -> JourneyReplacement? {
        let isOnBoard = way.legs.first.map { $0.departure.id == journey.legs[kept].departure.id } ?? false
        guard isOnBoard else {
            guard let first = way.legs.first else { return nil }
            let isSameRoute = first.departure.call.route == journey.legs[kept].departure.call.route
            return JourneyReplacement(
                kind: isSameRoute ? .laterConnection : .otherRoute, journey: way, keptLegs: kept, firstNewLeg: 0,
                isTakenFrom: first.departure.call.departure)
        }
        let (planned, new) = (journey.legs[kept].arrival, way.legs[0].arrival)
        let next = way.legs.count > 1 ? 1 : nil
        var kind = JourneyReplacement.Kind.otherRoute
        if new.scheduledStop != planned.scheduledStop {
            kind = new.arrival < planned.arrival ? .earlierStop : .laterStop
        } else if let next, kept + 1 < journey.legs.count,
            way.legs[next].departure.call.route == journey.legs[kept + 1].departure.call.route
        {
            kind = .laterConnection
        }
        let taken =
            switch kind {
            case .earlierStop: new.arrival
            case .laterStop: planned.arrival
            default: next.map { way.legs[$0].departure.call.departure } ?? new.arrival
            }
        return JourneyReplacement(kind: kind, journey: way, keptLegs: kept, firstNewLeg: next, isTakenFrom: taken)
    }

    /// Returns the connection with the earliest arrival for riders who do not reach the ride at a position, to which they
    /// change; `nil` if there is none.
    func connection(at position: Int) throws(StoreError) -> JourneyChange.Replacement? {
        let (previous, leg) = (journey.legs[position - 1], journey.legs[position])
        guard let change = leg.change else { return nil }
        let found = try search.earliest(
            after: previous, at: previous.arrival.arrival, missing: (leg.departure, change.seconds))
        return found.map { JourneyChange.Replacement(departure: $0.legs[0].departure, arrival: $0.arrival) }
    }

    // MARK: Later journeys

    /// Returns what can be taken after the pinned journey on the same day as riders understand it.
    package func later() throws(StoreError) -> LaterJourneys {
        var later = LaterJourneys(at: context.now)
        later.unsearched = search.result(at: context.now).unsearchedFeeds
        let day = RiderDay(of: journey.leaveBy, in: zone)
        guard search.isPossible else { return later }
        let next = search.windows.following(day)
        let start = journey.leaveBy.advanced(by: 1)
        guard start < day.end else { return later }
        let found = search.windows.leaving(before: day.end, from: start, beating: next, count: Self.laterJourneys)
        for way in found.journeys {
            guard let first = try search.rides(of: way)?.first?.departure else { continue }
            if !first.isSameVehicle(as: journey.legs[0].departure) { return later }
        }
        var result = search.result(at: context.now)
        result.isIncomplete = found.isIncomplete || next.isIncomplete
        guard search.emptyReason(result, dates: day.date...day.date) == nil else { return later }
        if let first = next.journeys.first, let departure = try search.rides(of: first)?.first?.departure {
            later.following = departure.call.departure
            if journey.leaveBy.seconds(to: first.leaveBy) < Self.shortestNight { return later }
        }
        later.isLast = true
        return later
    }
}

/// What can be taken after a pinned journey on the same day as riders understand it (``RiderDay``).
package struct LaterJourneys: Hashable, Sendable {
    /// When it was searched.
    package var at: Instant
    /// Whether no later journey is left. `false` if that is not known, because the search ended early or the timetable does
    /// not cover the day.
    package var isLast: Bool
    /// When the first journey after the day leaves; `nil` if none is known.
    package var following: Instant?
    /// The feeds that could not be searched, although they have departures.
    package var unsearched: [FeedID] = []

    /// Creates the value for a search that found out nothing.
    package init(at: Instant) { (self.at, isLast) = (at, false) }
}

extension Journeys {
    /// The feeds whose journeys may be missing.
    fileprivate var unsearchedFeeds: [FeedID] { omissions.filter { $0.reason != .withoutTimes }.map(\.feed) }
}

extension MergedDeparture {
    /// Whether both are departures of one vehicle's trip, maybe at different stops.
    fileprivate func isSameVehicle(as other: MergedDeparture) -> Bool {
        guard timetable === other.timetable, let own = call.scheduledCall, let other = other.call.scheduledCall else {
            return id == other.id
        }
        return own.trip == other.trip && own.serviceDate == other.serviceDate
            && own.frequency?.start == other.frequency?.start
    }
}
