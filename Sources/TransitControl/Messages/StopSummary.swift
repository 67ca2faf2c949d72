public import TransitModel
public import TransitWire

/// The kind of location (`location_type` of GTFS).
public enum StopKind: String, WireEnum {
    case platform
    case station
    case entrance
    case node
    case boardingArea = "boarding_area"
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The identifier and name of a stop.
public struct StopReference: WireObject {
    public var id: StopID
    public var name: String

    public init(id: StopID, name: String) {
        self.id = id
        self.name = name
    }

    public static let wireSchema = WireSchema(
        "StopReference", "The identifier and name of a stop.", Self.init,
        Field("id", \.id, "The stop's identifier (`stop_id`)."),
        Field("name", \.name, "The stop's name for riders."))
}

/// A stop, station or other location of stops.txt.
public struct StopSummary: WireObject {
    public var feed: FeedID
    public var id: StopID
    public var code: String?
    public var name: String
    public var platform: String?
    public var kind: StopKind
    public var position: Position?
    public var parent: StopReference?
    public var wheelchair: AccessibilityLevel

    public init(
        feed: FeedID, id: StopID, code: String? = nil, name: String, platform: String? = nil, kind: StopKind,
        position: Position? = nil, parent: StopReference? = nil, wheelchair: AccessibilityLevel
    ) {
        self.feed = feed
        self.id = id
        self.code = code
        self.name = name
        self.platform = platform
        self.kind = kind
        self.position = position
        self.parent = parent
        self.wheelchair = wheelchair
    }

    public static let wireSchema = WireSchema(
        "StopSummary", "A stop, station or other location of stops.txt.", Self.init,
        Field("feed", \.feed, "The feed of the stop."),
        Field("id", \.id, "The stop's identifier (`stop_id`)."),
        Field("code", \.code, "The short code on the sign (`stop_code`)."),
        Field("name", \.name, "The stop's name for riders."),
        Field("platform", \.platform, "The platform's number or letter."),
        Field("kind", \.kind, "The kind of location. More values may be added."),
        Field("position", \.position, "The coordinates."),
        Field("parent", \.parent, "The station that the stop belongs to."),
        Field("wheelchair", \.wheelchair, "Whether wheelchair users can board at the stop."))

    /// The description of every member that holds the same stop in another feed.
    static let sameAsMeaning =
        "The same stop in the agency's other feed, if one of the two feeds supplements the other; null when there is none."
}

/// A transfer from a stop (transfers.txt).
public struct TransferSummary: WireObject {
    public var to: StopReference
    public var kind: TransferKind
    public var minTransferTime: Int?

    public init(to: StopReference, kind: TransferKind, minTransferTime: Int? = nil) {
        self.to = to
        self.kind = kind
        self.minTransferTime = minTransferTime
    }

    public static let wireSchema = WireSchema(
        "TransferSummary", "A transfer from a stop (transfers.txt).", Self.init,
        Field("to", \.to, "The destination of the transfer."),
        Field("kind", \.kind, "The kind of transfer. More values may be added."),
        Field("min_transfer_time", \.minTransferTime, "The minimum transfer time.", unit: .seconds))
}

/// The kind of transfer (`transfer_type` of GTFS).
public enum TransferKind: String, WireEnum {
    case recommended
    case timed
    case minimumTime = "minimum_time"
    case notPossible = "not_possible"
    case inSeat = "in_seat"
    case noInSeat = "no_in_seat"
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A stop that a search found.
public struct StopSearchMatch: WireObject {
    public var rank: MatchRank
    public var stop: StopSummary
    public var routes: [String]
    public var sameAs: StopSummary?

    public init(rank: MatchRank, stop: StopSummary, routes: [String], sameAs: StopSummary? = nil) {
        self.rank = rank
        self.stop = stop
        self.routes = routes
        self.sameAs = sameAs
    }

    public static let wireSchema = WireSchema(
        "StopMatch", "A stop that a search found.", Self.init,
        Field("rank", \.rank, "How well the stop matches."),
        Field("stop", \.stop, "The stop."),
        Field("routes", \.routes, "The names of the routes that serve the stop, at most 12."),
        Field("same_as", \.sameAs, StopSummary.sameAsMeaning))
}

/// A stop near a place.
public struct NearbyStop: WireObject {
    public var stop: StopSummary
    public var distance: Int
    public var walk: Int
    public var routes: [String]
    public var sameAs: StopSummary?

    public init(stop: StopSummary, distance: Int, walk: Int, routes: [String], sameAs: StopSummary? = nil) {
        self.stop = stop
        self.distance = distance
        self.walk = walk
        self.routes = routes
        self.sameAs = sameAs
    }

    public static let wireSchema = WireSchema(
        "NearbyStop", "A stop near a place.", Self.init,
        Field("stop", \.stop, "The stop."),
        Field("distance", \.distance, "The straight-line distance.", unit: .meters),
        Field("walk", \.walk, "The estimated walking time.", unit: .seconds),
        Field("routes", \.routes, "The names of the routes that serve the stop, at most 12."),
        Field("same_as", \.sameAs, StopSummary.sameAsMeaning))
}
