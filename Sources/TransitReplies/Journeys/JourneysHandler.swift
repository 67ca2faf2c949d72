package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

/// Handles `journeys`.
package struct JourneysHandler: QueryHandler {
    /// The number of journeys that are returned by default.
    private static let defaultCount = 5
    /// The number of journeys of a day.
    private static let maximumCount = 50

    package init() {}

    package func reply(to parameters: JourneysParameters, _ context: QueryContext) throws -> JourneysResult {
        let query = try JourneysQuery(
            from: parameters.from, to: parameters.to, at: parameters.at, isArrival: parameters.arriveBy,
            maximumChanges: parameters.changes ?? 3, context)
        let isWholeDay = query.isForDay && !query.isArrival
        let count = parameters.count ?? (isWholeDay ? Self.maximumCount : Self.defaultCount)
        let result = try query.result(count: count, context)
        let summary = context.summary(of: query.entry, in: query.commuteList)
        let rendering = JourneyRenderer(result.timetables, context, language: parameters.language)
        var notices = context.worded(context.mergedNotices(about: context.feeds(of: result)))
        notices += result.omissions.map { Notice($0) } + result.partialFeeds.map { Notice(partialFeed: $0) }
        if result.isIncomplete {
            notices.append(
                Notice(
                    kind: .partial,
                    message: "The search for journeys reached its limit and ended early. Journeys may be missing."))
        }
        if let reason = result.emptyReason { notices.append(Notice(reason, query)) }
        return JourneysResult(
            at: Timestamp(result.at, in: query.zone), from: summary.from, to: summary.to,
            journeys: try result.journeys.map { (journey) throws(StoreError) in try rendering.journey(journey) },
            notices: notices)
    }
}

extension QueryContext {
    /// The feeds on which journeys depend: those of their timetables, and those without a timetable, with which there could
    /// be more journeys.
    fileprivate func feeds(of result: Journeys) -> [FeedView] {
        feeds.filter { feed in feed.timetable == nil || result.timetables.contains { $0.feed == feed.id } }
    }
}

/// Renders journeys for the wire.
private struct JourneyRenderer {
    private let departures: MergedDepartureRenderer
    private let now: Instant

    init(_ timetables: [Timetable], _ context: QueryContext, language: String?) {
        departures = MergedDepartureRenderer(timetables, context, language: language)
        now = context.now
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
            let change = try leg.change.map { (change) throws(StoreError) in
                try self.change(change, from: journey.legs[position - 1], to: leg)
            }
            legs.append(JourneyLeg(change: change, stayOnBoard: leg.isContinuation, departure: departure))
        }
        return TransitControl.Journey(
            leaveBy: Timestamp(journey.leaveBy, in: try first.departure.zone),
            leaveIn: now.seconds(to: journey.leaveBy),
            arrival: Timestamp(journey.arrival, in: try last.arrivalZone), changes: journey.changes,
            walkBefore: journey.walkBefore, walkAfter: journey.walkAfter, legs: legs)
    }

    private func change(
        _ change: TransitQueries.JourneyChange, from previous: TransitQueries.Journey.Leg,
        to leg: TransitQueries.Journey.Leg
    ) throws(StoreError) -> TransitControl.JourneyChange {
        let (one, other) = (previous.departure.timetable, leg.departure.timetable)
        let from = try one.cachedStop(previous.arrival.stop)
        let to = try other.cachedStop(leg.departure.call.stop)
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
            route: departure.route,
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

extension Notice {
    /// The notice about a feed that takes no part in a search for journeys.
    init(_ omission: JourneyFeedOmission) {
        let feed = omission.feed
        switch omission.reason {
        case .withoutTimes:
            self.init(
                kind: .noTimetable, feed: feed,
                message: "\(feed) has no timetable, so journeys with it cannot be searched.")
        case .building:
            self.init(
                kind: .importing, feed: feed,
                message: "\(feed) is being prepared for journeys. Ask again in a moment to include it.")
        case .unavailable(let reason):
            self.init(
                kind: .failed, feed: feed, message: "Journeys with \(feed) cannot be searched: \(reason.asSentence)")
        }
    }

    fileprivate init(partialFeed feed: FeedID) {
        self.init(
            kind: .partial, feed: feed,
            message: "Only a part of \(feed) is kept on this machine, and only that part is searched for journeys.")
    }

    fileprivate init(_ reason: Journeys.EmptyReason, _ query: JourneysQuery) {
        let way = "from \(query.entry.commute.name)"
        let changes =
            switch query.maximumChanges {
            case 0: "without a change"
            case 1: "with at most 1 change"
            case let maximum: "with at most \(maximum) changes"
            }
        switch reason {
        case .notSearched: self.init(kind: .missing, message: "Journeys \(way) could not be searched.")
        case .stopped: self.init(kind: .missing, message: "The search ended before it found a journey \(way).")
        case .notCovered(let date, let feed, let dates):
            self.init(
                kind: .missing, feed: feed,
                message: "No journeys \(way) are known on \(date): the timetable of \(feed) covers "
                    + "\(dates.lowerBound) to \(dates.upperBound).")
        case .noneRuns(let date):
            self.init(kind: .noService, message: "No journey \(changes) begins \(way) through \(date).")
        case .noneArrives(let time):
            self.init(
                kind: .noService,
                message: "No journey \(changes) \(way) that begins from now on arrives by "
                    + "\(query.zone.timeOfDay(at: time)) on \(query.zone.civil(at: time).date).")
        }
    }
}
