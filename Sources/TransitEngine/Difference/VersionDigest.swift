public import TransitModel

/// What is in a version of a feed, boiled down to two numbers for each stop, route and trip: enough to count what differs
/// between two versions without having both in memory.
///
/// Good within one process: the numbers are not the same in the next.
public struct VersionDigest: Sendable {
    /// Identifiers with their contents.
    private struct Table: Sendable {
        var rows: [(id: Int, content: Int)] = []

        mutating func add(_ id: String, _ content: Hasher) { rows.append((id.hashValue, content.finalize())) }

        /// Both are gone through side by side in the order of identifiers.
        func changes(to new: Table) -> ChangeCounts {
            let (old, new) = (rows.sorted { $0.id < $1.id }, new.rows.sorted { $0.id < $1.id })
            var counts = ChangeCounts()
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

    private var stops = Table()
    private var routes = Table()
    private var trips = Table()
    /// For each service, on which of the compared dates it runs.
    private let running: [UInt64]

    /// - Parameter dates: the same for both versions.
    public init(services: [Service], dates: ComparedDates) { running = services.map { dates.running($0) } }

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

    /// Adds the trips of a pattern: their calls, times, repetitions and days, not their headsigns.
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
        for lane in pattern.lanes {
            var times = calls
            times.combine(lane.times)
            for position in lane.starts.indices {
                var hasher = times
                hasher.combine(lane.starts[position])
                let service = lane.services[position].position
                hasher.combine(running.indices.contains(service) ? running[service] : 0)
                for row in lane.frequencies where row.trip == position {
                    hasher.combine([row.start, row.end, row.headway, row.isExact ? 1 : 0])
                }
                trips.add(try tripID(lane.trip(position)).rawValue, hasher)
            }
        }
    }

    /// How many stops, routes and trips differ in `new`, the later version.
    public func changes(to new: VersionDigest) -> (stops: ChangeCounts, routes: ChangeCounts, trips: ChangeCounts) {
        (stops.changes(to: new.stops), routes.changes(to: new.routes), trips.changes(to: new.trips))
    }
}

/// How many things differ between two versions.
public struct ChangeCounts: Hashable, Sendable {
    /// Only in the later version.
    public var added: Int
    /// Only in the earlier version.
    public var removed: Int
    /// In both, but not alike.
    public var changed: Int

    public init(added: Int = 0, removed: Int = 0, changed: Int = 0) {
        self.added = added
        self.removed = removed
        self.changed = changed
    }
}
