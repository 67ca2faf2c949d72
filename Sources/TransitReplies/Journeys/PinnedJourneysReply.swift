package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
package import TransitStore
internal import TransitWire

extension QueryContext {
    /// The caller's pinned journeys that are not over.
    ///
    /// - Parameter way: Returns the way that the caller takes: another one if a journey broke.
    package func pinnedJourneys(
        language: String? = nil, on way: (SavedJourney) -> SavedJourney = { $0 }
    ) throws -> PinnedJourneysResult {
        let current = personal.journeys.filter { $0.expiry >= now }
        let journeys = try current.map { try pinned($0, on: way($0), language: language) }
        let used = Set(current.flatMap { $0.legs.map(\.departure.feed) })
        return PinnedJourneysResult(
            at: Timestamp(now, in: zone), journeys: journeys,
            notices: worded(mergedNotices(about: feeds.filter { used.contains($0.id) })))
    }

    private func pinned(
        _ saved: SavedJourney, on way: SavedJourney, language: String?
    ) throws -> TransitControl.PinnedJourney {
        var summary = TransitControl.PinnedJourney(
            number: saved.number, name: name(of: saved), stage: .planned)
        do {
            let query = try PinnedJourneyQuery(way, self)
            summary.name = query.name
            let result = try query.result(self)
            try summary.show(result, self, language: language)
        } catch let error as QueryError {
            // The timetable changed, or the feed was removed.
            summary.problem = ControlError.of(error).message
        }
        return summary
    }
}

extension TransitControl.PinnedJourney {
    fileprivate mutating func show(
        _ result: TransitQueries.PinnedJourney, _ context: QueryContext, language: String?
    ) throws(StoreError) {
        let journeys = [result.journey] + [result.replacement?.journey].compactMap(\.self)
        let used = journeys.flatMap { $0.legs.map(\.departure.timetable) }
        let timetables = context.feeds.compactMap(\.timetable).filter { timetable in used.contains { $0 === timetable }
        }
        let renderer = JourneyRenderer(timetables, context, language: language)
        let journey = try renderer.journey(result.journey)
        self.journey = journey
        (stage, leg) = result.stage.wire
        problem = try result.problem.map { (problem) throws(StoreError) in
            let merged = result.journey.legs[problem.leg].departure
            let scheduled = merged.call.scheduledDeparture ?? merged.call.departure
            return problem.sentence(
                about: journey.legs[problem.leg].departure, at: try merged.zone.timeOfDay(at: scheduled))
        }
        replacement = try result.replacement.map { (replacement) throws(StoreError) in
            TransitControl.JourneyReplacement(
                kind: JourneyReplacementKind(replacement.kind), journey: try renderer.journey(replacement.journey))
        }
    }
}

extension TransitQueries.PinnedJourney.Stage {
    fileprivate var wire: (JourneyStage, leg: Int?) {
        switch self {
        case .beforeDeparture: (.planned, 0)
        case .riding(let leg): (.riding, leg)
        case .changing(let leg): (.changing, leg)
        case .arrived: (.arrived, nil)
        }
    }
}

extension TransitQueries.PinnedJourney.Break {
    /// A sentence such as "You will miss Bus 24 at 08:10 at Mill Lane."
    ///
    /// - Parameters:
    ///   - departure: The departure of the first ride that cannot be made.
    ///   - time: Its scheduled time of day.
    fileprivate func sentence(about departure: Departure, at time: String) -> String {
        let route = departure.route
        let name = RouteName.words(type: route.type, name: route.shortName ?? route.longName ?? route.id.rawValue)
        switch self {
        case .missed: return "You will miss \(name) at \(time) at \(departure.stop.name)."
        case .notRunning:
            return "\(name) at \(time) \(departure.status == .canceled ? "is canceled" : "does not serve your stops")."
        }
    }
}

extension JourneyReplacementKind {
    fileprivate init(_ kind: TransitQueries.JourneyReplacement.Kind) {
        self =
            switch kind {
            case .laterConnection: .later
            case .otherRoute: .route
            case .earlierStop: .earlierStop
            case .laterStop: .laterStop
            case .otherStart: .start
            }
    }
}
