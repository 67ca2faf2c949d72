package import TransitControl
internal import TransitEngine
package import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

/// The reply of `explain`.
package struct ExplainReply {
    private let parameters: ExplainParameters
    private let format: (DatasetID) throws -> String
    private let record: (DatasetID) -> DatasetRecord?

    /// - Parameters:
    ///   - format: Returns the format of a realtime dataset, such as "GTFS-Realtime".
    ///   - record: Returns the fetch record of a realtime dataset.
    package init(
        _ parameters: ExplainParameters, format: @escaping (DatasetID) throws -> String,
        record: @escaping (DatasetID) -> DatasetRecord?
    ) {
        self.parameters = parameters
        self.format = format
        self.record = record
    }

    package func result(_ context: QueryContext) throws -> ExplainResult {
        let query = try ExplainQuery(parameters.departure, context)
        let explained = try query.result(context)
        let rendering = MergedDepartureRenderer(
            [explained.merged.timetable], context, language: parameters.language)
        let walk = try explained.merged.walk(context)
        let departure = try rendering.departure(explained.merged, walk: walk?.walk.seconds)
        let explanation = DepartureExplanation(
            explained: explained, departure: departure,
            walk: walk.map { WalkFacts(walk: $0.walk, place: $0.place, units: context.fixedUnits ?? .metric) },
            format: { try format(Self.dataset($0)) }, record: { record(Self.dataset($0)) })
        var result = ExplainResult(
            at: context.at, departure: departure, facts: try explanation.facts(),
            notices: context.worded(query.feed.notices(at: context.now)))
        if let ride = parameters.after { try explain(query, after: ride, in: &result, context) }
        return result
    }

    /// Adds the change from a ride to the departure.
    private func explain(
        _ query: ExplainQuery, after ride: PreviousRide, in result: inout ExplainResult, _ context: QueryContext
    ) throws {
        let before = RideBeforeChange(
            departure: ride.departure, destination: ride.to, changeTime: ride.changeTime,
            isContinuation: ride.stayOnBoard)
        guard let explained = try query.change(after: before, context) else {
            result.notices.append(
                Notice(
                    kind: .missing,
                    message: "No way from the stop of the arrival to \(result.departure.stop.name) is known."))
            return
        }
        let renderer = JourneyRenderer(
            [explained.previous.timetable, explained.departure.timetable], context, language: parameters.language)
        result.change = try renderer.change(explained)
        result.changeFacts = try renderer.explanation(of: explained)
    }

    /// The dataset from which a feed's data about a departure comes.
    private static func dataset(_ source: ExplainedDeparture.Source) -> DatasetID {
        DatasetID(source.feed.id, source.call.source == .estimated ? .vehicles : .tripUpdates)
    }
}

/// Explains where a departure's data comes from: the feed and its timetable, then the facts from the engine, then those
/// of the agency's other feed.
struct DepartureExplanation {
    var explained: ExplainedDeparture
    var departure: Departure
    /// The walk to the stop; `nil` if none is known.
    var walk: WalkFacts?
    /// Returns the format of the realtime dataset that one of the feeds uses for the departure, such as "GTFS-Realtime".
    var format: (ExplainedDeparture.Source) throws -> String
    /// Returns the fetch record of the realtime dataset that one of the feeds uses for the departure.
    var record: (ExplainedDeparture.Source) -> DatasetRecord?

    private var timetable: Timetable { explained.merged.timetable }

    private var canBeBoarded: Bool { explained.merged.call.isRunning && explained.merged.call.status != .departed }

    func facts() throws -> [ExplainedFact] {
        let origin = timetable.file.summary.origin
        let call = explained.merged.call
        let feedFacts = [
            ExplainedFact(fact: "feed", value: timetable.feed.rawValue, source: origin.url),
            ExplainedFact(
                fact: "timetable", value: "version \(timetable.version), fetched \(local(origin.fetched))",
                source: timetable.file.summary.feedInfo?.version.map { "feed_version \($0)" }),
            ExplainedFact(
                fact: "trip", value: "\(departure.trip) on \(departure.serviceDate)",
                source: call.isExtra ? "only the live data" : "trips.txt, stop_times.txt"),
        ]
        var facts = feedFacts + (try rendered(explained.own))
        if let other = explained.other {
            facts += try rendered(other).map {
                ExplainedFact(fact: "other_feed." + $0.fact, value: $0.value, source: $0.source)
            }
        }
        return try facts + usualDelay() + confidence + timetableAge
            + FeedAgreementText(explained, departure).fact(local)
            + (walk.map { (walk) throws(StoreError) in
                try walk.facts(explained.merged, canBeBoarded: canBeBoarded, local)
            } ?? [])
    }

