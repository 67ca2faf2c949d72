internal import Glibc
internal import TransitEngine
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// One attempt to update a feed: fetch, read, validate, write, switch versions. Blocks, so it runs on a thread of its
/// own.
struct FeedImport: Sendable {
    var configuration: FeedConfiguration
    var library: TimetableLibrary
    /// The HTTP validators of the current version; `nil` requests the whole archive.
    var validators: Validators?
    /// The path of the downloaded file, which is deleted after it is read.
    var downloadPath: String
    var transport: any Transport
    var keys: FeedKeys
    var zones: TimeZoneDatabase
    var now: Instant
    var clock: any DaemonClock
    /// The folder of unfinished collections.
    var collections: String
    /// Called for permission before each further request of a collection.
    var permit: @Sendable () -> StepPermission
    /// Blocks until a moment or until the flag is set.
    var wait: @Sendable (BootTime, CancellationFlag) -> Void
    /// The memory that this import shares with other imports and with the data in use.
    var memory: MemoryReservations
    /// Called before the import reads the timetable, with true, and when it has to wait for memory, with false. If the
    /// daemon is killed, only an import that reads is assumed to be the cause.
    var recordImport: ImportRecorder
    /// Whether to import the timetable even if it is unchanged or would be refused in comparison with the current
    /// version. Set at the user's request.
    var isForced: Bool
    /// The requests of this attempt.
    let requests = SentRequests()

    /// The outcome of an attempt.
    struct Outcome: Sendable {
        var outcome: UpdateOutcome
        /// A sentence for the user.
        var message: String
        var kind: Failure?
        /// The version that became current; `nil` if the current version did not change.
        var version: TimetableLibrary.Version?
        /// The number of bytes that were fetched or read.
        var fetched: UInt64 = 0
        /// The HTTP status; `nil` if there was no response or the source does not use HTTP.
        var status: Int?
        /// `Retry-After` as the server wrote it.
        var retryAfter: String?
        /// The reason why the source could not be fetched.
        var failure: TransportFailure?
        /// The digest of the fetched contents; `nil` if nothing was fetched, because the source has no new data or
        /// the fetch failed.
        var digest: String?
        var etag: String?
        var lastModified: String?
        /// The findings of a feed that was refused.
        var refusal: ValidationReport?
        /// The number of requests that left this machine.
        var requests = 0
        /// Whether a failed collection received responses, which the next attempt does not request again.
        var madeProgress = false
    }

    /// The kind of a failure, which determines the kind of the error in the reply.
    enum Failure: Hashable, Sendable {
        case unreachable, refused, diskFull, disk
        /// The system could not create a thread.
        case thread
    }

    typealias Report = @Sendable (UpdateProgress) -> Void
    /// Returns ``StepPermission/canceled`` if the import must not begin.
    typealias ImportRecorder = @Sendable (_ isReading: Bool) -> StepPermission

    func run(_ flag: CancellationFlag, progress: @escaping Report) -> Outcome {
        defer { unlink(downloadPath) }
        var outcome = end(flag, progress)
        outcome.requests = requests.sent
        // What could not be stored is requested again, so it is no progress.
        outcome.madeProgress =
            outcome.outcome == .failed && requests.answered > 0 && configuration.isCollected
            && outcome.kind != .disk && outcome.kind != .diskFull
        return outcome
    }

