package import TransitControl
internal import TransitModel
package import TransitQueries
package import TransitStore
package import TransitWire

extension TakenListResult {
    /// Returns a page of a log.
    ///
    /// - Parameter notices: The notices about the caller's data.
    package init(
        _ log: TripLog, _ parameters: TakenListParameters, _ context: QueryContext, notices: [Notice]
    ) throws(ControlError) {
        let page = try PageRange(cursor: parameters.cursor, count: parameters.count)
        self.init(
            at: context.at, trips: [], total: log.trips.count, foldedTotal: log.folded.trips, notices: notices)
        guard parameters.folded else {
            trips = page.slice(of: log.trips.reversed()).map { LoggedTrip($0) }
            nextCursor = page.next(among: log.trips.count)
            return
        }
        let days = log.folded.days.sorted { $0.key < $1.key }
        let routes = log.folded.routes.sorted { ($0.value.last, $0.key.text) < ($1.value.last, $1.key.text) }
        let digests = log.foldedFingerprints.sorted()
        folded = FoldedTrips(
            days: page.slice(of: days).map { FoldedDay($0.key, $0.value) },
            routes: page.slice(of: routes).map { RouteCount($0.key, $0.value, context.zone) },
            digests: page.slice(of: digests).map { String(UInt64(bitPattern: $0), radix: 16) })
        nextCursor = page.next(among: max(days.count, routes.count, digests.count))
    }
}

extension LoggedTrip {
    package init(_ trip: SavedTrip) {
        let key = trip.departure
        self.init(
            serviceDate: key.serviceDate, scheduled: Timestamp(key.scheduled, offset: trip.offset),
            departed: Timestamp(trip.departed, offset: trip.offset), feed: key.feed, route: key.route,
            routeName: trip.routeName, directionId: key.direction.map { Int($0.rawValue) }, stop: key.stop,
            stopName: trip.stopName, destination: trip.destination, destinationName: trip.destinationName,
            commute: trip.commute, distance: trip.meters, straightLine: trip.isStraightLine,
            logged: Timestamp(trip.logged, offset: trip.offset))
    }
}

extension FoldedDay {
    init(_ date: ServiceDate, _ day: TripTotals.Day) {
        self.init(
            date: date, trips: day.trips, early: day.earlyTrips, late: day.lateTrips, distance: day.meters,
            straightLine: day.straightLineTrips, unmeasured: day.unmeasuredTrips)
    }
}

extension TripTotals.RouteKey {
    fileprivate var text: String { "\(feed) \(route) \(stop) \(destination?.rawValue ?? "")" }
}

extension RouteCount {
    init(_ key: TripTotals.RouteKey, _ route: TripTotals.Route, _ zone: ServiceZone) {
        self.init(
            feed: key.feed, route: key.route, routeName: route.routeName, stop: key.stop, stopName: route.stopName,
            destination: key.destination, destinationName: route.destinationName, trips: route.trips,
            last: Timestamp(route.last, in: zone))
    }
}