    /// Renders what one feed states, without its confidence.
    private func rendered(_ source: ExplainedDeparture.Source) throws -> [ExplainedFact] {
        let format = try format(source)
        return source.facts.compactMap { fact in
            if case .confidence = fact { return nil }
            let (name, value) = text(fact, source)
            return ExplainedFact(
                fact: name, value: value,
                source: fact.section.map { format == "GTFS-Realtime" ? "GTFS-Realtime, \($0)" : format })
        }
    }

    /// What earlier days say about the departure.
    private func usualDelay() throws -> [ExplainedFact] {
        guard let history = explained.own.feed.history else { return [] }
        let (merged, call) = (explained.merged, explained.merged.call)
        let delays = try merged.feed.delays(of: call)
        return UsualDelayFacts(
            prediction: try merged.prediction,
            earlierDays: delays.map { .init(median: $0.median, days: $0.days, dayKind: $0.dayKind) },
            stated: call.source == .scheduled ? nil : call.delay,
            missingCorrection: history.missingCorrection(of: call, now: merged.feed.now), quality: history.quality
        ).facts
    }

    private var confidence: [ExplainedFact] {
        for case .confidence(_, let reason) in explained.shown.facts {
            let agreement = FeedAgreementText(explained, departure).confidence
            return [
                ExplainedFact(
                    fact: "confidence",
                    value: "\(departure.confidence.rawValue): \(Self.text(reason))\(agreement)", source: nil)
            ]
        }
        return []
    }

    /// Formats a time like the departure's own times.
    private func local(_ time: Instant) -> String { timetable.zone.rfc3339(time) }

    private var timetableAge: [ExplainedFact] {
        guard explained.merged.call.measured == nil, let age = departure.age else { return [] }
        return [ExplainedFact(fact: "age", value: "\(age) s since the source confirmed the timetable", source: nil)]
    }

    private func text(_ fact: Explanation.Fact, _ source: ExplainedDeparture.Source) -> (String, String) {
        switch fact {
        case .noRealtimeData:
            let feed = explained.other == nil ? "the feed" : source.feed.id.rawValue
            return (
                "realtime",
                source.feed.source.hasRealtime
                    ? "no live data has been received" + (explained.other == nil ? " yet" : " from \(feed) yet")
                    : "\(feed) has no live data"
            )
        case .notReported(let isExpected):
            return (
                "realtime",
                isExpected
                    ? "the live data should have this trip by now, but does not"
                    : "the live data does not include this trip, which does not mean that the trip is on time"
            )
        case .reporting(let finding): return ("reporting", ReportingText.text(of: finding))
        case .refused(let time, let sequence): return ("refused", Self.text(time, sequence))
        case .ambiguousDate:
            return (
                "realtime",
                "the live data cancels this trip without a date (start_date), and several departures are possible; the "
                    + "cancellation is not used"
            )
        case .tooOld(let age): return ("realtime", "the prediction is \(age.seconds) s old, which is too old to use")
        case .lastKnown(let age):
            return (
                "realtime",
                "the source has sent nothing newer for \(age.seconds) s; its last prediction is used until the trip is over"
            )
        case .contradicted:
            return (
                "call",
                "the predicted times of this call and its neighbors contradict each other; they are shown unchanged"
            )
        case .message(let time, let received, let incrementality):
            let made = time.map { "created \(local($0))" } ?? "without a timestamp"
            let requested = record(source)?.lastSuccess.map { ", requested \(local($0.wall))" } ?? ""
            let kind = incrementality == .differential ? "differential" : "full dataset"
            return ("message", "\(kind), \(made)\(requested), received \(local(received))")
        case .entity(let id): return ("entity", id.rawValue)
        case .matched(let match): return ("match", Self.text(match))
        case .tripKind(let kind): return ("run", Self.text(kind))
        case .call(let basis, let origin): return ("delay", delay(source.call.delay, basis, origin))
        case .skipped: return ("call", "the vehicle does not stop here")
        case .extraTrip(let kind):
            return ("run", Self.text(kind))
        case .platformChange: return ("platform", departure.stop.platform ?? departure.stop.id.rawValue)
        case .uncertainty(let seconds): return ("uncertainty", "\(seconds) s")
        case .vehicle(let progress): return ("vehicle", Self.text(progress))
        case .measured(let time, let age):
            let state = age.freshness == .fresh ? "fresh" : age.freshness == .aging ? "aging" : "expired"
            let text = age.isAhead ? "its timestamp is ahead of the clock" : "\(age.seconds) s, \(state)"
            return ("age", "\(text); measured \(local(time))")
        case .confidence(let confidence, let reason): return ("confidence", "\(confidence): \(Self.text(reason))")
        }
    }

