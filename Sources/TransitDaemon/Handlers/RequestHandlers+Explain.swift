internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func explain(_ parameters: ExplainParameters, _ context: RequestContext) throws -> ExplainResult {
        guard let id = DepartureID(parameters.departure) else { throw Self.departureNotFound(parameters.departure) }
        let feed = try context.feed(id.feed)
        let timetable = try RequestContext.timetables(of: [feed], at: context.now)[0]
        guard let call = try DepartureFinder(timetable, live: feed.realtimeTimetable, now: context.now).find(id)
        else { throw Self.departureNotFound(parameters.departure) }
        let merged = try context.merged(call, of: timetable)
        let rendering = MergedDepartureRenderer([context.view(of: timetable)], context, language: parameters.language)
        let departure = try rendering.departure(merged)
        let explanation = DepartureExplanation(
            call: merged.call, departure: departure, timetable: timetable, feed: feed, now: context.now,
            record: daemon.refresh.record(DatasetID(feed.id, call.source == .estimated ? .vehicles : .tripUpdates)))
        return ExplainResult(
            at: context.at, departure: departure, facts: explanation.facts,
            notices: FeedNotices(now: context.now).about([feed]))
    }

    private static func departureNotFound(_ text: String) -> ControlError {
        ControlError(
            .departureNotFound, "There is no departure \"\(text)\".",
            hint: "Departures are named by the id that transitctl --json next shows.")
    }
}

/// Finds the call that a departure's id names, in the timetable or in what is live beside it.
struct DepartureFinder {
    private let timetable: Timetable
    private let live: RealtimeTimetable?
    private let now: Instant

    init(_ timetable: Timetable, live: RealtimeTimetable?, now: Instant) {
        self.timetable = timetable
        self.live = live
        self.now = now
    }

    func find(_ id: DepartureID) throws(StoreError) -> ExpectedCall? {
        if let index = try timetable.file.trip(id: id.trip), let place = try timetable.file.locate(index),
            let position = place.pattern.calls.firstIndex(where: { $0.sequence == id.sequence })
        {
            var key = TripInstanceKey(pattern: place.pattern.index, trip: index, serviceDate: id.date)
            key.frequencyStart = id.start
            let call = ScheduledCall(
                key, pattern: place.pattern, timingGroup: place.timingGroup, tripPosition: place.position,
                position: position,
                zone: timetable.zone(of: place.pattern.route))
            let expected = live.map { $0.expected(call, of: key, now: now) } ?? ExpectedCall(scheduled: call)
            let isRepeated = place.pattern.frequencies(ofTimingGroup: place.timingGroup).contains {
                Int($0.trip) == place.position
            }
            // A trip that runs once starts at another time only as a copy.
            if id.start != nil, !isRepeated, expected?.copyStart == nil { return nil }
            guard expected?.status == .replaced else { return expected }
            // The trip that runs in its place has its name.
            return live?.extraCall(trip: id.trip, date: id.date, sequence: id.sequence, now: now) ?? expected
        }
        return live?.extraCall(trip: id.trip, date: id.date, sequence: id.sequence, now: now)
    }
}

/// The whole chain behind a departure in words: the feed and its timetable, then what the engine explains.
struct DepartureExplanation {
    var call: ExpectedCall
    var departure: Departure
    var timetable: Timetable
    var feed: FeedSnapshot
    var now: Instant
    /// Of the live dataset behind it.
    var record: DatasetRecord?

    var facts: [ExplainedFact] {
        let origin = timetable.file.summary.origin
        let feedFacts = [
            ExplainedFact(fact: "feed", value: timetable.feed.rawValue, source: origin.url),
            ExplainedFact(
                fact: "timetable", value: "version \(timetable.version), fetched \(local(origin.fetched))",
                source: timetable.file.summary.feedInfo?.version.map { "feed_version \($0)" }),
            ExplainedFact(
                fact: "trip", value: "\(departure.trip) on \(departure.serviceDate)",
                source: call.scheduledCall == nil ? "the live data alone" : "trips.txt, stop_times.txt"),
        ]
        let explanation = (feed.realtimeTimetable ?? RealtimeTimetable()).explain(call, now: now)
        return feedFacts + explanation.facts.map(rendered) + timetableAge + witness
    }

    /// As the departure's own times are written.
    private func local(_ time: Instant) -> String { timetable.zone.rfc3339(time) }

    private func rendered(_ fact: Explanation.Fact) -> ExplainedFact {
        let (name, value) = words(fact)
        return ExplainedFact(fact: name, value: value, source: fact.section.map { "GTFS-Realtime, \($0)" })
    }

    /// What the agency's other feed says of it, and what follows from that.
    private var witness: [ExplainedFact] {
        guard let witness = departure.confirmedBy else { return [] }
        let time = witness.expected.map { "at \(local($0.instant))" } ?? "at an unknown time"
        let deed = witness.status == .scheduled || witness.status == .added ? "leaves" : witness.status.rawValue
        let apart = "\(abs(witness.difference)) s \(witness.difference < 0 ? "earlier" : "later")"
        let meaning =
            witness.isUsed
            ? "its time is used, since \(feed.id) has only a plan or data that expired"
            : witness.agrees ? "both agree" : "both differ, and the time of \(departure.feed) is used"
        let isSurer = witness.agrees && (witness.source != .scheduled || departure.source != .scheduled)
        return [
            ExplainedFact(
                fact: "confirmed_by",
                value: "\(witness.feed) says: \(deed) \(time) (\(witness.source.rawValue)), \(apart); \(meaning)"
                    + (isSurer ? ", so the confidence is a step higher" : ""),
                source: "`supplements` in the configuration; \(witness.departure)")
        ]
    }

