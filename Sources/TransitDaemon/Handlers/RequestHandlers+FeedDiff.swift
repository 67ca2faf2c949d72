internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    /// Compares both versions in full. This takes seconds for a large feed.
    func feedDiff(_ parameters: FeedDiffParameters, _ context: RequestContext) throws -> FeedDiffResult {
        let feed = try context.feed(parameters.feed)
        let library = try daemon.controller.service(of: feed.id).library()
        let (old, new) = try versions(parameters, feed, library, at: context.now)
        let zones = TimeZoneDatabase()
        let comparison = try VersionComparison(
            old: timetable(old, feed.id, library, zones), new: timetable(new, feed.id, library, zones), feed: feed,
            context: context)
        let counts = try comparison.counts()
        return FeedDiffResult(
            at: context.at, feed: feed.id, from: try FeedVersion(old, in: library, zone: context.zone),
            to: try FeedVersion(new, in: library, zone: context.zone), stops: counts.stops, routes: counts.routes,
            trips: counts.trips, commutes: try comparison.commutes(count: parameters.count),
            notices: comparison.notices + FeedNotices(now: context.now).about(feed))
    }

    /// Returns the versions for `from` and `to`. `to` defaults to the current version, and `from` to the version before
    /// `to`.
    private func versions(
        _ parameters: FeedDiffParameters, _ feed: FeedSnapshot, _ library: TimetableLibrary, at now: Instant
    ) throws -> (old: TimetableLibrary.Version, new: TimetableLibrary.Version) {
        let versions = try library.versions()
        func version(_ number: Int) throws(ControlError) -> TimetableLibrary.Version {
            if let version = versions.first(where: { $0.number == number }) { return version }
            throw ControlError(
                .feedVersionNotFound, "There is no version \(number) of \(feed.id).",
                hint: "List them with: transitctl feed versions \(feed.id).")
        }
        guard let current = library.currentNumber else { throw ControlError.noData([feed], at: now) }
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
            feed: feed, version: version.number, file: try self.version(version.number, of: feed, in: library),
            zones: zones)
    }
}

/// Compares two versions of a feed as a whole and for each commute of the caller.
private struct VersionComparison {
    let old: Timetable
    let new: Timetable
    let feed: FeedSnapshot
    let context: RequestContext
    private let dates: ComparedDates

    init(old: Timetable, new: Timetable, feed: FeedSnapshot, context: RequestContext) {
        self.old = old
        self.new = new
        self.feed = feed
        self.context = context
        dates = ComparedDates(
            today: new.zone.civil(at: context.now).date, old: old.file.summary.serviceDates,
            new: new.file.summary.serviceDates)
    }

    // MARK: The whole feed

    /// Returns a notice if the versions share no date on which trips can be compared.
    var notices: [Notice] {
        guard dates.count == 0, let before = old.file.summary.serviceDates, let after = new.file.summary.serviceDates
        else { return [] }
        func words(_ dates: ClosedRange<ServiceDate>) -> String { "\(dates.lowerBound) to \(dates.upperBound)" }
        return [
            Notice(
                kind: .partial, feed: feed.id,
                message: "The versions share no service date from today onward (version \(old.version): "
                    + "\(words(before)); version \(new.version): \(words(after))). Trips are compared without their dates, "
                    + "and changes to commutes are not known.")
        ]
    }

    func counts() throws(StoreError) -> (
        stops: ChangeCounts, routes: ChangeCounts, trips: ChangeCounts
    ) {
        let changes = try digest(old).changes(to: digest(new))
        return (.init(changes.stops), .init(changes.routes), .init(changes.trips))
    }

    private func digest(_ timetable: Timetable) throws(StoreError) -> VersionFingerprints {
        let file = timetable.file
        var digest = VersionFingerprints(services: file.services, dates: dates)
        var ids: [StopIndex: StopID] = [:]
        for position in 0..<file.summary.counts.stops {
            let stop = try file.stop(StopIndex(position))
            ids[StopIndex(position)] = stop.id
        }
        for position in 0..<file.summary.counts.stops {
            let stop = try file.stop(StopIndex(position))
            digest.add(stop, parent: stop.parent.flatMap { ids[$0] })
        }
        for (position, route) in file.routes.enumerated() {
            digest.add(route, agency: timetable.agency(of: route)?.id)
            for pattern in try file.patterns(of: RouteIndex(position)) {
                try digest.add(pattern, route: route.id) { (index) throws(StoreError) in
                    ids[index] ?? ""
                } tripID: { (index) throws(StoreError) in
                    try file.trip(index).id
                }
            }
        }
        return digest
    }

    // MARK: The commutes

    /// Returns the changes of each commute with a stop in this feed.
    func commutes(count: Int) throws -> [CommuteChanges] {
        let commuteList = context.commuteList
        return try commuteList.entries.compactMap { entry in
            let before = try excerpt(of: entry.commute, commuteList, in: old)
            let after = try excerpt(of: entry.commute, commuteList, in: new)
            guard !before.stops.isEmpty || !after.stops.isEmpty else { return nil }
            let changes = FeedDifference.changes(from: before, to: after, dates: dates)
            return CommuteChanges(
                commute: entry.commute.name, changes: changes.prefix(count).map { FeedChange($0) },
                isTruncated: changes.count > count)
        }
    }

    private func excerpt(
        of commute: CommuteConfiguration, _ commuteList: CommuteList, in timetable: Timetable
    ) throws -> CommuteTimetable {
        let origins = reach(commuteList.end(commute.from), in: timetable)
        let destinations = reach(commuteList.end(commute.to), in: timetable)
        var excerpt = CommuteTimetable()
        guard !origins.isEmpty, !destinations.isEmpty else { return excerpt }
        let file = timetable.file
        for index in origins.union(destinations) {
            let stop = try file.stop(index)
            excerpt.add(stop, parent: try stop.parent.map { (p) throws(StoreError) in try file.stop(p).id })
        }
        let running = file.services.map { dates.running($0) }
        var seen: Set<PatternIndex> = []
        for stop in origins {
            for visit in try file.patterns(at: stop) where seen.insert(visit.pattern.index).inserted {
                guard let route = timetable.route(visit.pattern.route) else { continue }
                try excerpt.add(
                    visit.pattern, route: route, origins: origins, destinations: destinations, running: running
                ) { (index) throws(StoreError) in
                    try timetable.cachedStop(index).id
                } tripID: { (index) throws(StoreError) in
                    try file.trip(index).id
                }
            }
        }
        return excerpt
    }

    /// Returns the stops of an end of a commute; empty if this version has none.
    private func reach(_ end: CommuteList.End, in timetable: Timetable) -> Set<StopIndex> {
        var feed = feed
        feed.timetable = timetable
        // A stop that is not in this version, or is in another feed, has no access stops.
        let accessStops = (try? AccessStopFinder(context: context.about([feed])).stops(for: end)) ?? []
        return Set(accessStops.flatMap(\.walks.keys))
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
