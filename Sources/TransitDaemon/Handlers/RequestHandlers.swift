internal import Logging
internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Serves the control socket: finds the handler of a request in ``MethodRegistry``, and chooses the thread for it. Queries
/// never wait for the network or for an import.
final class RequestHandlers: RequestHandling {
    /// What requests need besides the handler of their method.
    struct Dependencies: Sendable {
        var contexts: RequestContexts
        var controller: FeedController
        var demand: DemandTracker
        var arrivals: ArrivalsRequests
        var notifications: NotificationService
        var permission: OwnerPermission
        var topics: ChangeNotifier<TopicChange>
        var networks: JourneyNetworkBuilds
        /// Threads that compute long-running replies. Further requests wait.
        var readPool: BoundedThreadPool
        /// The thread that searches for journeys.
        var searchPool: BoundedThreadPool
        /// The thread that changes user data. Changes wait for the disk.
        var writePool: BoundedThreadPool
    }

    let registry: MethodRegistry
    let dependencies: Dependencies

    init(_ registry: MethodRegistry, _ dependencies: Dependencies) {
        self.registry = registry
        self.dependencies = dependencies
    }

    var contexts: RequestContexts { dependencies.contexts }

    func resolve(
        _ call: MethodCall, from caller: Caller
    ) throws(ControlError) -> ServerCall<ControlRequest, UserTopic> {
        try Self.check(caller.restriction, call.method)
        if let method = registry.methods[call.method] {
            do {
                let request = try method.request(call.parameters ?? .object(JSONObject()))
                guard let restriction = (request.parameters as? HelloParameters)?.restriction else {
                    return .handled(request)
                }
                return .restricted(CallerRestriction(restriction), request)
            } catch {
                throw ControlError(error)
            }
        }
        if call.method == ControlMethod.subscribe.rawValue { return .subscribe(try topics(of: call, from: caller)) }
        switch try ControlProtocol.parse(call) {
        case let parameters as CancelParameters: return .cancel(parameters.id)
        case let parameters as UnsubscribeParameters: return .unsubscribe(parameters.subscription)
        default: throw ControlError(.internalError, "\(call.method) has no handler.")
        }
    }

    /// Throws an error if a restricted connection may not use a method.
    private static func check(_ restriction: CallerRestriction, _ name: String) throws(ControlError) {
        let onWire: ConnectionRestriction? =
            switch restriction {
            case .none: nil
            case .readOnly: .readOnly
            case .anonymous: .anonymous
            }
        guard let onWire, name != ControlProtocol.discoveryMethod,
            let method = ControlMethod(rawValue: name), !method.isAllowed(with: onWire)
        else { return }
        throw ControlError(
            .notAllowed, "\(name) is not available on a connection with the restriction \(onWire.rawValue).",
            hint: "The client restricted this connection itself, with \"hello\".")
    }

    /// Reads the topics of `subscribe`. A refusal of the topic `notifications` concerns the program that shows the user's
    /// notifications, and is remembered for `status`.
    private func topics(of call: MethodCall, from caller: Caller) throws(ControlError) -> [UserTopic] {
        do throws(ControlError) {
            guard let parameters = try ControlProtocol.parse(call) as? SubscribeParameters else {
                throw ControlError(.internalError, "\(call.method) has other parameters.")
            }
            for topic in parameters.topics {
                do throws(WireSchemaMismatch) { _ = try topic.parameters() } catch { throw ControlError(error) }
            }
            for topic in parameters.topics where topic.topic == .notifications {
                dependencies.notifications.subscribed(caller.uid, language: topic.language)
            }
            // Subscribers with different languages share the results.
            return parameters.topics.map { topic in
                var topic = topic
                if topic.topic == .notifications { topic.language = nil }
                return UserTopic(topic: topic, uid: caller.uid)
            }
        } catch {
            if Self.namesNotifications(call) {
                dependencies.notifications.refusedSubscription(caller.uid, process: caller.pid, error)
            }
            throw error
        }
    }

    private static func namesNotifications(_ call: MethodCall) -> Bool {
        guard case .array(let topics)? = call.parameters?["topics"] else { return false }
        return topics.contains { $0["topic"]?.text == TopicKind.notifications.rawValue }
    }