    private var timetableAge: [ExplainedFact] {
        guard call.measured == nil, let age = departure.age else { return [] }
        return [ExplainedFact(fact: "age", value: "\(age) s since the source confirmed the timetable", source: nil)]
    }

    private func words(_ fact: Explanation.Fact) -> (String, String) {
        switch fact {
        case .noRealtimeData:
            let isConfigured = feed.configuration.datasets.contains(where: \.isRealtime)
            return ("realtime", isConfigured ? "nothing live is known yet" : "the feed has no live data")
        case .notReported(let isExpected):
            return (
                "realtime",
                isExpected
                    ? "the live data has this route at this time, and not this trip"
                    : "nothing is told of this trip, which is not \"on time\""
            )
        case .tooOld(let age): return ("realtime", "what is told is \(age.seconds) s old, too old to be used")
        case .lastKnown(let age):
            return (
                "realtime",
                "the source has told nothing newer for \(age.seconds) s; its last word stays until the trip is over"
            )
        case .contradicted:
            return (
                "call", "the stated times of this call and its neighbors contradict each other; they are not changed"
            )
        case .message(let time, let received, let incrementality):
            let made = time.map { "made \(local($0))" } ?? "without a time of its own"
            let asked = record?.lastSuccess.map { ", asked for \(local($0.wall))" } ?? ""
            let kind = incrementality == .differential ? "differential" : "full dataset"
            return ("message", "\(kind), \(made)\(asked), received \(local(received))")
        case .entity(let id): return ("entity", id.rawValue)
        case .matched(let match): return ("match", Self.words(match))
        case .run(let kind): return ("run", Self.words(kind))
        case .call(let basis, let origin): return ("delay", delay(basis, origin))
        case .skipped: return ("call", "the vehicle does not stop there")
        case .extraTrip(let kind):
            return ("run", Self.words(kind))
        case .platformChange: return ("platform", departure.stop.platform ?? departure.stop.id.rawValue)
        case .uncertainty(let seconds): return ("uncertainty", "\(seconds) s")
        case .vehicle(let progress): return ("vehicle", Self.words(progress))
        case .measured(let time, let age):
            let state = age.freshness == .fresh ? "fresh" : age.freshness == .aging ? "aging" : "expired"
            let words = age.isAhead ? "its time lies ahead of the clock" : "\(age.seconds) s, \(state)"
            return ("age", "\(words); measured \(local(time))")
        case .confidence(_, let reason):
            return ("confidence", "\(departure.confidence.rawValue): \(Self.words(reason))")
        }
    }

    private func delay(_ basis: RealtimeCall.Basis, _ origin: UInt32?) -> String {
        let seconds = departure.delay.map { "\($0) s" } ?? "no delay is known"
        return switch basis {
        case .timetable: "not known: nothing that can be used is told of this call"
        case .noData: "not known: the publisher says so (NO_DATA)"
        case .ambiguous: "not known: the trip visits the stop twice, and which visit is meant is not told"
        case .stated: "\(seconds), stated for this call"
        case .propagated: "\(seconds), carried on from " + (origin.map { "stop_sequence \($0)" } ?? "an earlier call")
        case .tripDelay: "\(seconds), stated for the whole trip"
        case .position: "\(seconds), computed here from where the vehicle is"
        }
    }

    private static func words(_ match: RealtimeTrip.Match) -> String {
        switch match {
        case .tripAndDate: "by trip_id and start_date"
        case .trip: "by trip_id; the service date is the one whose run is nearest"
        case .adjacentDate: "by trip_id; start_date is a day off, as the times show"
        case .frequency: "by trip_id and start_time, a run of frequencies.txt"
        case .route: "by route_id, direction_id and start_time"
        case .scheduledTimes: "by the planned times at its stops; the timetable has no trip of that name"
        }
    }

    private static func words(_ kind: RealtimeTrip.Kind) -> String {
        switch kind {
        case .scheduled: "runs (SCHEDULED)"
        case .unscheduled: "runs without times of a timetable (UNSCHEDULED)"
        case .canceled: "does not run (CANCELED)"
        case .deleted: "does not run and is not shown (DELETED)"
        case .replaced: "another one runs in its place (REPLACEMENT)"
        case .duplicated: "is a copy of a trip (DUPLICATED)"
        case .estimated: "is known from its vehicle alone"
        }
    }

    private static func words(_ kind: ExtraTrip.Kind) -> String {
        switch kind {
        case .added: "is not in the timetable"
        case .replacement: "runs in another trip's place"
        case .usual: "runs; the timetable has no times"
        }
    }

    private static func words(_ progress: VehicleProgress) -> String {
        let place =
            switch progress.state {
            case .atStop: "stands at"
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

    private static func words(_ reason: Explanation.Reason) -> String {
        switch reason {
        case .freshAndStated: "fresh, and said of this very call"
        case .propagatedFromEarlierCall: "fresh, and carried on from another call"
        case .aging: "the live data is aging"
        case .lastKnown: "the last word of a source that is silent"
        case .contradicted: "stated times contradict each other"
        case .uncertain: "the publisher says that it may be wrong by minutes"
        case .passed: "the moment of the prediction has passed, and nobody says that it came true"
        case .timestampAhead: "the message's time lies ahead of the clock"
        case .estimated: "computed from a position"
        case .planned: "the publisher's plan, not watched"
        case .timetable: "the timetable alone"
        case .timetableApproximate: "the timetable gives this time only roughly"
        case .missingFromRealtime: "the live data should have it and does not"
        }
    }
}
