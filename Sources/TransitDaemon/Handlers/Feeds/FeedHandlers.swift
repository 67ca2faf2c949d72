internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles `feed.list`.
struct FeedListHandler: MethodHandler {
    let status: FeedStatusReader
    let refresh: RefreshService

    func reply(to parameters: FeedListParameters, _ context: RequestContext) -> FeedListResult {
        let plans = refresh.plans()
        var feeds = context.feeds.map { status.status(of: $0, plans: plans, now: context.now) }
        if context.caller.restriction == .anonymous {
            // The rule contains the positions of the user's places.
            for position in feeds.indices { feeds[position].kept?.rule = "a part of the feed" }
        }
        return FeedListResult(
            at: context.at, feeds: feeds, notices: FeedNotices(now: context.now).about(context.query.feeds))
    }
}

/// Handles `feed.versions`.
struct FeedVersionsHandler: MethodHandler {
    let controller: FeedController

    func reply(to parameters: FeedVersionsParameters, _ context: RequestContext) throws -> FeedVersionsResult {
        try controller.versions(of: parameters.feed, context).versions(context.query)
    }
}

/// Handles `feed.diff`.
struct FeedDiffHandler: MethodHandler {
    let controller: FeedController

    func reply(to parameters: FeedDiffParameters, _ context: RequestContext) throws -> FeedDiffResult {
        try controller.versions(of: parameters.feed, context).differences(parameters, context.query)
    }
}

/// Handles `feed.history.clear`.
struct FeedHistoryClearHandler: MethodHandler {
    let realtimeFeeds: RealtimeFeeds
    let permission: OwnerPermission

    func reply(to parameters: FeedHistoryClearParameters, _ context: RequestContext) throws -> FeedHistoryClearResult {
        try permission.check(context.caller, "remove what has been learned about delays")
        let feeds = try context.query.feeds(named: parameters.feed).map(\.id)
        return FeedHistoryClearResult(
            at: context.at, feeds: feeds.filter { realtimeFeeds.clearDelays(of: $0, now: context.now) })
    }
}

/// Handles `feed.validate`.
struct FeedValidateHandler: MethodHandler {
    let controller: FeedController
    let state: StateStore
    let realtimeFeeds: RealtimeFeeds
    let arrivals: ArrivalsService

    func reply(to parameters: FeedValidateParameters, _ context: RequestContext) throws -> FeedValidateResult {
        let feed = try context.feed(parameters.feed)
        guard parameters.realtime else {
            return try controller.versions(of: feed.id, context)
                .findings(for: parameters, refusal: try state.refusal(of: feed.id), context.query)
        }
        return RealtimeValidationReply(
            feed: feed.view, arrivalsFailure: arrivals.summary(of: feed.id)?.lastFailure
        ).result(context.query) { kind in
            realtimeFeeds.validate(DatasetID(feed.id, kind), now: context.now)
        }
    }
}

/// Handles `feed.rollback`.
struct FeedRollbackHandler: MethodHandler {
    let controller: FeedController
    let feeds: FeedRegistry

    func reply(to parameters: FeedRollbackParameters, _ context: RequestContext) throws -> FeedRollbackResult {
        let (feed, library) = try controller.opened(parameters.feed, context)
        guard let previous = library.currentNumber else { throw ControlError.noData([feed.view]) }
        guard !feed.isUpdating else {
            throw ControlError(
                .feedBusy, "\(feed.id) is being updated.", hint: "Try again when the update is finished.")
        }
        let service = try controller.service(of: feed.id)
        let version: TimetableLibrary.Version
        do throws(StoreError) {
            version = try service.rollback(to: parameters.version)
        } catch .notFound(let what) {
            throw ControlError.versionNotFound(what, feed.id)
        }
        return FeedRollbackResult(
            at: context.at, feed: feed.id,
            version: try FeedVersionReplies(feed.view, in: library).version(version, context.query),
            previous: previous, notices: feeds.notices(about: feed.id, at: context.now))
    }
}

/// Handles `feed.update`: waits for the outcome of an update, which is shared with other callers.
struct FeedUpdateHandler: LongRunningMethodHandler {
    let controller: FeedController
    let feeds: FeedRegistry
    let refresh: RefreshService
    let clock: any DaemonClock

