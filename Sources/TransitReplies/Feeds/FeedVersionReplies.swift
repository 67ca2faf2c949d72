internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitStore
internal import TransitWire

/// Handles `feed.diff`.
struct FeedDiffHandler: MethodHandler {
    let controller: FeedController

    /// Compares both versions in full. This takes seconds for a large feed.
    func reply(to parameters: FeedDiffParameters, _ context: RequestContext) throws -> FeedDiffResult {
        let feed = try context.feed(parameters.feed)
        let library = try controller.service(of: feed.id).library()
        let (old, new) = try versions(parameters, feed, library)
        let zones = TimeZoneDatabase()
        let (before, after) = (try timetable(old, feed.id, library, zones), try timetable(new, feed.id, library, zones))
        let comparison = VersionComparison(old: before, new: after, feed: feed.view, context.query)
        let counts = try comparison.counts()
        let commutes = try comparison.commutes().map { commute, changes in
            CommuteChanges(
                commute: commute, changes: changes.prefix(parameters.count).map { FeedChange($0) },
                isTruncated: changes.count > parameters.count)
        }
        let notice = comparison.disjointDates.map { Notice(disjoint: $0, of: before, after) }
        return FeedDiffResult(
            at: context.at, feed: feed.id, from: try FeedVersion(old, in: library, zone: context.zone),
            to: try FeedVersion(new, in: library, zone: context.zone), stops: ChangeCounts(counts.stops),
            routes: ChangeCounts(counts.routes), trips: ChangeCounts(counts.trips), commutes: commutes,
            notices: (notice.map { [$0] } ?? []) + FeedNotices(now: context.now).about(feed.view))
    }

    /// Returns the versions for `from` and `to`. `to` defaults to the current version, and `from` to the version before
    /// `to`.
    private func versions(
        _ parameters: FeedDiffParameters, _ feed: FeedSnapshot, _ library: TimetableLibrary
    ) throws -> (old: TimetableLibrary.Version, new: TimetableLibrary.Version) {
        let versions = try library.versions()
        func version(_ number: Int) throws(ControlError) -> TimetableLibrary.Version {
            if let version = versions.first(where: { $0.number == number }) { return version }
            throw ControlError(
                .feedVersionNotFound, "There is no version \(number) of \(feed.id).",
                hint: "List them with: transitctl feed versions \(feed.id).")
        }
        guard let current = library.currentNumber else { throw ControlError.noData([feed.view]) }
        let new = try version(parameters.to ?? current)
        if let from = parameters.from { return (try version(from), new) }
        guard let old = versions.first(where: { $0.number < new.number }) else {
            throw ControlError(
                .feedVersionNotFound, "There is no version of \(feed.id) before version \(new.number).",
                hint: "Versions can be compared after the next update.")
        }
        return (old, new)
    }

    private func timetable(
        _ version: TimetableLibrary.Version, _ feed: FeedID, _ library: TimetableLibrary, _ zones: TimeZoneDatabase
    ) throws -> Timetable {
        Timetable(
            feed: feed, version: version.number, file: try library.file(version: version.number, of: feed),
            zones: zones)
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
