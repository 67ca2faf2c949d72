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
        if !request.method.isQuick { pace.becomesSlow() }
        do {
            let reply = try reply(to: request, question(from: caller, pace: pace))
            if request.method.changesWhatIsPersonal { daemon.topics.ring(.personal(uid: caller.uid)) }
            return reply
        } catch {
            throw translated(error)
        }
    }

    func answerLengthy(
        _ request: ControlRequest, from caller: Caller, progress: ProgressReporter
    ) async throws(ControlError) -> any WireValue {
        try permit(request.method, to: caller)
        do {
            return switch request {
            case .feedUpdate(let parameters):
                try await feedUpdate(parameters, question(from: caller), progress: progress)
            case .feedRollback(let parameters): try feedRollback(parameters, question(from: caller))
            case .feedDiff(let parameters): try await feedDiff(parameters, question(from: caller))
            case .configReload: try configReload(question(from: caller))
            case .refresh(let parameters):
                try await refresh(parameters, question(from: caller), progress: progress)
            case .doctor(let parameters): try doctor(parameters, question(from: caller))
            case .keySet(let parameters): try await keySet(parameters, question(from: caller))
            case .keyCheck(let parameters): try await keyCheck(parameters, question(from: caller))
            case .addressSearch(let parameters): try await addressSearch(parameters, question(from: caller))
            case .providerCheck(let parameters): try await providerCheck(parameters, question(from: caller))
            case .departures, .next, .favoriteShow, .stopsShow:
                try await replyWithArrivals(to: request, from: caller)
            default: try reply(to: request, question(from: caller))
            }
        } catch {
            throw translated(error)
        }
    }

    /// A version that turns out to be damaged is put out of use: the next question is answered from another one.
    private func translated(_ error: any Error) -> ControlError {
        if case .corrupt(let path, _)? = error as? StoreError { daemon.abandon(damagedFile: path) }
        let answer = ControlError.of(error)
        if answer.kind == .feedNoData {
            let now = daemon.clock.reading()
            for feed in daemon.feeds.all where feed.timetable == nil { daemon.demand.missed(feed.id, at: now) }
        }
        return answer
    }

    func waits(_ request: ControlRequest, from caller: Caller, pace: AnswerPace) -> Bool {
        guard request.method.mayNeedArrivals, !daemon.arrivals.isEmpty else { return false }
        // What has to be asked for many boards takes as long as they do.
        if !request.method.isQuick { pace.becomesSlow() }
        guard let question = try? question(from: caller, pace: pace) else { return false }
        return mustWait(for: request, question)
    }

    private func replyWithArrivals(to request: ControlRequest, from caller: Caller) async throws -> any WireValue {
        await waitForArrivals(of: request, try question(from: caller))
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
        case .feedVersions(let parameters): try feedVersions(parameters, question)
        case .configCheck: configCheck(question)
        case .budget(let parameters): try budget(parameters, question)
        case .explain(let parameters): try explain(parameters, question)
        case .vehicles(let parameters): try vehicles(parameters, question)
        case .alerts(let parameters): try alerts(parameters, question)
        case .hello, .describe, .cancel, .subscribe, .unsubscribe, .feedUpdate, .feedRollback, .feedDiff,
            .configReload, .refresh, .doctor, .keySet, .keyCheck, .providerCheck, .addressSearch:
            throw ControlError(.internalError, "\(request.method.rawValue) came the wrong way.")
        }
    }

    /// Everything that an answer is made from, taken once.
    func question(from caller: Caller, pace: AnswerPace = AnswerPace {}) throws -> Question {
        Question(
            now: daemon.clock.now(), caller: caller, configuration: daemon.configuration.current,
            feeds: daemon.feeds.all, personal: PersonalState(try daemon.state.personal(of: caller.uid)), pace: pace)
    }

    /// The question as it stands when the caller's places, commutes or favourites are others.
    func afterwards(_ question: Question) throws(StoreError) -> Question {
        question.knowing(PersonalState(try daemon.state.personal(of: question.caller.uid)))
    }
}

extension ControlMethod {
    /// Whether it is mostly answered within some ten microseconds: what is asked again and again, by a board or a bar.
    fileprivate var isQuick: Bool { self == .departures || self == .next }

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
    /// Only root and the user that the daemon runs as may change what all users share.
    private static let shared: Set<ControlMethod> = [
        .feedUpdate, .feedRollback, .configReload, .keySet, .keyCheck, .keyRemove, .providerCheck,
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
