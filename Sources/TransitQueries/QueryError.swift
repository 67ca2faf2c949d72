package import TransitModel
internal import TransitStore

/// The reason why a query has no result. The cases carry what an explanation needs; the words are the caller's.
///
/// Queries also throw `StoreError` if a timetable cannot be read, and `QueryTimeError` for a text that is not a time.
package enum QueryError: Error {
    case feedNotFound(FeedID, known: [FeedID])
    /// None of the feeds has a timetable. The list is empty if no feed is configured.
    case noData([FeedView])

    /// `partialFeeds` has the searched feeds of which only a part is kept.
    case stopNotFound(String, similar: [FoundStop], partialFeeds: [FeedID] = [])
    /// The stop is outside of the kept part of its feed.
    case stopOutside(FoundStop)
    case stopAmbiguous(String, [FoundStop])
    /// A saved stop is no longer in the timetable.
    case stopGone(StopID, FeedID)

    case routeNotFound(String, similar: [FoundRoute])
    case routeAmbiguous(String, [FoundRoute])
    /// A saved route is no longer in the timetable.
    case routeGone(RouteID, FeedID)
    /// The route does not call at the stop. `routes` has the display names of the routes that do.
    case routeNotAtStop(String, FoundStop, routes: [String])
    case routeAmbiguousAtStop(String, FoundStop, [Route])

    case tripNotFound(String)
    /// Several feeds have a trip with the identifier.
    case tripAmbiguous(String, feeds: [FeedID])
    case tripWithoutCalls(TripID)
    /// The trip has no copy (`DUPLICATED`) with the given start time.
    case tripCopyNotFound(TripID, FeedID)
    /// The trip is only in the realtime data and therefore has no scheduled calls.
    case tripOnlyInRealtime(DepartureID)
    case departureNotFound(String)
    /// Several departures fit the text.
    case departureAmbiguous(String, [MergedDeparture])

    case commuteNotFound(String, known: [String], similar: [String])
    /// An implied commute lacks places.
    case commuteLacksPlaces(String, missing: [String])
    /// The caller has no commute.
    case noCommute
    /// The caller has several commutes, none of which is in use.
    case noCommuteInUse(known: [String])
    case placeNotFound(String, known: [String], similar: [String])
    /// An end of a commute is neither a place nor a stop.
    case placeNotSet(String)
    /// A journey begins and ends at the same place or stop.
    case sameEnds(String)
    /// The place is a stop that is not in any timetable.
    case placeWithoutPosition(String)
    /// No stop is within the widened walking radius of a place, or of a position that a request names. The radius is in
    /// meters.
    case noStopsNear(String, radius: Int, isPlace: Bool = true)
    /// No walk to a stop is known, because none of the given places is within a radius in meters. The list is empty if the
    /// caller has no places.
    case walkNotKnown(to: String, places: [String], radius: Int)

    case favoriteNotFound(String, known: [String], similar: [String])
    case favoriteCategoryNotFound(String, known: [String])
    /// The favorite is a stop, where a route is required.
    case favoriteWithoutRoute(String)
    /// Both a route and a favorite are given.
    case routeAndFavorite
    /// Neither a stop nor a route is given.
    case neitherStopNorRoute
}

extension QueryError {
    /// Returns the value of a query that may be impossible, such as one for a stop that the timetable no longer has;
    /// `nil` in that case. Other errors, such as that of a damaged file, are thrown.
    package static func unlessThrown<Value>(_ query: () throws -> Value) throws -> Value? {
        do { return try query() } catch is QueryError { return nil }
    }
}
