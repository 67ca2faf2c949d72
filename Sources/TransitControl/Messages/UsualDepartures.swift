public import TransitModel
public import TransitWire

/// A departure that the caller pinned or usually takes.
public struct UsualDeparture: WireObject {
    /// The number by which other methods refer to the departure. It changes with the list.
    public var number: Int
    /// The feed.
    public var feed: FeedID
    /// The route's identifier (`route_id`).
    public var route: RouteID
    /// The route as riders call it.
    public var routeName: String
    /// The mode of transport (GTFS `route_type`); null if the timetable lacks the route.
    public var routeType: Int?
    /// The direction of the trip (`direction_id`).
    public var directionId: Int?
    /// The stop.
    public var stop: StopReference
    /// The scheduled time of day, such as "08:12". It passes 24:00 for a departure after midnight of its service date.
    public var time: String
    /// The service days: "mon" to "sun".
    public var days: [String]
    /// The only service date of a departure that is pinned for one date.
    public var date: ServiceDate?
    /// The commute; null when unknown.
    public var commute: String?
    /// Whether the caller pinned the departure. Otherwise it was learned.
    public var pinned: Bool
    /// A sentence that explains why the departure cannot be found in the timetable; null when it can.
    public var problem: String?
}

/// Lists the caller's pinned and usual departures.
public struct UsualListParameters: ControlParameters {
    public typealias Reply = UsualListResult
    public static let method = ControlMethod.usualList
}

/// The caller's pinned and usual departures.
public struct UsualListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The pinned departures, then the learned ones, each in order of time.
    public var departures: [UsualDeparture]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Pins a departure, so that it is a usual departure whatever was learned.
public struct UsualPinParameters: ControlParameters {
    public typealias Reply = UsualResult
    public static let method = ControlMethod.usualPin

    /// The number or time of a usual departure, a departure's `id`, or a description in the format of `departure` in
    /// `explain`.
    /// - Range: 1...300
    public var departure: String
    /// The service days: "mon" to "sun", "weekdays", "weekends", or a range such as "mon-fri". The default is Monday to
    /// Friday, or the departure's day of the week on a weekend.
    /// - Range: 0...7
    public var days: [String] = []
    /// Whether to pin the departure only on its service date.
    public var once: Bool = false
}

/// Removes a pin. If the departure is also a learned one, it is listed as such again.
public struct UsualUnpinParameters: ControlParameters {
    public typealias Reply = UsualResult
    public static let method = ControlMethod.usualUnpin

    /// The number, or the time if only one departure has it, such as "08:12".
    /// - Range: 1...300
    public var departure: String
}

/// Removes a learned departure. It is learned again only from what the caller does later.
public struct UsualForgetParameters: ControlParameters {
    public typealias Reply = UsualResult
    public static let method = ControlMethod.usualForget

    /// The number, or the time if only one departure has it, such as "08:12".
    /// - Range: 1...300
    public var departure: String
}

/// Explains why a departure is a usual one.
public struct UsualExplainParameters: ControlParameters {
    public typealias Reply = UsualExplainResult
    public static let method = ControlMethod.usualExplain

    /// The number, or the time if only one departure has it, such as "08:12".
    /// - Range: 1...300
    public var departure: String
}

/// The usual departure that was changed.
public struct UsualResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The departure after the change, or before its removal.
    public var departure: UsualDeparture
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// The explanation of a usual departure.
public struct UsualExplainResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The departure.
    public var departure: UsualDeparture
    /// The facts from which it was learned.
    public var facts: [ExplainedFact]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
