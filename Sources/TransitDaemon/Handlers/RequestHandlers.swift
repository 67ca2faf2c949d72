internal import Logging
internal import TransitControl
internal import TransitModel
internal import TransitStore

/// Answers the requests of the control socket: reads model values, calls one engine function, and makes the reply.
///
/// One file for each group of methods. Questions never wait for the network or for an import.
struct RequestHandlers: RequestHandling {
    var daemon: DaemonContext

    func greeting(for caller: Caller) -> Greeting {
        let feeds = daemon.feeds.all
        let zone = feeds.lazy.compactMap(\.timetable).first?.zone ?? .utc
        return Greeting(
            at: Timestamp(daemon.clock.now(), in: zone), daemonVersion: DaemonVersion.text,
            features: ["timetable", "commutes", "places", "favorites", "feeds", "subscriptions"],
            may: Self.methods(for: caller, daemon: daemon))
    }

    func answer(
        _ request: ControlRequest, from caller: Caller, pace: AnswerPace
    ) throws(ControlError) -> any WireValue {
        try permit(request.method, to: caller)
        if request.method.answerTime != .instant { pace.becomesSlow() }
        return try completed(request, from: caller, pace: pace)
    }

    private func completed(
        _ request: ControlRequest, from caller: Caller, pace: AnswerPace = AnswerPace {}
    ) throws(ControlError) -> any WireValue {
        do {
            let reply = try reply(to: request, question(from: caller, pace: pace))
            if request.method.changesWhatIsPersonal { daemon.topics.ring(.personal(uid: caller.uid)) }
            return reply
        } catch {
            throw translated(error)
        }
    }

    /// Computes an answer on one of the threads for blocking or lengthy work.
    private func completed(
        _ request: ControlRequest, from caller: Caller, on threads: AnswerThreads, isCancellable: Bool = true
    ) async throws(ControlError) -> any WireValue {
        let answer = await threads.run(for: caller.uid, isCancellable: isCancellable) {
            Result { () throws(ControlError) in try completed(request, from: caller) }
        }
        guard let answer else { throw ControlError(.cancelled, "The request was cancelled.") }
        return try answer.get()
    }

    func answerLengthy(
        _ request: ControlRequest, from caller: Caller, progress: ProgressReporter
    ) async throws(ControlError) -> any WireValue {
        try permit(request.method, to: caller)
        if request.method.answerTime == .write {
            return try await completed(request, from: caller, on: daemon.changes, isCancellable: false)
        }
        do {
            return switch request {
            case .feedUpdate(let parameters):
                try await feedUpdate(parameters, question(from: caller), progress: progress)
            case .refresh(let parameters):
                try await refresh(parameters, question(from: caller), progress: progress)
            case .keySet(let parameters): try await keySet(parameters, question(from: caller))
            case .keyCheck(let parameters): try await keyCheck(parameters, question(from: caller))
            case .addressSearch(let parameters): try await addressSearch(parameters, question(from: caller))
            case .providerCheck(let parameters): try await providerCheck(parameters, question(from: caller))
            case .departures, .next, .stopsShow:
                try await replyWithArrivals(to: request, from: caller)
            case .favoriteShow:
                try await replyWithArrivals(to: request, from: caller, on: daemon.answers)
            default: try await completed(request, from: caller, on: daemon.answers)
            }
        } catch {
            throw translated(error)
        }
    }

    /// A version that turns out to be damaged is put out of use: the next question is answered from another one.
    private func translated(_ error: any Error) -> ControlError {
        if case .corrupt(let path, _)? = error as? StoreError { daemon.abandon(damagedFile: path) }
        var answer = ControlError.of(error)
        // An answer that was made on another thread comes by here twice.
        if answer.kind.isAboutWhatIsPersonal, let replaced = replacedState(at: daemon.clock.now()),
            answer.hint?.hasPrefix(replaced.message) != true
        {
            answer.hint = [replaced.message, answer.hint].compactMap { $0 }.joined(separator: " ")
        }
        if answer.kind == .feedNoData {
            let now = daemon.clock.reading()
            for feed in daemon.feeds.all where feed.timetable == nil { daemon.demand.missed(feed.id, at: now) }
        }
        return answer
    }

    func waits(_ request: ControlRequest, from caller: Caller, pace: AnswerPace) -> Bool {
        guard request.method.mayNeedArrivals, !daemon.arrivals.isEmpty else { return false }
        // What has to be asked for many boards takes as long as they do.
        if request.method.answerTime != .instant { pace.becomesSlow() }
        return mustWait(for: request, question(from: caller, pace: pace))
    }

    /// - Parameter threads: make the answer; `nil`: it is made at once by the task.
    private func replyWithArrivals(
        to request: ControlRequest, from caller: Caller, on threads: AnswerThreads? = nil
    ) async throws -> any WireValue {
        await waitForArrivals(of: request, question(from: caller))
        if let threads { return try await completed(request, from: caller, on: threads) }
        return try reply(to: request, question(from: caller))
    }

