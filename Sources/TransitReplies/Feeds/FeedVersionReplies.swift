package import TransitControl
internal import TransitEngine
package import TransitModel
package import TransitQueries
package import TransitStore
package import TransitWire

/// Answers questions about the stored versions of a feed's timetable.
package struct FeedVersionReplies {
    private let feed: FeedView
    private let library: TimetableLibrary

    package init(_ feed: FeedView, in library: TimetableLibrary) {
        self.feed = feed
        self.library = library
    }

    /// Returns the reply to `feed.versions`.
    package func versions(_ context: QueryContext) throws -> FeedVersionsResult {
        FeedVersionsResult(
            at: context.at, feed: feed.id, versions: try library.versions().map { try version($0, context) },
            notices: FeedNotices(now: context.now).about(feed))
    }

    /// Returns a version as replies list it.
    package func version(_ version: TimetableLibrary.Version, _ context: QueryContext) throws -> FeedVersion {
        try FeedVersion(version, in: library, zone: context.zone)
    }

    // MARK: Findings

    /// Returns the reply to `feed.validate` about a timetable.
    ///
    /// - Parameter refusal: The findings about the last timetable that was refused; `nil` if there is none.
    package func findings(
        for parameters: FeedValidateParameters, refusal: ValidationReport?, _ context: QueryContext
    ) throws -> FeedValidateResult {
        if parameters.attempt, let refusal { return result(refusal, of: nil, context) }
        guard let number = parameters.version ?? library.currentNumber else {
            if let refusal { return result(refusal, of: nil, context) }
            throw ControlError.noData([feed])
        }
        var report = try file(version: number).report()
        if let timetable = feed.timetable, timetable.version == number,
            case .ready(let network) = timetable.journeyNetwork(walkingDistance: context.walkingDistance)
        {
            report = ValidationReport(findings: report.findings + JourneyNetworkOmissions(of: network).findings)
        }
        return result(report, of: number, context)
    }

    /// - Parameter number: The number of the version; `nil` for a timetable that was refused.
    private func result(_ report: ValidationReport, of number: Int?, _ context: QueryContext) -> FeedValidateResult {
        FeedValidateResult(
            at: context.at, feed: feed.id, version: number, isRefused: number == nil, counts: FindingCounts(report),
            findings: report.findings.sorted { $0.severity > $1.severity }.map { Finding($0) },
            notices: FeedNotices(now: context.now).about(feed))
    }

    // MARK: Differences

    /// Returns the reply to `feed.diff`. Compares both versions in full, which takes seconds for a large feed.
    package func differences(_ parameters: FeedDiffParameters, _ context: QueryContext) throws -> FeedDiffResult {
        let (old, new) = try compared(parameters)
        let zones = TimeZoneDatabase()
        let (before, after) = (try timetable(old, zones), try timetable(new, zones))
        let comparison = VersionComparison(old: before, new: after, feed: feed, context)
        let counts = try comparison.counts()
        let commutes = try comparison.commutes().map { commute, changes in
            CommuteChanges(
                commute: commute, changes: changes.prefix(parameters.count).map { FeedChange($0) },
                isTruncated: changes.count > parameters.count)
        }
        let notice = comparison.disjointDates.map { Notice(disjoint: $0, of: before, after) }
        return FeedDiffResult(
            at: context.at, feed: feed.id, from: try version(old, context), to: try version(new, context),
            stops: ChangeCounts(counts.stops), routes: ChangeCounts(counts.routes),
            trips: ChangeCounts(counts.trips), commutes: commutes,
            notices: (notice.map { [$0] } ?? []) + FeedNotices(now: context.now).about(feed))
    }

    /// Returns the versions for `from` and `to`. `to` defaults to the current version, and `from` to the version before
    /// `to`.
    private func compared(
        _ parameters: FeedDiffParameters
    ) throws -> (old: TimetableLibrary.Version, new: TimetableLibrary.Version) {
        let versions = try library.versions()
        func version(_ number: Int) throws(ControlError) -> TimetableLibrary.Version {
            if let version = versions.first(where: { $0.number == number }) { return version }
            throw ControlError(
                .feedVersionNotFound, "There is no version \(number) of \(feed.id).",
                hint: "List them with: transitctl feed versions \(feed.id).")
        }
        guard let current = library.currentNumber else { throw ControlError.noData([feed]) }
        let new = try version(parameters.to ?? current)
        if let from = parameters.from { return (try version(from), new) }
        guard let old = versions.first(where: { $0.number < new.number }) else {
            throw ControlError(
                .feedVersionNotFound, "There is no version of \(feed.id) before version \(new.number).",
                hint: "Versions can be compared after the next update.")
        }
        return (old, new)
    }

    private func timetable(_ version: TimetableLibrary.Version, _ zones: TimeZoneDatabase) throws -> Timetable {
        Timetable(
            feed: feed.id, version: version.number, file: try file(version: version.number), zones: zones)
    }

    /// - Throws: ``ErrorKind/feedVersionNotFound``, and errors of the store.
    private func file(version number: Int) throws -> TimetableFile {
        do throws(StoreError) { return try library.file(version: number) } catch .notFound(let what) {
            throw ControlError.versionNotFound(what, feed.id)
        }
    }
}

extension ControlError {
    package static func versionNotFound(_ what: String, _ feed: FeedID) -> ControlError {
        ControlError(
            .feedVersionNotFound, "\(feed) has no \(what).",
            hint: "List its versions with: transitctl feed versions \(feed).")
    }
}

extension FeedVersion {
    fileprivate init(_ version: TimetableLibrary.Version, in library: TimetableLibrary, zone: ServiceZone) throws {
        let summary = version.summary
        self.init(
            number: version.number, isCurrent: version.isCurrent, feedVersion: summary.feedInfo?.version,
            publisher: summary.feedInfo?.publisher, serviceDates: summary.serviceDates.map { DateSpan($0) },
            imported: Timestamp(summary.origin.fetched, in: zone), url: summary.origin.url, etag: summary.origin.etag,
            lastModified: summary.origin.lastModified, digest: summary.contentDigest,
            counts: FeedCounts(summary.counts), bytes: version.size,
            findings: FindingCounts(try library.file(version: version.number).report()))
    }
}

extension Notice {
    /// Reports that two versions share no date on which trips can be compared.
    fileprivate init(
        disjoint dates: (old: ClosedRange<ServiceDate>, new: ClosedRange<ServiceDate>), of old: Timetable,
        _ new: Timetable
    ) {
        func words(_ dates: ClosedRange<ServiceDate>) -> String { "\(dates.lowerBound) to \(dates.upperBound)" }
        self.init(
            kind: .partial, feed: new.feed,
            message: "The versions share no service date from today onward (version \(old.version): "
                + "\(words(dates.old)); version \(new.version): \(words(dates.new))). Trips are compared without their dates, "
                + "and changes to commutes are not known.")
    }
}

extension ChangeCounts {
    fileprivate init(_ counts: TimetableChangeCounts) {
        self.init(added: counts.added, removed: counts.removed, changed: counts.changed)
    }
}

extension FeedChange {
    fileprivate init(_ change: TimetableChange) {
        let subject: ChangeSubject =
            switch change.subject {
            case .stop: .stop
            case .route: .route
            case .trip: .trip
            }
        let kind: ChangeKind =
            switch change.kind {
            case .added: .added
            case .removed: .removed
            case .changed: .changed
            }
        self.init(
            subject: subject, change: kind, id: change.identifier, name: change.name, message: change.message.asSentence
        )
    }
}
