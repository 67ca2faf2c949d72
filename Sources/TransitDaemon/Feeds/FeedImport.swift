internal import Glibc
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// One attempt to bring a feed up to date: fetch, read, judge, write, swap. Blocks; runs on a thread of its own.
struct FeedImport: Sendable {
    var configuration: FeedConfiguration
    var library: TimetableLibrary
    /// What the source said with the version that is here; `nil`: its archive is wanted whole.
    var validators: Validators?
    /// Where a download is kept while it is read.
    var downloadPath: String
    var transport: any Transport
    var keys: FeedKeys
    var zones: TimeZoneDatabase
    var now: Instant
    var clock: any DaemonClock
    /// Where collections are kept that have not ended.
    var collections: String
    /// Asked before another request of a collection.
    var permit: @Sendable () -> StepAnswer
    /// Blocks until a moment, or until the flag is set.
    var wait: @Sendable (BootTime, CancellationFlag) -> Void
    /// The memory limit of the process.
    var memory: MemoryLimit
    /// Import also what has not changed, and what would be refused beside the live version: its user wants it so.
    var isForced: Bool

    /// How an attempt ended.
    struct Outcome: Sendable {
        var outcome: UpdateOutcome
        /// A sentence for people.
        var message: String
        var kind: Failure?
        /// The version that went live, when one did.
        var version: TimetableLibrary.Version?
        /// Bytes that were fetched or read.
        var fetched: UInt64 = 0
        /// The HTTP status; `nil` when there was no answer, or no HTTP.
        var status: Int?
        /// `Retry-After` as the server wrote it.
        var retryAfter: String?
        /// Why the source could not be asked.
        var failure: TransitDaemon.FetchFailure?
        /// Of the contents that came; `nil` when none came, because the source said that they are unchanged or failed.
        var digest: String?
        var etag: String?
        var lastModified: String?
        /// What was found in a feed that was refused.
        var refusal: ValidationReport?
    }

    /// Of what kind a failure is, for the error on the wire.
    enum Failure: Hashable, Sendable {
        case unreachable, refused, diskFull, disk
    }

    typealias Report = @Sendable (UpdateProgress) -> Void

