internal import Logging
internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles the requests from the control socket. Each handler reads model values, calls one engine function, and builds
/// the reply.
///
/// Each group of methods has its own file. Queries never wait for the network or for an import.
struct RequestHandlers: RequestHandling {
    var daemon: DaemonComponents

    func greeting(for caller: Caller) -> HelloInfo {
        let feeds = daemon.feeds.all
        let zone = feeds.lazy.compactMap(\.timetable).first?.zone ?? .utc
        return HelloInfo(
            at: Timestamp(daemon.clock.now(), in: zone), daemonVersion: DaemonVersion.text,
            features: ["timetable", "commutes", "places", "favorites", "feeds", "subscriptions"],
            allowedMethods: Self.methods(for: caller, daemon: daemon))
    }

    func answer(
        _ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue {
        try permit(request.method, to: caller)
        if request.method.responseTime != .instant { slowWork.beginSlowWork() }
        return try completed(request, from: caller, slowWork: slowWork)
    }

    private func completed(
        _ request: ControlRequest, _ resolved: ResolvedRequest? = nil, from caller: Caller,
        slowWork: SlowWorkSignal = SlowWorkSignal {}
    ) throws(ControlError) -> any WireValue {
        do {
            let reply = try reply(to: request, resolved, context(from: caller, slowWork: slowWork))
            if request.method.changesUserData { daemon.topics.notify(.personal(uid: caller.uid)) }
            return reply
        } catch {
            throw translated(error)
        }
    }

    /// Handles a request on a thread for blocking or long-running work.
    private func completed(
        _ request: ControlRequest, _ resolved: ResolvedRequest? = nil, from caller: Caller,
        on threads: BoundedThreadPool, isCancellable: Bool = true
    ) async throws(ControlError) -> any WireValue {
        let answer = await threads.run(for: caller.uid, isCancellable: isCancellable) {
            Result { () throws(ControlError) in try completed(request, resolved, from: caller) }
        }
        guard let answer else { throw ControlError(.canceled, "The request was canceled.") }
        return try answer.get()
    }

    func answerLongRunning(
        _ request: ControlRequest, from caller: Caller, progress: ProgressReporter
    ) async throws(ControlError) -> any WireValue {
        try permit(request.method, to: caller)
        if request.method.responseTime == .write {
            return try await completed(request, from: caller, on: daemon.writePool, isCancellable: false)
        }
        do {
            return switch request {
            case .feedUpdate(let call):
                try await daemon.feedUpdate.reply(to: call, context(from: caller), progress: progress)
            case .refresh(let call):
                try await daemon.refreshNow.reply(to: call, context(from: caller), progress: progress)
            case .keySet(let call): try await daemon.keySet.reply(to: call, context(from: caller), progress: progress)
            case .keyCheck(let call):
                try await daemon.keyCheck.reply(to: call, context(from: caller), progress: progress)
            case .addressSearch(let call):
                try await daemon.addressSearch.reply(to: call, context(from: caller), progress: progress)
            case .providerCheck(let call):
                try await daemon.providerCheck.reply(to: call, context(from: caller), progress: progress)
            case .departures, .next, .stopsShow:
                try await replyWithArrivals(to: request, from: caller)
            case .favoriteShow:
                try await replyWithArrivals(to: request, from: caller, on: daemon.readPool)
            default: try await completed(request, from: caller, on: daemon.readPool)
            }
        } catch {
            throw translated(error)
        }
    }

    /// Translates an error. A timetable version that turns out to be corrupt is abandoned, so that the next request
    /// uses another version.
    private func translated(_ error: any Error) -> ControlError {
        if case .corrupt(let path, _)? = error as? StoreError { daemon.controller.abandon(damagedFile: path) }
        var answer = ControlError.of(error)
        // An error from another thread is translated twice.
        if answer.kind.concernsUserData, let replaced = restoredStateNotice(at: daemon.clock.now()),
            answer.hint?.hasPrefix(replaced.message) != true
        {
            answer.hint = [replaced.message, answer.hint].compactMap { $0 }.joined(separator: " ")
        }
        if answer.kind == .feedNoData {
            let now = daemon.clock.reading()
            for feed in daemon.feeds.all where feed.timetable == nil {
                daemon.demand.recordRequestWithoutTimetable(feed.id, at: now)
            }
        }
        return answer
    }

    func waits(_ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal) -> Bool {
        guard request.method.mayNeedArrivals, !daemon.arrivals.isEmpty else { return false }
        // Determining the queries for many boards takes as long as building the boards.
        if request.method.responseTime != .instant { slowWork.beginSlowWork() }
        return registerDemand(for: request, context(from: caller, slowWork: slowWork)) != nil
    }

    /// - Parameter threads: The threads on which the reply is computed; if `nil`, the reply is computed in the current
    ///   task.
    private func replyWithArrivals(
        to request: ControlRequest, from caller: Caller, on threads: BoundedThreadPool? = nil
    ) async throws -> any WireValue {
        let resolved = try? ResolvedRequest(request, context(from: caller).query)
        if let resolved { await waitForArrivals(of: resolved, context(from: caller)) }
        if let threads { return try await completed(request, resolved, from: caller, on: threads) }
        return try reply(to: request, resolved, context(from: caller))
    }

    func reply(to request: ControlRequest, _ context: RequestContext) throws -> any WireValue {
        switch request {
        case .status(let parameters): try daemon.status.reply(to: parameters, context)
        case .next(let parameters): try next(parameters, context)
        case .departures(let parameters): try departures(parameters, context)
        case .stopsSearch(let parameters): try stopsSearch(parameters, context)
        case .stopsNear(let parameters): try stopsNear(parameters, context)
        case .stopsShow(let parameters): try stopsShow(parameters, context)
        case .routesSearch(let parameters): try routesSearch(parameters, context)
        case .routesShow(let parameters): try routesShow(parameters, context)
        case .routesStops(let parameters): try routesStops(parameters, context)
        case .tripShow(let parameters): try tripShow(parameters, context)
        case .commuteList: commuteList(context)
        case .commuteAdd(let parameters): try commuteAdd(parameters, context)
        case .commuteRename(let parameters): try commuteRename(parameters, context)
        case .commuteRemove(let parameters): try commuteRemove(parameters, context)
        case .commuteUse(let parameters): try commuteUse(parameters, context)
        case .placeList: try placeList(context)
        case .placeSet(let parameters): try placeSet(parameters, context)
        case .placeRemove(let parameters): try placeRemove(parameters, context)
        case .favoriteList: favoriteList(context)
        case .favoriteShow(let parameters): try favoriteShow(parameters, context)
        case .favoriteAdd(let parameters): try favoriteAdd(parameters, context)
        case .favoriteRename(let parameters): try favoriteRename(parameters, context)
        case .favoriteCategory(let parameters): try favoriteCategory(parameters, context)
        case .favoriteOrder(let parameters): try favoriteOrder(parameters, context)
        case .favoriteRemove(let parameters): try favoriteRemove(parameters, context)
        case .keyRemove(let parameters): try daemon.keyRemove.reply(to: parameters, context)
        case .recentList(let parameters): daemon.recentList.reply(to: parameters, context)
        case .recentClear(let parameters): try daemon.recentClear.reply(to: parameters, context)
        case .providerList(let parameters): daemon.providerList.reply(to: parameters, context)
        case .feedList(let parameters): daemon.feedList.reply(to: parameters, context)
        case .feedValidate(let parameters): try feedValidate(parameters, context)
        case .feedRollback(let parameters): try daemon.feedRollback.reply(to: parameters, context)
        case .feedDiff(let parameters): try feedDiff(parameters, context)
        case .configReload(let parameters): try daemon.configReload.reply(to: parameters, context)
        case .doctor(let parameters): try daemon.doctor.reply(to: parameters, context)
        case .feedVersions(let parameters): try daemon.feedVersions.reply(to: parameters, context)
        case .configCheck(let parameters): daemon.configCheck.reply(to: parameters, context)
        case .budget(let parameters): try daemon.budget.reply(to: parameters, context)
        case .explain(let parameters): try explain(parameters, context)
        case .vehicles(let parameters): try vehicles(parameters, context)
        case .alerts(let parameters): try alerts(parameters, context)
        case .hello, .describe, .cancel, .subscribe, .unsubscribe, .feedUpdate, .refresh, .keySet, .keyCheck,
            .providerCheck, .addressSearch:
            throw ControlError(.internalError, "\(request.method.rawValue) was dispatched to the wrong handler.")
        }
    }

    /// Returns a snapshot of the data for a request.
    func context(from caller: Caller, slowWork: SlowWorkSignal = SlowWorkSignal {}) -> RequestContext {
        RequestContext(
            now: daemon.clock.now(), caller: caller, configuration: daemon.configuration.current,
            feeds: daemon.feeds.all, personal: PersonalState(daemon.state.userRecord(of: caller.uid)),
            slowWork: slowWork)
    }

    /// Returns the context after a change to the caller's places, commutes or favorites.
    func withCurrentUserData(_ context: RequestContext) -> RequestContext {
        context.withPersonalState(PersonalState(daemon.state.userRecord(of: context.caller.uid)))
    }
}

extension ControlMethod {
    /// Whether a reply may depend on on-demand arrivals (``RequestHandlers/arrivalsRequirements(of:_:)``).
    fileprivate var mayNeedArrivals: Bool {
        switch self {
        case .departures, .next, .favoriteShow, .stopsShow: true
        default: false
        }
    }

