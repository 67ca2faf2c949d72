internal import TransitModel

/// The scheduled trips that are under way now, were under way in the last hour, or start in the next half hour.
///
/// The timetable is read every half hour. A timetable with more trips than ``maximumTrips`` or more patterns than
/// ``maximumPatterns`` is sampled by route.
struct TimetableTrips {
    /// A scheduled trip. Trips of frequencies.txt without exact times are not listed, because they have no planned
    /// start.
    struct Trip {
        var key: TripInstanceKey
        /// Seconds since 1970.
        var start: Int64
        /// The planned arrival at the last call, in seconds since 1970.
        var end: Int64
        var route: RouteDirection
    }

    /// A route in one direction.
    struct RouteDirection: Hashable, Sendable {
        var route: RouteIndex
        var direction: Direction?
    }

    private(set) var trips: [Trip] = []
    /// The routes whose trips are listed; `nil` before the first reading.
    private var routes: [RouteIndex]?
    private var listedRoutes: Set<RouteIndex> = []
    /// Trips that start before this time are listed, in seconds since 1970.
    private var covered: Int64 = 0

    static let maximumTrips = 20_000
    static let maximumPatterns = 4000
    /// The number of seconds for which a trip is kept after its end.
    static let memory: Int64 = 3600
    private static let step: Int64 = 1800

    func lists(_ route: RouteIndex) -> Bool { listedRoutes.contains(route) }

    /// Removes the trips that ended more than an hour before `time`, and adds those that start soon.
    ///
    /// - Throws: the errors of the timetable.
    mutating func advance(to time: Int64, in timetable: any TimetableLookup) throws {
        // The clock of the source has jumped.
        if routes != nil, covered - time > 2 * Self.step || time - covered > Self.memory {
            trips = []
            routes = nil
            listedRoutes = []
        }
        trips.removeAll { $0.end < time - Self.memory }
        guard routes == nil || covered <= time else { return }
        let isFirst = routes == nil
        let from = isFirst ? time - Self.memory : covered
        covered = time + Self.step
        var calendar = Calendar(timetable.context)
        var patterns = 0
        var listed: [RouteIndex] = []
        for route in routes ?? Self.order(timetable.routeCount) {
            let before = trips.count
            for pattern in try timetable.patterns(of: route) {
                patterns += 1
                calendar.add(pattern, from..<covered, endingAfterStart: isFirst, to: &trips)
            }
            if trips.count > Self.maximumTrips || patterns > Self.maximumPatterns {
                trips.removeSubrange(before...)
                break
            }
            listed.append(route)
        }
        routes = listed
        listedRoutes = Set(listed)
        trips.removeAll { !listedRoutes.contains($0.route.route) }
    }

    /// Returns the routes in an order that does not depend on their position, so that a sample is mixed.
    private static func order(_ count: Int) -> [RouteIndex] {
        (0..<count).map { RouteIndex($0) }.sorted { left, right in
            (left.rawValue &* 0x9E37_79B1, left.rawValue) < (right.rawValue &* 0x9E37_79B1, right.rawValue)
        }
    }

    /// Finds the trips of patterns, and caches the services of each date.
    private struct Calendar {
        let context: TimetableCalendar
        var services: [ServiceDate: ActiveServiceCache] = [:]

        init(_ context: TimetableCalendar) { self.context = context }

        /// Adds the trips that start in a range or, with `endingAfterStart`, are also under way at its start.
        mutating func add(
            _ pattern: Pattern, _ range: Range<Int64>, endingAfterStart: Bool, to trips: inout [Trip]
        ) {
            let days = ServiceDays(
                zone: context.zone(of: pattern.route), at: Instant(secondsSince1970: range.lowerBound),
                latestStopTime: context.latestStopTime)
            let instances = PatternTripInstances(pattern)
            let route = RouteDirection(route: pattern.route, direction: pattern.direction)
            days.visit { day in
                var active = services[day.date] ?? newCache(day.date)
                for group in 0..<instances.timingGroupCount {
                    let duration = Int64(pattern.duration(ofTimingGroup: group))
                    let earliest = range.lowerBound - day.start - (endingAfterStart ? duration : 0)
                    let span = instances.span(ofTimingGroup: group)
                    guard span.upperBound >= earliest, span.lowerBound + day.start < range.upperBound else { continue }
                    let frequencies = pattern.frequencies(ofTimingGroup: group)
                    instances.forEachInstance(ofTimingGroup: group, from: earliest) { instance, service in
                        let start = day.start + Int64(instance.start)
                        guard start < range.upperBound, trips.count <= TimetableTrips.maximumTrips else { return false }
                        if instance.frequency >= 0, !frequencies[Int(instance.frequency)].isExact { return false }
                        guard active.runs(service) else { return true }
                        trips.append(
                            Trip(
                                key: TripInstanceKey(pattern, timingGroup: group, instance: instance, date: day.date),
                                start: start, end: start + duration, route: route))
                        return true
                    }
                }
                services[day.date] = active
                return range.upperBound
            }
        }

        private func newCache(_ date: ServiceDate) -> ActiveServiceCache {
            var cache = ActiveServiceCache(services: context.services)
            cache.begin(date)
            return cache
        }
    }
}
