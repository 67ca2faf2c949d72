internal import TransitControl
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

extension RequestHandlers {
    func feedList(_ context: RequestContext) -> FeedListResult {
        let plans = daemon.refresh.plans()
        return FeedListResult(
            at: context.at,
            feeds: context.feeds.map { daemon.status(of: $0, plans: plans, now: context.now) },
            notices: FeedNotices(now: context.now).about(context.feeds))
    }

    func feedVersions(_ parameters: FeedVersionsParameters, _ context: RequestContext) throws -> FeedVersionsResult {
        let (feed, library) = try opened(parameters.feed, context)
        return FeedVersionsResult(
            at: context.at, feed: feed.id,
            versions: try library.versions().map { try Self.rendered($0, in: library, zone: context.zone) },
            notices: FeedNotices(now: context.now).about(feed))
    }

    func feedValidate(_ parameters: FeedValidateParameters, _ context: RequestContext) throws -> FeedValidateResult {
        if parameters.realtime { return try realtimeReport(parameters, context) }
        let (feed, library) = try opened(parameters.feed, context)
        if parameters.attempt, let report = try daemon.state.refusal(of: feed.id) {
            return Self.rendered(report, of: nil, feed, context, isRefused: true)
        }
        guard let number = parameters.version ?? library.currentNumber else {
            if let report = try daemon.state.refusal(of: feed.id) {
                return Self.rendered(report, of: nil, feed, context, isRefused: true)
            }
            throw ControlError.noData([feed], at: context.now)
        }
        let report = try version(number, of: feed.id, in: library).report()
        return Self.rendered(report, of: number, feed, context, isRefused: false)
    }

    private static func rendered(
        _ report: ValidationReport, of number: Int?, _ feed: FeedSnapshot, _ context: RequestContext, isRefused: Bool
    ) -> FeedValidateResult {
        FeedValidateResult(
            at: context.at, feed: feed.id, version: number, isRefused: isRefused, counts: FindingCounts(report),
            findings: report.findings.sorted { $0.severity > $1.severity }.map { Finding($0) },
            notices: FeedNotices(now: context.now).about(feed))
    }

    func feedRollback(_ parameters: FeedRollbackParameters, _ context: RequestContext) throws -> FeedRollbackResult {
        let (feed, library) = try opened(parameters.feed, context)
        guard let previous = library.currentNumber else { throw ControlError.noData([feed], at: context.now) }
        guard !feed.isUpdating else {
            throw ControlError(
                .feedBusy, "\(feed.id) is being updated.", hint: "Try again when the update is finished.")
        }
        let service = try daemon.service(of: feed.id)
        let version: TimetableLibrary.Version
        do throws(StoreError) {
            version = try service.rollback(to: parameters.version)
        } catch .notFound(let what) {
            throw Self.versionNotFound(what, feed.id)
        }
        return FeedRollbackResult(
            at: context.at, feed: feed.id, version: try Self.rendered(version, in: library, zone: context.zone),
            previous: previous, notices: daemon.notices(about: feed.id, at: context.now))
    }

    func feedUpdate(
        _ parameters: FeedUpdateParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> FeedUpdateResult {
        let (feed, library) = try opened(parameters.feed, context)
        let previous = library.currentNumber
        let began = Stopwatch()
        let service = try daemon.service(of: feed.id)
        let listener = parameters.progress ? service.listen { progress.report(RequestProgress($0)) } : nil
        if parameters.force { service.forceNext() }
        let id = DatasetID(feed.id, .static)
        let answer = await daemon.refresh.waiters.refresh(.dataset(id), force: parameters.force)[id]
        withExtendedLifetime(listener) {}
        let outcome = try self.outcome(of: answer, service, context)
        let current = try library.versions().first(where: \.isCurrent)
        return FeedUpdateResult(
            at: Timestamp(daemon.clock.now(), in: context.zone), feed: feed.id,
            outcome: outcome.outcome == .updated ? .updated : .unchanged, message: outcome.message,
            version: try current.map { try Self.rendered($0, in: library, zone: context.zone) },
            previous: outcome.version == nil ? nil : previous, downloaded: Int(clamping: outcome.fetched),
            seconds: began.elapsed, notices: daemon.notices(about: feed.id, at: daemon.clock.now()))
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
                let hasVersion = daemon.feeds.snapshot(service.id)?.timetable != nil
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
            let isUpdating = daemon.feeds.snapshot(service.id)?.isUpdating == true
            throw ControlError(
                .canceled,
                isUpdating
                    ? "The import of \(service.id) continues in the daemon."
                    : "transitctl no longer waits for the update of \(service.id), which may still run later.",
                hint: "Check its progress with: transitctl status \(service.id).")
        }
    }

    // MARK: Versions

    private func opened(
        _ id: FeedID, _ context: RequestContext
    ) throws -> (feed: FeedSnapshot, library: TimetableLibrary) {
        let feed = try context.feed(id)
        return (feed, try daemon.service(of: id).library())
    }

    func version(_ number: Int, of feed: FeedID, in library: TimetableLibrary) throws -> TimetableFile {
        do throws(StoreError) { return try library.file(version: number) } catch .notFound(let what) {
            throw Self.versionNotFound(what, feed)
        }
    }

    private static func versionNotFound(_ what: String, _ feed: FeedID) -> ControlError {
        ControlError(
            .feedVersionNotFound, "\(feed) has no \(what).",
            hint: "List its versions with: transitctl feed versions \(feed).")
    }

    static func rendered(
        _ version: TimetableLibrary.Version, in library: TimetableLibrary, zone: ServiceZone
    ) throws -> FeedVersion {
        let summary = version.summary
        return FeedVersion(
            number: version.number, isCurrent: version.isCurrent, feedVersion: summary.feedInfo?.version,
            publisher: summary.feedInfo?.publisher, serviceDates: summary.serviceDates.map { DateSpan($0) },
            imported: Timestamp(summary.origin.fetched, in: zone), url: summary.origin.url, etag: summary.origin.etag,
            lastModified: summary.origin.lastModified, digest: summary.contentDigest,
            counts: FeedCounts(summary.counts), bytes: version.size,
            findings: FindingCounts(try library.file(version: version.number).report()))
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
        }
    }
}