    /// Whether the method changes the caller's commutes, places or favorites.
    fileprivate var changesUserData: Bool {
        switch self {
        case .commuteAdd, .commuteRename, .commuteRemove, .commuteUse, .placeSet, .placeRemove,
            .favoriteAdd, .favoriteRename, .favoriteCategory, .favoriteOrder, .favoriteRemove:
            true
        default: false
        }
    }
}

// MARK: - Permissions

extension RequestHandlers {
    /// The methods that are reserved to root and the daemon's user, because they change shared data or report errors in
    /// the configuration file.
    private static let ownerMethods: Set<ControlMethod> = [
        .feedUpdate, .feedRollback, .configCheck, .configReload, .keySet, .keyCheck, .keyRemove, .providerCheck,
    ]

    private static func allowedMethods(_ caller: Caller, _ method: ControlMethod, _ daemon: DaemonComponents) -> Bool {
        !ownerMethods.contains(method) || caller.uid == 0 || caller.uid == daemon.uid
    }

    private static func methods(for caller: Caller, daemon: DaemonComponents) -> [ControlMethod] {
        ControlMethod.allCases.filter { allowedMethods(caller, $0, daemon) }
    }

    private func permit(_ method: ControlMethod, to caller: Caller) throws(ControlError) {
        guard Self.allowedMethods(caller, method, daemon) else {
            throw ControlError(
                .notAllowed, "User \(caller.uid) may not use \(method.rawValue) here.",
                hint: "Run the command as root or as the user that transitd runs as.")
        }
    }
}

/// The permission of root and of the user that the daemon runs as.
struct OwnerPermission: Sendable {
    /// The user that the daemon runs as.
    let uid: UInt32

    /// Throws an error unless the caller is root or the user that the daemon runs as. `deed` describes the action for
    /// the error message.
    func check(_ caller: Caller, _ deed: String) throws(ControlError) {
        guard caller.uid == 0 || caller.uid == uid else {
            throw ControlError(
                .notAllowed, "User \(caller.uid) may not \(deed) here.",
                hint: "Run the command as root or as the user that transitd runs as.")
        }
    }
}