    private func reply(to request: ControlRequest, _ question: Question) throws -> any WireValue {
        switch request {
        case .status(let parameters): try status(parameters, question)
        case .next(let parameters): try next(parameters, question)
        case .departures(let parameters): try departures(parameters, question)
        case .stopsSearch(let parameters): try stopsSearch(parameters, question)
        case .stopsNear(let parameters): try stopsNear(parameters, question)
        case .stopsShow(let parameters): try stopsShow(parameters, question)
        case .routesSearch(let parameters): try routesSearch(parameters, question)
        case .routesShow(let parameters): try routesShow(parameters, question)
        case .routesStops(let parameters): try routesStops(parameters, question)
        case .tripShow(let parameters): try tripShow(parameters, question)
        case .commuteList: commuteList(question)
        case .commuteAdd(let parameters): try commuteAdd(parameters, question)
        case .commuteRename(let parameters): try commuteRename(parameters, question)
        case .commuteRemove(let parameters): try commuteRemove(parameters, question)
        case .commuteUse(let parameters): try commuteUse(parameters, question)
        case .placeList: try placeList(question)
        case .placeSet(let parameters): try placeSet(parameters, question)
        case .placeRemove(let parameters): try placeRemove(parameters, question)
        case .favoriteList: favoriteList(question)
        case .favoriteShow(let parameters): try favoriteShow(parameters, question)
        case .favoriteAdd(let parameters): try favoriteAdd(parameters, question)
        case .favoriteChange(let parameters): try favoriteChange(parameters, question)
        case .favoriteOrder(let parameters): try favoriteOrder(parameters, question)
        case .favoriteRemove(let parameters): try favoriteRemove(parameters, question)
        case .keyRemove(let parameters): try keyRemove(parameters, question)
        case .recentList(let parameters): recentList(parameters, question)
        case .recentClear: try recentClear(question)
        case .providers: providers(question)
        case .feedList: feedList(question)
        case .feedValidate(let parameters): try feedValidate(parameters, question)
        case .feedRollback(let parameters): try feedRollback(parameters, question)
        case .feedDiff(let parameters): try feedDiff(parameters, question)
        case .configReload: try configReload(question)
        case .doctor(let parameters): try doctor(parameters, question)
        case .feedVersions(let parameters): try feedVersions(parameters, question)
        case .configCheck: configCheck(question)
        case .budget(let parameters): try budget(parameters, question)
        case .explain(let parameters): try explain(parameters, question)
        case .vehicles(let parameters): try vehicles(parameters, question)
        case .alerts(let parameters): try alerts(parameters, question)
        case .hello, .describe, .cancel, .subscribe, .unsubscribe, .feedUpdate, .refresh, .keySet, .keyCheck,
            .providerCheck, .addressSearch:
            throw ControlError(.internalError, "\(request.method.rawValue) came the wrong way.")
        }
    }

    /// Everything that an answer is made from, taken once.
    func question(from caller: Caller, pace: AnswerPace = AnswerPace {}) -> Question {
        Question(
            now: daemon.clock.now(), caller: caller, configuration: daemon.configuration.current,
            feeds: daemon.feeds.all, personal: PersonalState(daemon.state.personal(of: caller.uid)), pace: pace)
    }

    /// The question as it stands when the caller's places, commutes or favourites are others.
    func afterwards(_ question: Question) -> Question {
        question.knowing(PersonalState(daemon.state.personal(of: question.caller.uid)))
    }
}

extension ControlMethod {
    /// Whether an answer may depend on what is asked on demand (``RequestHandlers/arrivalsNeeds(of:_:)``).
    fileprivate var mayNeedArrivals: Bool {
        switch self {
        case .departures, .next, .favoriteShow, .stopsShow: true
        default: false
        }
    }

    /// Whether the caller's commutes, places or favourites are others afterwards.
    fileprivate var changesWhatIsPersonal: Bool {
        switch self {
        case .commuteAdd, .commuteRename, .commuteRemove, .commuteUse, .placeSet, .placeRemove,
            .favoriteAdd, .favoriteChange, .favoriteOrder, .favoriteRemove:
            true
        default: false
        }
    }
}

// MARK: - Who may do what

extension RequestHandlers {
    /// Only root and the daemon's user may change shared data, or use methods whose answers quote mistakes in the
    /// configuration file.
    private static let shared: Set<ControlMethod> = [
        .feedUpdate, .feedRollback, .configCheck, .configReload, .keySet, .keyCheck, .keyRemove, .providerCheck,
    ]

    private static func may(_ caller: Caller, _ method: ControlMethod, _ daemon: DaemonContext) -> Bool {
        !shared.contains(method) || caller.uid == 0 || caller.uid == daemon.uid
    }

    private static func methods(for caller: Caller, daemon: DaemonContext) -> [ControlMethod] {
        ControlMethod.allCases.filter { may(caller, $0, daemon) }
    }

    /// Refuses what `deed` names to all but root and the user that the daemon runs as.
    func permitOwner(_ caller: Caller, _ deed: String) throws(ControlError) {
        guard caller.uid == 0 || caller.uid == daemon.uid else {
            throw ControlError(
                .notAllowed, "User \(caller.uid) may not \(deed) here.",
                hint: "Ask as root, or as the user that transitd runs as.")
        }
    }

    private func permit(_ method: ControlMethod, to caller: Caller) throws(ControlError) {
        guard Self.may(caller, method, daemon) else {
            throw ControlError(
                .notAllowed, "User \(caller.uid) may not use \(method.rawValue) here.",
                hint: "Ask as root, or as the user that transitd runs as.")
        }
    }
}