    func answer(
        _ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue {
        try dependencies.permission.check(caller, request.method)
        if request.responseTime != .instant { slowWork.beginSlowWork() }
        return try completed(request, from: caller, slowWork: slowWork)
    }

    private func completed(
        _ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal = SlowWorkSignal {},
        isCanceled: @escaping @Sendable () -> Bool = { false }
    ) throws(ControlError) -> any WireValue {
        do {
            let reply = try request.reply(
                contexts.context(from: caller, slowWork: slowWork, isCanceled: isCanceled))
            if request.method.storedChange == .userData { dependencies.topics.notify(.personal(uid: caller.uid)) }
            return reply
        } catch {
            throw translated(error)
        }
    }

    /// Handles a request on a thread for blocking or long-running work.
    private func completed(
        _ request: ControlRequest, from caller: Caller, on threads: BoundedThreadPool, isCancellable: Bool = true
    ) async throws(ControlError) -> any WireValue {
        let canceled = CancellationFlag()
        let outcome: Result<Result<any WireValue, ControlError>?, SystemFailure> =
            await withTaskCancellationHandler {
                do throws(SystemFailure) {
                    return .success(
                        try await threads.run(for: caller.uid, isCancellable: isCancellable) { [self] in
                            Result { () throws(ControlError) in
                                try completed(request, from: caller) { isCancellable && canceled.isSet }
                            }
                        })
                } catch { return .failure(error) }
            } onCancel: {
                canceled.set()
            }
        let answer: Result<any WireValue, ControlError>?
        do throws(SystemFailure) { answer = try outcome.get() } catch { throw ControlError(error) }
        guard let answer else { throw ControlError(.canceled, "The request was canceled.") }
        return try answer.get()
    }

    func answerLongRunning(
        _ request: ControlRequest, from caller: Caller, notifier: RequestNotifier
    ) async throws(ControlError) -> any WireValue {
        try await answerLongRunning(request, from: caller, progress: ProgressReporter(request, notifier))
    }

    func answerLongRunning(
        _ request: ControlRequest, from caller: Caller, progress: ProgressReporter
    ) async throws(ControlError) -> any WireValue {
        try dependencies.permission.check(caller, request.method)
        if request.responseTime == .write {
            return try await completed(request, from: caller, on: dependencies.writePool, isCancellable: false)
        }
        do {
            if request.waitsInTask {
                return try await request.reply(contexts.context(from: caller), progress)
            }
            var request = request
            // Without on-demand sources, the query is resolved where the reply is computed.
            let isPrepared = request.resolved != nil
            if needsArrivals(request), let resolved = request.resolve(contexts.context(from: caller)) {
                // The server prepares only requests that it may answer at once.
                if !isPrepared { dependencies.arrivals.registerDemand(of: resolved, contexts.context(from: caller)) }
                await dependencies.arrivals.wait(for: resolved, contexts.context(from: caller))
                // A request that usually is answered at once is computed in the current task.
                if request.responseTime != .lengthy { return try completed(request, from: caller) }
            }
            let isSearch = request.searchesJourneys
            if isSearch {
                let query = contexts.context(from: caller).query
                await dependencies.networks.waitForNetworks(
                    of: query.feeds.compactMap(\.timetable).filter(\.hasTimes),
                    walkingDistance: query.walkingDistance)
            }
            return try await completed(
                request, from: caller, on: isSearch ? dependencies.searchPool : dependencies.readPool)
        } catch {
            throw translated(error)
        }
    }

    /// Translates an error. A timetable version that turns out to be corrupt is abandoned, so that the next request
    /// uses another version.
    private func translated(_ error: any Error) -> ControlError {
        if case .corrupt(let path, _)? = error as? StoreError { dependencies.controller.abandon(damagedFile: path) }
        var answer = ControlError.of(error)
        // An error from another thread is translated twice.
        if answer.kind.concernsUserData, let replaced = contexts.state.recoveryNotice(at: contexts.clock.now()),
            answer.hint?.hasPrefix(replaced.message) != true
        {
            answer.hint = [replaced.message, answer.hint].compactMap { $0 }.joined(separator: " ")
        }
        if answer.kind == .feedNoData {
            let now = contexts.clock.reading()
            for feed in contexts.feeds.all where feed.timetable == nil {
                dependencies.demand.recordRequestWithoutTimetable(feed.id, at: now)
            }
        }
        return answer
    }

    func prepare(_ request: inout ControlRequest, from caller: Caller, slowWork: SlowWorkSignal) -> Bool {
        guard needsArrivals(request) else { return false }
        // Determining the queries for many boards takes as long as building the boards.
        if request.responseTime != .instant { slowWork.beginSlowWork() }
        let context = contexts.context(from: caller, slowWork: slowWork)
        return request.resolve(context).map { dependencies.arrivals.registerDemand(of: $0, context) } ?? false
    }

    /// Whether the reply may depend on a source that is queried on demand.
    func needsArrivals(_ request: ControlRequest) -> Bool {
        request.mayNeedArrivals && !dependencies.arrivals.service.isEmpty
    }
}

extension ControlRequest {
    /// Whether the reply needs the networks of journeys. Searches for journeys have a thread of their own.
    var searchesJourneys: Bool {
        responseTime == .lengthy && [.journeys, .lastJourneys, .pinnedJourneys, .next, .explain].contains(method)
    }
}

extension CallerRestriction {
    init(_ restriction: ConnectionRestriction) {
        switch restriction {
        case .readOnly: self = .readOnly
        case .anonymous: self = .anonymous
        }
    }
}

extension ControlError {
    /// Creates the error for a request whose thread could not be started.
    init(_ failure: SystemFailure) {
        self.init(.internalError, "\(failure)".asSentence, hint: "Repeat the request.")
    }
}

// MARK: - Session

extension RequestHandlers {
    var time: Timestamp { contexts.time }

