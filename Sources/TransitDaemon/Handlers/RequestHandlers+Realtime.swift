internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

// What is asked about live data, sources and schedules.

extension RequestHandlers {
    func budget(_ parameters: BudgetParameters, _ question: Question) throws -> BudgetResult {
        _ = try question.feeds(named: parameters.feed)
        return BudgetResult(at: question.at, keys: [])
    }

    func vehicles(_ parameters: VehiclesParameters, _ question: Question) throws -> VehiclesResult {
        let feeds = try question.feeds(named: parameters.feed)
        return VehiclesResult(at: question.at, vehicles: [], notices: withoutLiveData(feeds, "No vehicle is known"))
    }

    func alerts(_ parameters: AlertsParameters, _ question: Question) throws -> AlertsResult {
        let feeds = try question.feeds(named: parameters.feed)
        return AlertsResult(at: question.at, alerts: [], notices: withoutLiveData(feeds, "No alert is known"))
    }

    private func withoutLiveData(_ feeds: [FeedSnapshot], _ what: String) -> [Notice] {
        feeds.map { Notice(kind: .missing, feed: $0.id, message: "\(what): \($0.id) has no live data.") }
    }

    func realtimeReport(_ parameters: FeedValidateParameters, _ question: Question) throws -> FeedValidateResult {
        let feed = try question.feed(parameters.feed)
        return FeedValidateResult(
            at: question.at, feed: feed.id, version: feed.timetable?.version, isRefused: false,
            counts: FindingCounts(fatal: 0, error: 0, warning: 0, info: 0), findings: [],
            notices: withoutLiveData([feed], "Nothing was checked"))
    }
}

// MARK: - Refresh

extension RequestHandlers {
    func refresh(
        _ parameters: RefreshParameters, _ question: Question, progress: ProgressReporter
    ) async throws -> RefreshResult {
        try permit(parameters, question)
        var datasets: [DatasetRefresh] = []
        for feed in try question.feeds(named: parameters.feed) {
            guard parameters.dataset == nil || parameters.dataset == .static else { continue }
            datasets.append(try await refreshTimetable(of: feed, parameters, question, progress))
        }
        if datasets.isEmpty, let feed = parameters.feed, let dataset = parameters.dataset {
            throw ControlError(
                .datasetNotFound, "\(feed) has no dataset \(dataset.rawValue).", hint: "See: transitctl status.")
        }
        return RefreshResult(at: Timestamp(daemon.clock.now(), in: question.zone), datasets: datasets)
    }

    /// Anybody may ask a source again when its cooldown is over; only who answers for the daemon may do more.
    private func permit(_ parameters: RefreshParameters, _ question: Question) throws(ControlError) {
        guard parameters.force || parameters.all else { return }
        try permitOwner(question.caller, "refresh everything or what is fresh")
        if parameters.force, !parameters.all, parameters.feed == nil {
            throw ControlError(
                .invalidParameters, "force needs a feed, or all.",
                hint: "Everything anew: transitctl refresh --all --force.")
        }
    }

    private func refreshTimetable(
        of feed: FeedSnapshot, _ parameters: RefreshParameters, _ question: Question, _ progress: ProgressReporter
    ) async throws -> DatasetRefresh {
        if !parameters.force, let due = feed.record.nextAttempt, due > question.now, feed.timetable != nil {
            return DatasetRefresh(
                feed: feed.id, dataset: .static, outcome: .fresh, message: "It is fresh.",
                until: Timestamp(due, in: question.zone))
        }
        let outcome = try await daemon.service(of: feed.id).update(isForced: parameters.force) { update in
            if parameters.progress { progress.report(Progress(update)) }
        }
        return DatasetRefresh(
            feed: feed.id, dataset: .static, outcome: RefreshOutcome(outcome.outcome), message: outcome.message,
            bytes: Int(clamping: outcome.fetched))
    }
}