    func run(_ flag: CancellationFlag, progress: @escaping Report) -> Outcome {
        defer { unlink(downloadPath) }
        do {
            return try attempt(flag, progress)
        } catch let error as TransitDaemon.FetchFailure {
            return outcome(of: error)
        } catch let error as UnexpectedStatus {
            return Outcome(
                outcome: .failed, message: "\(error)".asSentence, kind: .unreachable, status: error.status,
                retryAfter: error.retryAfter)
        } catch let error as FeedError {
            return Self.outcome(of: error)
        } catch let error as StoreError {
            return Self.outcome(of: error)
        } catch {
            return Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .unreachable)
        }
    }

    private func attempt(_ flag: CancellationFlag, _ progress: @escaping Report) throws -> Outcome {
        progress(.starting)
        if configuration.isCollected { return try collect(flag, progress) }
        switch try fetch(flag, progress) {
        case .unchanged: return unchanged
        case .fetched(let fetched): return try take(fetched, flag, progress)
        }
    }

    /// The source says that it has nothing new.
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

    private func fetch(_ flag: CancellationFlag, _ progress: @escaping Report) throws -> Fetch {
        switch configuration.source {
        case .demo: return .fetched(Fetched(source: DemoCity(around: today(in: DemoCity.defaultZone)).source))
        case .file(let path):
            let tag = Self.tag(ofFile: path)
            if let tag, isConditional, tag == validators?.etag { return .unchanged }
            return .fetched(Fetched(source: try FileByteSource(path: path), etag: tag))
        case .remote, .provider: return try download(flag, progress)
        }
    }

    private func download(_ flag: CancellationFlag, _ progress: @escaping Report) throws -> Fetch {
        guard var request = try configuration.fetchRequest(for: .static, keys: keys, validators: conditions) else {
            throw TransitDaemon.FetchFailure.address
        }
        request.destination = .file(path: downloadPath)
        request.progress = { done, total in
            progress(UpdateProgress(phase: UpdateProgress.fetching, done: done, total: total, unit: .bytes))
        }
        let result = transport.fetchAndWait(request, until: flag)
        switch result.outcome {
        case .notModified: return .unchanged
        case .fetched:
            let said = result.validators
            return .fetched(
                Fetched(
                    source: try FileByteSource(path: downloadPath), etag: said.etag, lastModified: said.lastModified))
        case .http(let status, let retryAfter): throw UnexpectedStatus(status: status, retryAfter: retryAfter)
        case .failed(let failure): throw failure
        }
    }

    /// To ask only for what changed.
    var conditions: Validators { isConditional ? validators ?? Validators() : Validators() }

    /// What the source said counts only for a version that came from it.
    private var isConditional: Bool {
        !isForced && library.current?.summary.origin.url == "\(configuration.source)"
    }

    /// Changes whenever the file is written or replaced; `nil` when it cannot be looked at.
    private static func tag(ofFile path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    private func today(in zone: String) -> ServiceDate { (zones.zone(named: zone) ?? .utc).civil(at: now).date }

    // MARK: Reading and writing

    private func take(_ fetched: Fetched, _ flag: CancellationFlag, _ progress: @escaping Report) throws -> Outcome {
        var outcome = try read(fetched, flag, progress)
        outcome.fetched = fetched.source.count
        outcome.status = configuration.source.isRemote ? 200 : nil
        outcome.etag = fetched.etag
        outcome.lastModified = fetched.lastModified
        return outcome
    }

    private func read(_ fetched: Fetched, _ flag: CancellationFlag, _ progress: @escaping Report) throws -> Outcome {
        var options = GTFSReader.Options(
            limits: configuration.limits.archiveLimits,
            memory: MemoryAllowance(limit: memory.forImport) { UInt64(ProcessMemory.resident()) },
            today: today(in: zoneName),
            zoneOffset: { [zones, now] in
                zones.zone(named: $0)?.offset(at: now)
            }, isKnownZone: { [zones] in zones.zone(named: $0) != nil })
        options.folder = downloadPath.lastIndex(of: "/").map { String(downloadPath[..<$0]) }
        let reader = GTFSReader(
            fetched.source, options: options,
            progress: { progress(UpdateProgress(phase: $0.file, done: $0.done, total: $0.total, unit: .bytes)) },
            isCancelled: { flag.isSet })
        return try take(
            reader.read(), Validators(etag: fetched.etag, lastModified: fetched.lastModified), flag, progress)
    }

    /// Judges what was read, writes it, and makes it live.
    func take(
        _ reading: GTFSReading, _ said: Validators, _ flag: CancellationFlag, _ progress: @escaping Report
    ) throws -> Outcome {
        if !isForced, let same = try library.unchanged(contentDigest: reading.contentDigest) {
            return Outcome(
                outcome: .unchanged, message: "The source's timetable is the same as version \(same.number).",
                digest: reading.contentDigest)
        }
        let origin = TimetableSummary.Origin(
            url: "\(configuration.source)", etag: said.etag, lastModified: said.lastModified, fetched: now)
        if let refusal = decide(reading, origin) {
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

    /// Dates of the feed are read in its own zone, which only the version before tells beforehand.
    private var zoneName: String { library.current?.agencies.first?.timezone ?? DemoCity.defaultZone }

    /// Why the version may not replace the live one; `nil` when it may.
    private func decide(_ reading: GTFSReading, _ origin: TimetableSummary.Origin) -> String? {
        let summary = TimetableSummary(
            counts: reading.draft.counts, feedInfo: reading.draft.feedInfo, serviceDates: reading.draft.serviceDates,
            latestStopTime: ServiceTime(seconds: 0), contentDigest: reading.contentDigest, origin: origin)
        let decision = FeedAcceptance.decide(
            summary, previous: isForced ? nil : library.current?.summary, today: today(in: zoneName),
            isNetwork: configuration.isCollected)
        guard case .refuse(let reason) = decision else { return nil }
        return reason
    }

    private static func message(about version: TimetableLibrary.Version, today: ServiceDate) -> String {
        let counts = version.summary.counts
        var message = "Version \(version.number) is live: \(counts.stops) stops, \(counts.trips) trips"
        if let last = version.summary.serviceDates?.upperBound {
            message += last < today ? ", expired since \(last)" : ", service until \(last)"
        } else {
            message = "Version \(version.number) is live: \(counts.stops) stops, \(counts.routes) routes, without times"
        }
        return message + "."
    }
}

// MARK: - What went wrong

extension FeedImport {
    private func outcome(of failure: TransitDaemon.FetchFailure) -> Outcome {
        switch failure {
        case .canceled: Outcome(outcome: .canceled, message: "The update was canceled.")
        case .file(ENOSPC), .file(EDQUOT):
            Outcome(outcome: .failed, message: "The disk is full: \(failure).", kind: .diskFull)
        case .file: Outcome(outcome: .failed, message: "\(failure)".asSentence, kind: .disk)
        case .tooLarge:
            Outcome(
                outcome: .refused,
                message: "The archive has more than \(configuration.limits.download >> 20) MiB (download_mib).",
                kind: .refused)
        default:
            Outcome(outcome: .failed, message: "\(failure)".asSentence, kind: .unreachable, failure: failure)
        }
    }

    private static func outcome(of error: FeedError) -> Outcome {
        switch error {
        case .canceled: Outcome(outcome: .canceled, message: "The update was canceled.")
        case .unreadable: Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .unreachable)
        case .refused(_, let report):
            Outcome(outcome: .refused, message: "\(error)".asSentence, kind: .refused, refusal: report)
        case .limit(.memory):
            Outcome(
                outcome: .refused,
                message: "\(error), half of what the daemon may have: raise MemoryMax= of its unit".asSentence,
                kind: .refused)
        case .notAZip, .archive, .limit, .table, .notRealtime, .notDocument, .message:
            Outcome(outcome: .refused, message: "\(error)".asSentence, kind: .refused)
        }
    }

    private static func outcome(of error: StoreError) -> Outcome {
        switch error {
        case .canceled: Outcome(outcome: .canceled, message: "The update was canceled.")
        case .diskFull:
            Outcome(
                outcome: .failed, message: "The disk is full: \(error). The timetable stays as it was.", kind: .diskFull
            )
        default: Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .disk)
        }
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
    /// What the archive's reader takes.
    var archiveLimits: ArchiveLimits {
        var limits = ArchiveLimits()
        if let total { limits.totalSize = total }
        if let member { limits.memberSize = member }
        if let ratio { limits.ratio = ratio }
        if let members { limits.members = members }
        return limits
    }
}

/// A status that is neither 200 nor an expected 304.
struct UnexpectedStatus: Error, CustomStringConvertible {
    var status: Int
    var retryAfter: String?
    var description: String { "the server answered with status \(status)" }
}
