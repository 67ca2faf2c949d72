public import TransitWire

/// Where a place or commute is defined.
public enum DefinitionOrigin: String, OpenWireEnum {
    case user
    case configuration
    case implied
    case request
    /// A value that this version does not know.
    case other
}

/// The kind of endpoint of a commute.
public enum EndpointKind: String, OpenWireEnum {
    case place
    case stop
    /// A value that this version does not know.
    case other
}

/// An endpoint of a commute.
public struct CommuteEndpoint: WireObject {
    /// Whether the endpoint is a place or a stop.
    public var kind: EndpointKind
    /// The endpoint as entered: "home", "caltrain:70211".
    public var reference: String
    /// The stop's name, or the one that a request gives a position; null for a place, and while the name is unknown.
    public var name: String?
}

/// A commute of the caller.
public struct CommuteSummary: WireObject {
    /// The commute's name.
    public var name: String
    /// The origin.
    public var from: CommuteEndpoint
    /// The destination.
    public var to: CommuteEndpoint
    /// Whether `next` uses this commute when it is called without a name.
    public var isInUse: Bool
    /// Where the commute is defined. user: added over the socket; configuration: in the configuration file; implied:
    /// derived from the places home and work; request: the origin and destination of a request.
    public var origin: DefinitionOrigin
    /// A sentence that explains why the commute cannot be queried now; null when it can be queried.
    public var problem: String?
    /// When the commute is usually made, such as "07:00-09:00 weekdays"; empty when not set.
    public var windows: [String] = []
}

/// Lists the caller's commutes.
public struct CommuteListParameters: ControlParameters {
    public typealias Reply = CommuteListResult
    public static let method = ControlMethod.commuteList
}

/// The caller's commutes.
public struct CommuteListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Sorted by name.
    public var commutes: [CommuteSummary]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Adds a commute.
public struct CommuteAddParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteAdd

    /// The commute's name.
    /// - Range: 1...64
    public var name: String
    /// The origin: a place, or a stop given as `FEED:STOP_ID` or by a name or its first words if they match a single
    /// stop.
    /// - Range: 1...300
    public var from: String
    /// The destination, in the same format as `from`.
    /// - Range: 1...300
    public var to: String
    /// Whether to replace an existing commute with the same name.
    public var replace: Bool = false
    /// The times of day when the commute is made, such as "07:00-09:00", in the agency's time zone. Realtime data is
    /// fetched in advance of these windows.
    /// - Range: 0...10
    public var windows: [String] = []
    /// The days on which the windows begin: "mon" to "sun", "weekdays", "weekends", or a range such as "mon-fri". The
    /// default is every day.
    /// - Range: 0...7
    public var days: [String] = []
}

/// Renames a commute.
public struct CommuteRenameParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteRename

    /// The current name.
    /// - Range: 1...64
    public var commute: String
    /// The new name.
    /// - Range: 1...64
    public var name: String
}

/// Removes a commute.
public struct CommuteRemoveParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteRemove

    /// The commute's name.
    /// - Range: 1...64
    public var commute: String
}

/// Sets the commute that `next` uses when it is called without a name.
public struct CommuteUseParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteUse

    /// The commute's name. When omitted, the time of day again determines the commute.
    /// - Range: 1...64
    public var commute: String?
}

/// The commute that was changed.
public struct CommuteResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The commute after the change, or before its removal; null when the time of day now determines the commute.
    public var commute: CommuteSummary?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
