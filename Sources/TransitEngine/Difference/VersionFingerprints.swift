public import TransitModel

/// Fingerprints of all stops, routes and trips of a feed version. With fingerprints, the differences between two
/// versions can be counted without loading both into memory.
///
/// Fingerprints are valid only within one process, because hash values change between processes.
public struct VersionFingerprints: Sendable {
    /// Hashes of identifiers with hashes of the corresponding contents.
    private struct Table: Sendable {
        var rows: [(id: Int, content: Int)] = []

        mutating func add(_ id: String, _ content: Hasher) { rows.append((id.hashValue, content.finalize())) }

        /// Merges both tables in the order of identifiers.
        func changes(to new: Table) -> TimetableChangeCounts {
            let (old, new) = (rows.sorted { $0.id < $1.id }, new.rows.sorted { $0.id < $1.id })
            var counts = TimetableChangeCounts()
            var (i, j) = (0, 0)
            while i < old.count || j < new.count {
                if j == new.count || i < old.count && old[i].id < new[j].id {
                    counts.removed += 1
                    i += 1
                } else if i == old.count || new[j].id < old[i].id {
                    counts.added += 1
                    j += 1
                } else {
                    if old[i].content != new[j].content { counts.changed += 1 }
                    i += 1
                    j += 1
                }
            }
            return counts
        }
    }

    /// Hashes of trips by what riders notice, with their dates.
    private struct TripTable: Sendable {
        struct Row: Sendable {
            var id: Int
            /// The hash of route, stops and times.
            var content: Int
            var dates: UInt64
        }

        var rows: [Row] = []

        /// An unmatched row, and whether the same content is in the other version on other dates.
        private typealias Rest = (row: Row, isShared: Bool)

        /// Compares the rows of both tables by content. A trip that runs on the same dates under another identifier has
        /// not changed. An unmatched trip that kept its identifier has changed.
        func changes(to new: TripTable) -> TimetableChangeCounts {
            var (old, fresh): ([Rest], [Rest]) = ([], [])
            let (before, after) = (rows.sorted { $0.content < $1.content }, new.rows.sorted { $0.content < $1.content })
            var (i, j) = (0, 0)
            while i < before.count || j < after.count {
                let content = min(
                    i < before.count ? before[i].content : .max, j < after.count ? after[j].content : .max)
                let left = before[i...].prefix { $0.content == content }
                let right = after[j...].prefix { $0.content == content }
                (i, j) = (left.endIndex, right.endIndex)
                let (ran, runs) = (Self.union(left), Self.union(right))
                if ran == runs { continue }
                for row in left where row.dates & ~runs != 0 { old.append((row, !right.isEmpty)) }
                for row in right where row.dates & ~ran != 0 { fresh.append((row, !left.isEmpty)) }
            }
            return Self.counts(old, fresh)
        }

        private static func union(_ rows: ArraySlice<Row>) -> UInt64 { rows.reduce(0) { $0 | $1.dates } }

        private static func counts(_ old: [Rest], _ new: [Rest]) -> TimetableChangeCounts {
            var counts = TimetableChangeCounts()
            let known = Set(old.map(\.row.id))
            let kept = Set(new.lazy.map(\.row.id).filter { known.contains($0) })
            counts.changed = kept.count
            for (row, isShared) in old where !kept.contains(row.id) {
                if isShared { counts.changed += 1 } else { counts.removed += 1 }
            }
            for (row, isShared) in new where !kept.contains(row.id) {
                if isShared { counts.changed += 1 } else { counts.added += 1 }
            }
            return counts
        }
    }

    private var stops = Table()
    private var routes = Table()
    private var trips = TripTable()
    /// The compared dates on which each service runs, as bits. If the versions share no service dates or state no
    /// service dates, all trips are compared as if they ran on one date.
    private let running: [UInt64]

    /// - Parameter dates: the compared dates, which must be the same for both versions.
    public init(services: [Service], dates: ComparedDates) {
        running = services.map { dates.count == 0 ? 1 : dates.running($0) }
    }

    /// - Parameter parent: the identifier of ``Stop/parent``.
    public mutating func add(_ stop: Stop, parent: StopID?) {
        var stop = stop
        stop.parent = nil
        var hasher = Hasher()
        hasher.combine(stop)
        hasher.combine(parent)
        stops.add(stop.id.rawValue, hasher)
    }

    /// - Parameter agency: the identifier of ``Route/agency``.
    public mutating func add(_ route: Route, agency: AgencyID?) {
        var route = route
        route.agency = AgencyIndex(0)
        var hasher = Hasher()
        hasher.combine(route)
        hasher.combine(agency)
        routes.add(route.id.rawValue, hasher)
    }

    /// Adds the trips of a pattern that run on a compared date: their calls, times, frequencies and dates, without
    /// their headsigns.
    ///
    /// - Parameters:
    ///   - stopID: the identifier of a stop of the pattern.
    ///   - tripID: the identifier of a trip of the pattern.
    public mutating func add<Failure: Error>(
        _ pattern: Pattern, route: RouteID, stopID: (StopIndex) throws(Failure) -> StopID,
        tripID: (TripIndex) throws(Failure) -> TripID
    ) throws(Failure) {
        var calls = Hasher()
        calls.combine(route)
        calls.combine(pattern.direction)
        for call in pattern.calls {
            calls.combine(try stopID(call.stop))
            calls.combine(call.pickup)
            calls.combine(call.dropOff)
        }
        for timingGroup in pattern.timingGroups {
            var times = calls
            times.combine(timingGroup.times)
            for position in timingGroup.starts.indices {
                var hasher = times
                hasher.combine(timingGroup.starts[position])
                let service = timingGroup.services[position].position
                let dates = running.indices.contains(service) ? running[service] : 0
                // The trip runs on no compared date.
                if dates == 0 { continue }
                for row in timingGroup.frequencies where row.trip == position {
                    hasher.combine([row.start, row.end, row.headway, row.isExact ? 1 : 0])
                }
                let id = try tripID(timingGroup.trip(position)).rawValue
                trips.rows.append(.init(id: id.hashValue, content: hasher.finalize(), dates: dates))
            }
        }
    }

    /// Returns the number of stops, routes and trips that differ in the later version `new`.
    public func changes(to new: VersionFingerprints) -> (
        stops: TimetableChangeCounts, routes: TimetableChangeCounts, trips: TimetableChangeCounts
    ) {
        (stops.changes(to: new.stops), routes.changes(to: new.routes), trips.changes(to: new.trips))
    }
}

/// The number of differences between two versions.
public struct TimetableChangeCounts: Hashable, Sendable {
    /// Only in the later version.
    public var added = 0
    /// Only in the earlier version.
    public var removed = 0
    /// In both versions, with different contents.
    public var changed = 0
}