    private func end(_ flag: CancellationFlag, _ progress: @escaping Report) -> Outcome {
        do {
            return try attempt(flag, progress)
        } catch let error as TransportFailure {
            return outcome(of: error)
        } catch let error as UnexpectedStatus {
            return Outcome(
                outcome: .failed, message: "\(error)".asSentence, kind: .unreachable, status: error.status,
                retryAfter: error.retryAfter)
        } catch let error as FeedError {
            return outcome(of: error)
        } catch let error as StoreError {
            return Self.outcome(of: error)
        } catch {
            return Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .unreachable)
        }
    }

    private func attempt(_ flag: CancellationFlag, _ progress: @escaping Report) throws -> Outcome {
        progress(.starting)
        if configuration.isCollected { return try collect(flag, progress) }
        let isWhole = beginPathwaysRequest()
        defer { if isWhole { endPathwaysRequest(flag) } }
        switch try fetch(flag, isWhole: isWhole, progress) {
        case .unchanged: return unchanged
        case .fetched(let fetched): return try importArchive(fetched, flag, progress)
        }
    }

    // MARK: Pathways

    /// Returns whether the whole source must be requested because the current version was written before this program read
    /// pathways.txt: an unchanged source would leave it without pathways. This happens once for a version, and is recorded
    /// first, so that neither a failure nor a crash repeats it.
    private func beginPathwaysRequest() -> Bool {
        guard isConditional, !library.hasRequestedPathways, (try? library.lacksPathways()) == true else { return false }
        do throws(StoreError) {
            try library.recordPathwaysRequest()
            return true
        } catch { return false }
    }

    /// Removes the record of the request if nothing was requested, or not to the end because the daemon stopped.
    private func endPathwaysRequest(_ flag: CancellationFlag) {
        guard flag.isSet || configuration.source.isRemote && requests.sent == 0 else { return }
        // If it cannot be removed, the pathways come with the next change of the source.
        try? library.removePathwaysRequest()
    }

    /// The outcome when the source has no new data.
    var unchanged: Outcome {
        Outcome(
            outcome: .unchanged, message: "The source has nothing new.",
            status: configuration.source.isRemote ? 304 : nil, etag: validators?.etag,
            lastModified: validators?.lastModified)
    }

    // MARK: Fetching

    private enum Fetch {
        case unchanged
        case fetched(Fetched)
    }

    private struct Fetched {
        var source: any ByteSource
        var etag: String?
        var lastModified: String?
    }

    /// - Parameter isWhole: Whether the source is requested without conditions for its pathways.
    private func fetch(_ flag: CancellationFlag, isWhole: Bool, _ progress: @escaping Report) throws -> Fetch {
        switch configuration.source {
        case .demo: return .fetched(Fetched(source: DemoCity(around: today(in: DemoCity.defaultZone)).source))
        case .file(let path):
            let tag = Self.tag(ofFile: path)
            if let tag, isConditional, !isWhole, tag == validators?.etag { return .unchanged }
            return .fetched(Fetched(source: try FileByteSource(path: path), etag: tag))
        case .remote, .provider: return try download(flag, isWhole ? Validators() : conditions, progress)
        }
    }

    private func download(
        _ flag: CancellationFlag, _ conditions: Validators, _ progress: @escaping Report
    ) throws -> Fetch {
        guard var request = try configuration.fetchRequest(for: .static, keys: keys, validators: conditions) else {
            throw TransportFailure.address
        }
        request.destination = .file(path: downloadPath)
        request.progress = { done, total in
            progress(UpdateProgress(phase: UpdateProgress.fetching, done: done, total: total, unit: .bytes))
        }
        let result = transport.fetchAndWait(request, until: flag)
        requests.add(result)
        switch result.outcome {
        case .notModified: return .unchanged
        case .fetched:
            let received = result.validators
            return .fetched(
                Fetched(
                    source: try FileByteSource(path: downloadPath), etag: received.etag,
                    lastModified: received.lastModified))
        case .http(let status, let retryAfter): throw UnexpectedStatus(status: status, retryAfter: retryAfter)
        case .failed(let failure): throw failure
        }
    }

    /// The validators of a conditional request.
    var conditions: Validators { isConditional ? validators ?? Validators() : Validators() }

    /// The validators apply only to a version from the same source with the same kept part. A response without data would
    /// otherwise leave the previous part in use.
    private var isConditional: Bool {
        !isForced && library.current?.summary.origin.url == "\(configuration.source)"
            && library.current?.summary.subset?.rule == configuration.keep?.description
    }

    /// Returns a tag that changes whenever the file is written or replaced; `nil` if the file cannot be read.
    private static func tag(ofFile path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    private func today(in zone: String) -> ServiceDate { (zones.zone(named: zone) ?? .utc).civil(at: now).date }

    // MARK: Reading and writing

    private func importArchive(_ fetched: Fetched, _ flag: CancellationFlag, _ progress: @escaping Report) throws
        -> Outcome
    {
        var outcome = try read(fetched, flag, progress)
        outcome.fetched = fetched.source.count
        outcome.status = configuration.source.isRemote ? 200 : nil
        outcome.etag = fetched.etag
        outcome.lastModified = fetched.lastModified
        return outcome
    }

    /// Reads the archive when there is enough memory for it.
    private func read(_ fetched: Fetched, _ flag: CancellationFlag, _ progress: @escaping Report) throws -> Outcome {
        try beginReading()
        let estimate = try ZipArchive(fetched.source, limits: configuration.limits.archiveLimits)
            .memoryEstimate(isPartial: configuration.keep != nil)
        let shared = try reserve(estimate, flag, progress)
        defer { shared.release() }
        do { return try read(fetched, shared.allowance, flag, progress) } catch FeedError.limit(.memory)
            where shared.hadCompany
        {
            // Only the memory of the whole process can be measured, and another import may have taken it.
            shared.release()
        }
        let exclusive = try reserve(nil, flag, progress)
        defer { exclusive.release() }
        return try read(fetched, exclusive.allowance, flag, progress)
    }

    func reserve(
        _ bytes: UInt64?, isCollection: Bool = false, _ flag: CancellationFlag, _ progress: Report
    ) throws -> MemoryReservations.Reservation {
        var hasWaited = false
        let reservation = try memory.reserve(bytes, for: configuration.id, isCollection: isCollection, until: flag) {
            hasWaited = true
            _ = recordImport(false)
            progress(UpdateProgress(phase: UpdateProgress.waitingForMemory, done: 0, total: 0, unit: .bytes))
        }
        if hasWaited { try beginReading() }
        return reservation
    }

    /// Records that the import reads the timetable from now on, before a timetable could stop the daemon.
    func beginReading() throws {
        guard recordImport(true) != .canceled else { throw TransportFailure.canceled }
    }

    private func read(
        _ fetched: Fetched, _ allowance: MemoryAllowance, _ flag: CancellationFlag, _ progress: @escaping Report
    ) throws -> Outcome {
        var options = GTFSReader.Options(
            limits: configuration.limits.archiveLimits, memory: allowance,
            today: today(in: zoneName),
            zoneOffset: { [zones, now] in
                zones.zone(named: $0)?.offset(at: now)
            }, isKnownZone: { [zones] in zones.zone(named: $0) != nil })
        options.subset = configuration.keep
        options.folder = downloadPath.lastIndex(of: "/").map { String(downloadPath[..<$0]) }
        let reader = GTFSReader(
            fetched.source, options: options,
            progress: { progress(UpdateProgress(phase: $0.file, done: $0.done, total: $0.total, unit: .bytes)) },
            isCancelled: { flag.isSet })
        return try importReading(
            reader.read(), Validators(etag: fetched.etag, lastModified: fetched.lastModified), flag, progress)
    }

    /// Validates the parsed feed, writes it, and makes it the current version.
    func importReading(
        _ reading: GTFSReading, _ received: Validators, _ flag: CancellationFlag, _ progress: @escaping Report
    ) throws -> Outcome {
        let rule = reading.draft.subset?.rule
        let same = try isForced ? nil : library.unchanged(contentDigest: reading.contentDigest, rule: rule)
        let addsPathways = try same?.isCurrent == true && library.lacksPathways()
        if let same, !addsPathways {
            return Outcome(
                outcome: .unchanged, message: "The source's timetable is identical to version \(same.number).",
                digest: reading.contentDigest)
        }
        let origin = TimetableSummary.Origin(
            url: "\(configuration.source)", etag: received.etag, lastModified: received.lastModified, fetched: now)
        if !addsPathways, let refusal = decide(reading, origin) {
            return Outcome(outcome: .refused, message: refusal.asSentence, kind: .refused, refusal: reading.report)
        }
        let version = try library.add(
            reading.draft, origin: origin, contentDigest: reading.contentDigest, report: reading.report,
            progress: {
                progress(
                    UpdateProgress(
                        phase: UpdateProgress.writing, done: UInt64($0.done), total: UInt64($0.total), unit: .rows))
            }, isCancelled: { flag.isSet })
        return Outcome(
            outcome: .updated, message: Self.message(about: version, today: today(in: zoneName)), version: version,
            digest: reading.contentDigest)
    }

    /// The time zone of the feed's dates. Before the import, the time zone is known only from the previous version.
    private var zoneName: String { library.current?.agencies.first?.timezone ?? DemoCity.defaultZone }

    /// Returns the reason why the version may not replace the current one; `nil` if it may.
    private func decide(_ reading: GTFSReading, _ origin: TimetableSummary.Origin) -> String? {
        let summary = TimetableSummary(
            counts: reading.draft.counts, feedInfo: reading.draft.feedInfo, serviceDates: reading.draft.serviceDates,
            latestStopTime: ServiceTime(seconds: 0), contentDigest: reading.contentDigest, origin: origin,
            subset: reading.draft.subset)
        let decision = FeedAcceptance.decide(
            summary, previous: isForced ? nil : library.current?.summary, today: today(in: zoneName),
            isNetwork: configuration.isCollected)
        guard case .refuse(let reason) = decision else { return nil }
        return reason
    }

    private static func message(about version: TimetableLibrary.Version, today: ServiceDate) -> String {
        let counts = version.summary.counts
        var message = "Version \(version.number) is in use: \(counts.stops) stops, \(counts.trips) trips"
        if let last = version.summary.serviceDates?.upperBound {
            message += last < today ? ", expired since \(last)" : ", service until \(last)"
        } else {
            message =
                "Version \(version.number) is in use: \(counts.stops) stops, \(counts.routes) routes, without times"
        }
        return message + "."
    }
}

extension StaticSource {
    var isRemote: Bool {
        switch self {
        case .remote, .provider: true
        case .file, .demo: false
        }
    }
}

extension FeedLimits {
    /// The limits for the archive reader.
    fileprivate var archiveLimits: ArchiveLimits {
        var limits = ArchiveLimits()
        if let total { limits.totalSize = total }
        if let member { limits.memberSize = member }
        if let ratio { limits.ratio = ratio }
        if let members { limits.members = members }
        return limits
    }
}