    func reply(
        to parameters: FeedUpdateParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> FeedUpdateResult {
        let (feed, library) = try controller.opened(parameters.feed, context)
        let previous = library.currentNumber
        let began = Stopwatch()
        let service = try controller.service(of: feed.id)
        let listener = parameters.progress ? service.listen { progress.report(RequestProgress($0)) } : nil
        if parameters.force { service.forceNext() }
        let id = DatasetID(feed.id, .static)
        let answer = await refresh.waiters.refresh(.dataset(id), force: parameters.force)[id]
        withExtendedLifetime(listener) {}
        let outcome = try self.outcome(of: answer, service, context)
        let current = try library.versions().first(where: \.isCurrent)
        return FeedUpdateResult(
            at: Timestamp(clock.now(), in: context.zone), feed: feed.id,
            outcome: outcome.outcome == .updated ? .updated : .unchanged, message: outcome.message,
            version: try current.map { try FeedVersionReplies(feed.view, in: library).version($0, context.query) },
            previous: outcome.version == nil ? nil : previous, downloaded: Int(clamping: outcome.fetched),
            seconds: began.elapsed, notices: feeds.notices(about: feed.id, at: clock.now()))
    }

    /// Returns the outcome of the update that the caller waited for.
    private func outcome(
        of answer: RefreshAnswer?, _ service: FeedService, _ context: RequestContext
    ) throws(ControlError) -> FeedImport.Outcome {
        switch answer {
        case .ended:
            guard let outcome = service.lastOutcome else {
                throw ControlError(.canceled, "The update was canceled.")
            }
            guard outcome.outcome == .updated || outcome.outcome == .unchanged else {
                let hasVersion = feeds.snapshot(service.id)?.timetable != nil
                throw ControlError(outcome, of: service.id, hasVersion: hasVersion)
            }
            return outcome
        case .fresh(let age):
            return FeedImport.Outcome(outcome: .unchanged, message: "The source was queried \(age) s ago.")
        case .held(let reason, let until):
            throw ControlError(
                .feedBusy, "\(service.id) cannot be fetched now: \(reason.words)",
                hint: until.map { "Try again after \(context.zone.rfc3339($0))." } ?? "Try again later.")
        case .removed: throw ControlError.feedNotFound(service.id, known: context.feeds.map(\.id))
        // The caller canceled the wait. The update is shared with other callers and continues.
        case nil:
            let isUpdating = feeds.snapshot(service.id)?.isUpdating == true
            throw ControlError(
                .canceled,
                isUpdating
                    ? "The import of \(service.id) continues in the daemon."
                    : "transitctl no longer waits for the update of \(service.id), which may still run later.",
                hint: "Check its progress with: transitctl status \(service.id).")
        }
    }
}

extension ControlError {
    /// Creates the error for an update that did not succeed.
    ///
    /// - Parameter hasVersion: Whether a previous version stays in use.
    fileprivate init(_ outcome: FeedImport.Outcome, of feed: FeedID, hasVersion: Bool) {
        let rest = hasVersion ? "The previous version stays in use." : nil
        switch outcome.kind {
        case nil: self.init(.canceled, outcome.message)
        case .refused:
            self.init(
                .feedRefused, outcome.message,
                hint: ["Show the findings with: transitctl feed validate \(feed) --attempt.", rest].compactMap(\.self)
                    .joined(separator: " "))
        case .unreachable: self.init(.feedUnreachable, outcome.message, hint: rest)
        case .diskFull: self.init(.storageFull, outcome.message, hint: "Free disk space, then repeat the request.")
        case .disk: self.init(.storageFailed, outcome.message)
        case .thread: self.init(.internalError, outcome.message, hint: rest)
        }
    }
}

extension FeedController {
    /// Returns a feed of the request and the library of its versions.
    func opened(
        _ id: FeedID, _ context: RequestContext
    ) throws -> (feed: FeedSnapshot, library: TimetableLibrary) {
        let feed = try context.feed(id)
        return (feed, try service(of: id).library())
    }

    fileprivate func versions(of id: FeedID, _ context: RequestContext) throws -> FeedVersionReplies {
        let (feed, library) = try opened(id, context)
        return FeedVersionReplies(feed.view, in: library)
    }
}

extension FeedRegistry {
    /// Returns the notices about a feed's current state.
    func notices(about feed: FeedID, at now: Instant) -> [Notice] {
        snapshot(feed).map { FeedNotices(now: now).about($0.view) } ?? []
    }
}
