public import TransitModel
public import TransitWire

/// A trip that the caller took.
public struct LoggedTrip: WireObject {
    /// The service date. A trip at 00:30 can belong to the date before.
    public var serviceDate: ServiceDate
    /// The scheduled departure, with the UTC offset at the stop.
    public var scheduled: Timestamp
    /// The expected departure when the trip was logged or, without realtime data, the scheduled departure.
    public var departed: Timestamp
    /// The feed.
    public var feed: FeedID
    /// The route's identifier (`route_id`).
    public var route: RouteID
    /// The route as riders call it.
    public var routeName: String
    /// The direction of the trip (`direction_id`).
    public var directionId: Int?
    /// The stop where the caller boarded (`stop_id`).
    public var stop: StopID
    /// The name of that stop.
    public var stopName: String
    /// The stop where the caller alighted; null when unknown.
    public var destination: StopID?
    /// The name of that stop.
    public var destinationName: String?
    /// The commute; null when unknown.
    public var commute: String?
    /// The distance between the stops; null when unknown.
    /// - Unit: meters
    public var distance: Int?
    /// Whether `distance` is measured in straight lines from stop to stop, because the trip has no shape.
    public var straightLine: Bool = false
    /// When the trip was logged.
    public var logged: Timestamp
}

/// Logs a trip. The same departure is logged once.
public struct TakenAddParameters: ControlParameters {
    public typealias Reply = TakenResult
    public static let method = ControlMethod.takenAdd

    /// The departure's `id`, or a description in the format of `departure` in `explain`. When omitted, the departure that the caller has just caught is guessed from the caller's
    /// usual departures, commutes and recent requests.
    /// - Range: 1...300
    public var departure: String?
    /// The stop where the caller alights, in the format of `stop` in `departures`. The default is the end of the commute
    /// that the departure serves.
    /// - Range: 1...300
    public var destination: String?
}

/// Removes the trip that the caller logged last.
public struct TakenUndoParameters: ControlParameters {
    public typealias Reply = TakenResult
    public static let method = ControlMethod.takenUndo
}

/// The trip that was logged or removed.
public struct TakenResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The trip; null when there was none to remove.
    public var trip: LoggedTrip?
    /// Whether the trip was guessed.
    public var guessed: Bool = false
    /// Whether the log has changed. It does not change when the trip was already logged.
    public var changed: Bool
    /// The badges that the caller earned with this trip.
    public var badges: [BadgeStatus] = []
    /// The units to show.
    public var units: MeasurementUnits = .automatic
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// The trips of one service date that are no longer kept individually.
public struct FoldedDay: WireObject {
    /// The service date.
    public var date: ServiceDate
    /// The number of trips.
    public var trips: Int
    /// The trips before 07:00.
    public var early: Int
    /// The trips from 21:00 on.
    public var late: Int
    /// The sum of the known distances.
    /// - Unit: meters
    public var distance: Int
    /// The trips whose distance is measured in straight lines.
    public var straightLine: Int
    /// The trips whose distance is unknown.
    public var unmeasured: Int
}

/// The trips between two stops on one route.
public struct RouteCount: WireObject {
    /// The feed.
    public var feed: FeedID
    /// The route's identifier (`route_id`).
    public var route: RouteID
    /// The route as riders call it.
    public var routeName: String
    /// The stop where the caller boards (`stop_id`).
    public var stop: StopID
    /// The name of that stop.
    public var stopName: String
    /// The stop where the caller alights; null when unknown.
    public var destination: StopID?
    /// The name of that stop.
    public var destinationName: String?
    /// The number of trips.
    public var trips: Int
    /// The scheduled departure of the last trip.
    public var last: Timestamp
}

/// Sums of trips that are no longer kept individually.
public struct FoldedTrips: WireObject {
    /// The sums by service date.
    /// - Range: 0...300
    public var days: [FoldedDay] = []
    /// The counts by route and stops.
    /// - Range: 0...100
    public var routes: [RouteCount] = []
    /// A hash of each trip, by which it is recognized when it is imported again.
    /// - Range: 0...1000
    public var digests: [String] = []
}

/// Lists the caller's logged trips, newest first.
public struct TakenListParameters: ControlParameters {
    public typealias Reply = TakenListResult
    public static let method = ControlMethod.takenList

    /// The maximum number of trips.
    /// - Range: 1...500
    public var count: Int = 20
    /// The `next_cursor` of the previous page.
    /// - Range: 1...20
    public var cursor: String?
    /// Whether to list the sums of older trips instead of trips, `count` days, routes and hashes at a time.
    public var folded: Bool = false
}

/// The caller's logged trips.
public struct TakenListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The trips, newest first.
    public var trips: [LoggedTrip]
    /// The number of trips that are kept individually.
    public var total: Int
    /// The number of older trips, of which only sums are kept.
    public var foldedTotal: Int
    /// The sums of older trips; null unless requested.
    public var folded: FoldedTrips?
    /// The cursor of the next page; null at the end.
    public var nextCursor: String?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Adds trips to the caller's log. Trips that the log already has are skipped.
public struct TakenImportParameters: ControlParameters {
    public typealias Reply = TakenImportResult
    public static let method = ControlMethod.takenImport

    /// The trips, in any order.
    /// - Range: 0...100
    public var trips: [LoggedTrip] = []
    /// Sums of older trips from an export. They are added only to a log without trips.
    public var folded: FoldedTrips?
}

/// A trip that was not imported.
public struct RejectedTrip: WireObject {
    /// The position of the trip in the request, counted from 0.
    public var index: Int
    /// The member that is not valid.
    public var member: String
    /// Why the trip was not imported, as a sentence.
    public var message: String
}

/// The result of an import.
public struct TakenImportResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The number of new trips.
    public var added: Int
    /// The number of trips that the log already had.
    public var known: Int
    /// The trips that were not imported.
    public var rejected: [RejectedTrip] = []
    /// Whether the sums of older trips were added; null when the request has none.
    public var restored: Bool?
    /// The number of new trips without a distance that was computed along the trip in the timetable.
    public var alongTrip: Int = 0
    /// The number of new trips without a distance that was computed in straight lines, because the trip has no shape or is
    /// not in the timetable.
    public var straightLine: Int = 0
    /// The number of new trips whose distance is unknown.
    public var unmeasured: Int = 0
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