extension RefreshOutcome {
    init(_ outcome: TransitStore.FeedAttempt.Outcome) {
        self =
            switch outcome {
            case .updated: .updated
            case .unchanged: .unchanged
            case .refused: .refused
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}

// MARK: - Explain

extension RequestHandlers {
    func explain(_ parameters: ExplainParameters, _ question: Question) throws -> ExplainResult {
        guard let id = DepartureID(parameters.departure) else { throw Self.departureNotFound(parameters.departure) }
        let timetable = try Question.timetables(of: [try question.feed(id.feed)], at: question.now)[0]
        guard let index = try timetable.file.trip(id: id.trip), let place = try timetable.file.locate(index),
            let position = place.pattern.calls.firstIndex(where: { $0.sequence == id.sequence })
        else { throw Self.departureNotFound(parameters.departure) }
        let call = Self.call(id, place: place, position: position, timetable)
        let departure = try question.rendering(timetable, language: parameters.language).departure(call)
        return ExplainResult(
            at: question.at, departure: departure, facts: Self.facts(departure, timetable),
            notices: FeedNotices(now: question.now).about([try question.feed(id.feed)]))
    }

    private static func departureNotFound(_ text: String) -> ControlError {
        ControlError(
            .departureNotFound, "There is no departure \"\(text)\".",
            hint: "Departures are named by the id that transitctl --json next shows.")
    }

    private static func call(
        _ id: DepartureID, place: (pattern: Pattern, lane: Int, position: Int), position: Int, _ timetable: Timetable
    ) -> ScheduledCall {
        let lane = place.pattern.lanes[place.lane]
        let row = lane.frequencies.first { row in
            Int(row.trip) == place.position && id.start.map { row.start <= $0.seconds && $0.seconds < row.end } == true
        }
        let start = id.start ?? ServiceTime(seconds: lane.starts[place.position])
        let begin = timetable.zone(of: place.pattern.route).instant(of: start, on: id.date)
        let times = lane.times[position]
        return ScheduledCall(
            pattern: place.pattern, lane: place.lane, tripPosition: place.position, serviceDate: id.date,
            position: position, arrival: begin.advanced(by: Int(times.arrival)),
            departure: begin.advanced(by: Int(times.departure)), frequency: row.map { (start, $0) })
    }

    private static func facts(_ departure: Departure, _ timetable: Timetable) -> [ExplainedFact] {
        let origin = timetable.file.summary.origin
        return [
            ExplainedFact(fact: "feed", value: timetable.feed.rawValue, source: origin.url),
            ExplainedFact(
                fact: "timetable",
                value: "version \(timetable.version), fetched \(origin.fetched.rfc3339())",
                source: timetable.file.summary.feedInfo?.version.map { "feed_version \($0)" }),
            ExplainedFact(
                fact: "trip", value: "\(departure.trip) on \(departure.serviceDate)",
                source: "trips.txt, stop_times.txt"),
            ExplainedFact(fact: "delay", value: "not known", source: "The feed has no live data for this trip."),
            ExplainedFact(fact: "confidence", value: departure.confidence.rawValue, source: nil),
        ]
    }
}

// MARK: - Doctor

extension RequestHandlers {
    func doctor(_ parameters: DoctorParameters, _ question: Question) throws -> DoctorResult {
        if parameters.bundle { try permitOwner(question.caller, "make a bundle for a bug report") }
        let configuration = configCheck(question)
        var checks = [
            DoctorCheck(
                check: "configuration", outcome: configuration.isValid ? .ok : .failed,
                message: configuration.file.map { "\($0) is \(configuration.isValid ? "sound" : "wrong")." }
                    ?? "There is no configuration file.",
                remedy: configuration.isValid ? nil : "See: transitctl config check.")
        ]
        for feed in question.feeds {
            let notices = FeedNotices(now: question.now).about(feed)
            checks.append(
                DoctorCheck(
                    check: "feed.\(feed.id).timetable",
                    outcome: feed.timetable == nil ? .failed : notices.isEmpty ? .ok : .warning,
                    message: notices.first?.message ?? "The timetable of \(feed.id) is there.",
                    remedy: notices.isEmpty ? nil : "transitctl feed update \(feed.id)"))
        }
        return DoctorResult(at: question.at, checks: checks, bundle: parameters.bundle ? [] : nil)
    }
}