    func cancelReply(isCanceled: Bool) -> any WireValue { CancelResult(isCanceled: isCanceled) }

    func laggedNotification(_ message: String) -> ServerNotification {
        ServerNotification(method: LaggedNotification.name, parameters: LaggedNotification(message: message))
    }
}

extension ControlLimits {
    /// The limits that `hello` reports.
    var onWire: Limits {
        Limits(
            request: request, reply: reply, batch: RequestLine.maximumBatch, connections: connections,
            connectionsPerUser: connectionsPerUser, inFlight: inFlight, queueMessages: queueMessages,
            queueBytes: queueBytes, lineTimeout: lineTimeout, subscriptions: subscriptions,
            heartbeat: (heartbeat + 999) / 1000)
    }
}

/// Handles `hello`.
struct HelloHandler: MethodHandler {
    /// The path of the control socket, or the name of the socket from systemd.
    let socket: String
    let permission: OwnerPermission
    let limits: ControlLimits

    func reply(to parameters: HelloParameters, _ context: RequestContext) -> HelloResult {
        let caller = context.caller
        return HelloResult(
            at: context.at, protocol: ControlProtocol.version, daemon: DaemonVersion.text,
            features: ["timetable", "commutes", "places", "favorites", "feeds", "subscriptions"], limits: limits.onWire,
            caller: CallerSummary(
                uid: Int(caller.uid), gid: Int(caller.gid), pid: caller.pid.map { Int($0) },
                allowedMethods: ControlMethod.allCases.filter { permission.allows($0, to: caller) }.map(
                    \.rawValue)),
            socket: socket)
    }
}

/// Handles `describe`.
struct DescribeHandler: MethodHandler {
    func reply(to parameters: DescribeParameters, _ context: RequestContext) -> DescribeResult {
        DescribeResult(of: parameters.method)
    }
}

// MARK: - Permissions

/// The permission of root and of the user that the daemon runs as.
struct OwnerPermission: Sendable {
    /// The user that the daemon runs as.
    let uid: UInt32

    func allows(_ method: ControlMethod, to caller: Caller) -> Bool {
        method.access == .everyone || isOwner(caller)
    }

    private func isOwner(_ caller: Caller) -> Bool { caller.uid == 0 || caller.uid == uid }

    /// Throws an error unless the caller may use the method.
    func check(_ caller: Caller, _ method: ControlMethod) throws(ControlError) {
        if method.access != .everyone { try check(caller, "use \(method.rawValue)") }
    }

    /// Throws an error unless the caller is root or the user that the daemon runs as. `deed` describes the action for
    /// the error message.
    func check(_ caller: Caller, _ deed: String) throws(ControlError) {
        guard isOwner(caller) else {
            throw ControlError(
                .notAllowed, "User \(caller.uid) may not \(deed) here.",
                hint: "Run the command as root or as the user that transitd runs as.")
        }
    }
}