    /// Describes a stated time that is not used.
    private static func text(_ time: RefusedTime, _ sequence: UInt32) -> String {
        let subject =
            switch time.event {
            case .arrival: "the arrival at stop_sequence \(sequence)"
            case .departure: "the departure at stop_sequence \(sequence)"
            case .trip: "the delay of the whole trip"
            }
        let reason =
            switch time.reason {
            case .impossible: "which is more than a week from the timetable"
            case .earlyDeparture: "which is more than an hour before its scheduled time"
            case .earlyArrival: "which is before the trip can have begun"
            }
        let effect = time.event == .trip ? "it is not used" : "no time of that stop time update is used"
        return "\(subject) is stated with a delay of \(time.delay) s, \(reason); \(effect)"
    }

    private func delay(_ delay: Int?, _ basis: RealtimeCall.Basis, _ origin: UInt32?) -> String {
        let seconds = delay.map { "\($0) s" } ?? "unknown delay"
        return switch basis {
        case .timetable: "not known: the live data has no usable time for this call"
        case .noData: "not known: the publisher has no data (NO_DATA)"
        case .ambiguous:
            "not known: the trip visits the stop twice, and the live data does not identify the visit"
        case .stated: "\(seconds), stated for this call"
        case .propagated: "\(seconds), propagated from " + (origin.map { "stop_sequence \($0)" } ?? "an earlier call")
        case .tripDelay: "\(seconds), stated for the whole trip"
        case .position: "\(seconds), computed from the vehicle's position"
        }
    }

    private static func text(_ match: RealtimeTrip.Match) -> String {
        switch match {
        case .tripAndDate: "by trip_id and start_date"
        case .trip: "by trip_id; the service date is that of the nearest trip instance"
        case .adjacentDate: "by trip_id; the times show that start_date is a day off"
        case .frequency: "by trip_id and start_time (frequencies.txt)"
        case .route: "by route_id, direction_id and start_time"
        case .scheduledTimes: "by the scheduled times at its stops; the timetable has no trip with that identifier"
        }
    }

    private static func text(_ kind: RealtimeTrip.Kind) -> String {
        switch kind {
        case .scheduled: "runs (SCHEDULED)"
        case .unscheduled: "runs without scheduled times (UNSCHEDULED)"
        case .canceled: "does not run (CANCELED)"
        case .deleted: "does not run and is not shown (DELETED)"
        case .replaced: "is replaced by another trip (REPLACEMENT)"
        case .duplicated: "is a copy of a trip (DUPLICATED)"
        case .estimated: "is known only from its vehicle"
        }
    }

    private static func text(_ kind: ExtraTrip.Kind) -> String {
        switch kind {
        case .added: "is not in the timetable"
        case .replacement: "replaces another trip"
        case .withoutTimetable: "runs; the timetable has no times"
        }
    }

    private static func text(_ progress: VehicleProgress) -> String {
        let place =
            switch progress.state {
            case .atStop: "is stopped at"
            case .approaching: "is about to arrive at"
            case .between: "is on its way to"
            }
        let basis =
            switch progress.basis {
            case .sequence: "current_stop_sequence"
            case .stop: "stop_id"
            case .shape: "its position along the shape"
            case .stops: "its position between the stops"
            }
        return "\(place) call \(progress.call + 1), by \(basis)"
    }

    private static func text(_ reason: Explanation.Reason) -> String {
        switch reason {
        case .freshAndStated: "fresh, and stated for this call"
        case .propagatedFromEarlierCall: "fresh, and propagated from an earlier call"
        case .aging: "the live data is aging"
        case .lastKnown: "the last prediction from a source that has sent nothing newer"
        case .contradicted: "predicted times contradict each other"
        case .uncertain: "the publisher states a large uncertainty"
        case .passed: "the predicted time has passed, and no source confirms the departure"
        case .timestampAhead: "the message's timestamp is ahead of the clock"
        case .estimated: "computed from a position"
        case .planned: "the publisher's plan, without a prediction"
        case .timetable: "only the timetable"
        case .timetableApproximate: "the timetable states only an approximate time"
        case .missingFromRealtime: "the live data should have this departure but does not"
        }
    }
}
