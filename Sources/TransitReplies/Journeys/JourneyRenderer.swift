internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitWire

/// Renders journeys for the wire.
struct JourneyRenderer {
    private let departures: MergedDepartureRenderer
    private let now: Instant
    private let walkingSpeed: WalkingSpeed
    /// Whether each leg explains the change before it.
    private let explains: Bool

    init(_ timetables: [Timetable], _ context: QueryContext, language: String?, explains: Bool = false) {
        departures = MergedDepartureRenderer(timetables, context, language: language)
        (now, walkingSpeed, self.explains) = (context.now, context.settings.walkingSpeed, explains)
    }

    func journeys(_ journeys: [TransitQueries.Journey]) throws(StoreError) -> [TransitControl.Journey] {
        try journeys.map { (journey) throws(StoreError) in try self.journey(journey) }
    }

    func journey(_ journey: TransitQueries.Journey) throws(StoreError) -> TransitControl.Journey {
        let (first, last) = (journey.legs[0], journey.legs[journey.legs.count - 1])
        var legs: [JourneyLeg] = []
        for (position, leg) in journey.legs.enumerated() {
            let isLast = position == journey.legs.count - 1
            let departure = try departures.departure(
                leg.departure, walk: position == 0 ? journey.walkBefore : nil,
                directTrip: DepartureRenderer.DirectTripDetails(
                    destination: leg.arrival.stop, arrival: leg.arrival, walkAfter: isLast ? journey.walkAfter : nil))
            let explained = position > 0 ? ExplainedChange(from: journey.legs[position - 1], to: leg) : nil
            let change = try explained.flatMap { (explained) throws(StoreError) in try self.change(explained) }
            let alternatives = try leg.alternatives.map { (other) throws(StoreError) in
                let departure = try departures.departure(other)
                return LegAlternative(
                    id: departure.id, route: departure.route,
                    departure: Timestamp(other.call.departure, in: try other.zone))
            }
            legs.append(
                JourneyLeg(
                    change: change, stayOnBoard: leg.isContinuation, departure: departure, alternatives: alternatives,
                    explanation: explains ? try explained.map(explanation) ?? [] : []))
        }
        return TransitControl.Journey(
            leaveBy: Timestamp(journey.leaveBy, in: try first.departure.zone),
            leaveIn: now.seconds(to: journey.leaveBy),
            arrival: Timestamp(journey.arrival, in: try last.arrivalZone), changes: journey.changes,
            walkBefore: journey.walkBefore, walkAfter: journey.walkAfter, legs: legs)
    }

    func explanation(of explained: ExplainedChange) throws(StoreError) -> [ExplainedFact] {
        try ChangeExplanation(explained: explained, speed: walkingSpeed).facts()
    }

    /// Returns a change; `nil` if riders stay on board.
    func change(_ explained: ExplainedChange) throws(StoreError) -> TransitControl.JourneyChange? {
        guard let change = explained.change else { return nil }
        let (one, other) = (explained.previous.timetable, explained.departure.timetable)
        let from = try one.cachedStop(explained.arrival.stop)
        let to = try other.cachedStop(explained.departure.call.stop)
        let isSame = one === other && from.index == to.index
        let distance = isSame ? 0 : from.coordinate.flatMap { from in to.coordinate.map { from.distance(to: $0) } }
        return TransitControl.JourneyChange(
            fromStop: try departures.names(one).callStop(from), toStop: try departures.names(other).callStop(to),
            walk: change.seconds, distance: distance.map { Int($0.rounded()) }, inHand: change.inHand,
            judgment: ChangeJudgment(change.judgment), isTimed: change.isTimed,
            ifMissed: try change.replacement.map { (replacement) throws(StoreError) in try next(replacement) })
    }

    private func next(
        _ replacement: TransitQueries.JourneyChange.Replacement
    ) throws(StoreError) -> NextConnection {
        let departure = try departures.departure(replacement.departure)
        return NextConnection(
            id: departure.id, route: departure.route,
            departure: Timestamp(replacement.departure.call.departure, in: try replacement.departure.zone),
            arrival: Timestamp(replacement.arrival, in: try replacement.departure.zone))
    }
}

extension TransitQueries.Journey.Leg {
    /// The zone of the times at the stop of the arrival.
    fileprivate var arrivalZone: ServiceZone {
        get throws(StoreError) {
            try departure.timetable.cachedStop(arrival.stop).zone ?? departure.serviceZone
        }
    }
}

extension ChangeJudgment {
    init(_ judgment: TransitQueries.JourneyChange.Judgment) {
        switch judgment {
        case .safe: self = .safe
        case .tight: self = .tight
        case .missed: self = .missed
        }
    }
}
