package import TransitEngine
package import TransitModel
package import TransitStore

/// Compares two versions of a feed as a whole and for each commute of the caller.
package struct VersionComparison {
    private let old: Timetable
    private let new: Timetable
    private let feed: FeedView
    private let context: QueryContext
    private let dates: ComparedDates

    package init(old: Timetable, new: Timetable, feed: FeedView, _ context: QueryContext) {
        self.old = old
        self.new = new
        self.feed = feed
        self.context = context
        dates = ComparedDates(
            today: new.zone.civil(at: context.now).date, old: old.file.summary.serviceDates,
            new: new.file.summary.serviceDates)
    }

    /// The service dates of both versions if they share no date on which trips can be compared; otherwise `nil`. Trips
    /// are then compared without their dates, and changes to commutes are not known.
    package var disjointDates: (old: ClosedRange<ServiceDate>, new: ClosedRange<ServiceDate>)? {
        guard dates.count == 0, let before = old.file.summary.serviceDates, let after = new.file.summary.serviceDates
        else { return nil }
        return (before, after)
    }

    // MARK: The whole feed

    package func counts() throws(StoreError) -> (
        stops: TimetableChangeCounts, routes: TimetableChangeCounts, trips: TimetableChangeCounts
    ) {
        let changes = try digest(old).changes(to: digest(new))
        return (changes.stops, changes.routes, changes.trips)
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

    /// Returns the changes of each commute with a stop in this feed; empty if ``disjointDates`` is not `nil`, because an
    /// entry without changes means that nothing changed.
    package func commutes() throws -> [(commute: String, changes: [TimetableChange])] {
        guard disjointDates == nil else { return [] }
        let commuteList = context.commuteList
        return try commuteList.entries.compactMap { entry in
            let before = try excerpt(of: entry.commute, commuteList, in: old)
            let after = try excerpt(of: entry.commute, commuteList, in: new)
            guard !before.stops.isEmpty || !after.stops.isEmpty else { return nil }
            return (entry.commute.name, FeedDifference.changes(from: before, to: after, dates: dates))
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
        // A stop that is not in this version, or is in another feed, has no access stops.
        let finder = AccessStopFinder(context.about([feed.with(timetable)]))
        return Set(((try? finder.stops(for: end)) ?? []).flatMap(\.walks.keys))
    }
}
