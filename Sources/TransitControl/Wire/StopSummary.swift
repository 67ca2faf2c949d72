public import TransitModel

/// `location_type` of GTFS.
public enum StopKind: String, WireEnum {
    case platform
    case station
    case entrance
    case node
    case boardingArea = "boarding_area"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A stop by identifier and name.
public struct StopReference: WireObject {
    public var id: StopID
    public var name: String

    public init(id: StopID, name: String) {
        self.id = id
        self.name = name
    }

    public static let wireSchema = WireSchema(
        "StopReference", "A stop by identifier and name.", Self.init,
        Field("id", \.id, "`stop_id`."),
        Field("name", \.name, "The name that riders know."))
}

/// A stop, station or other place of stops.txt.
public struct StopSummary: WireObject {
    public var feed: FeedID
    public var id: StopID
    public var code: String?
    public var name: String
    public var platform: String?
    public var kind: StopKind
    public var position: Position?
    public var parent: StopReference?
    public var wheelchair: AccessPermission

    public init(
        feed: FeedID, id: StopID, code: String? = nil, name: String, platform: String? = nil, kind: StopKind,
        position: Position? = nil, parent: StopReference? = nil, wheelchair: AccessPermission
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
        "StopSummary", "A stop, station or other place of stops.txt.", Self.init,
        Field("feed", \.feed, "The feed that it belongs to."),
        Field("id", \.id, "`stop_id`."),
        Field("code", \.code, "The short code on the sign (`stop_code`)."),
        Field("name", \.name, "The name that riders know."),
        Field("platform", \.platform, "The platform's number or letter."),
        Field("kind", \.kind, "What it is. More may follow."),
        Field("position", \.position, "Where it is."),
        Field("parent", \.parent, "The station that it belongs to."),
        Field("wheelchair", \.wheelchair, "Whether a wheelchair user can board here."))

    /// What `same_as` beside a stop says.
    static let sameAsMeaning =
        "The same stop in the agency's other feed, which supplements this one or is supplemented by it; null without one."
}

/// A row of transfers.txt from this stop.
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
        "TransferSummary", "A row of transfers.txt from this stop.", Self.init,
        Field("to", \.to, "Where it leads."),
        Field("kind", \.kind, "Of which kind. More may follow."),
        Field("min_transfer_time", \.minTransferTime, "The time needed.", unit: .seconds))
}

/// `transfer_type` of GTFS.
public enum TransferKind: String, WireEnum {
    case recommended
    case timed
    case minimumTime = "minimum_time"
    case notPossible = "not_possible"
    case inSeat = "in_seat"
    case noInSeat = "no_in_seat"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A stop that was found by name.
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
        "StopMatch", "A stop that was found by name.", Self.init,
        Field("rank", \.rank, "How well it fits."),
        Field("stop", \.stop, "The stop."),
        Field("routes", \.routes, "What riders call the routes that call there; at most 12."),
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
        Field("distance", \.distance, "As the crow flies.", unit: .meters),
        Field("walk", \.walk, "The estimated walking time.", unit: .seconds),
        Field("routes", \.routes, "What riders call the routes that call there; at most 12."),
        Field("same_as", \.sameAs, StopSummary.sameAsMeaning))
}
