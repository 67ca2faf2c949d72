/// The identifier that a publisher gave to something: `stop_id`, `trip_id` and so on.
///
/// `Subject` keeps the kinds apart, so that a stop's identifier is never passed where a trip's is meant.
/// The text is kept exactly as published; GTFS identifiers are compared byte by byte
/// (GTFS reference, "Field Types", *ID*).
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ text: String) { rawValue = text }
    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

public typealias AgencyID = Identifier<Agency>
public typealias StopID = Identifier<Stop>
public typealias RouteID = Identifier<Route>
public typealias ServiceID = Identifier<Service>
public typealias TripID = Identifier<Trip>
public typealias ShapeID = Identifier<Shape>

/// The subject of ``FeedID``; a feed itself is described by the daemon's configuration.
public enum Feed {}
/// The name that the configuration gives to a feed: `[[feed]] id = "caltrain"`.
/// Lower-case letters, digits, `-` and `_`, at most 64 characters.
public typealias FeedID = Identifier<Feed>

extension Identifier where Subject == Feed {
    /// The feed's name, or `nil` when the text is not one: it names folders, so it is kept narrow.
    public init?(validating text: String) {
        let allowed = text.utf8.allSatisfy {
            ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x5F
        }
        guard allowed, (1...64).contains(text.utf8.count) else { return nil }
        rawValue = text
    }
}

/// Where something stands in its table within one version of a timetable; the first is 0.
///
/// Good for one version only: the next import numbers anew. What must outlive a version
/// (a commute, a favourite) is kept by ``Identifier``.
public struct Index<Subject>: Hashable, Comparable, Sendable {
    public var rawValue: UInt32

    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    public init(_ position: Int) { rawValue = UInt32(position) }

    public var position: Int { Int(rawValue) }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

public typealias AgencyIndex = Index<Agency>
public typealias StopIndex = Index<Stop>
public typealias RouteIndex = Index<Route>
public typealias ServiceIndex = Index<Service>
public typealias PatternIndex = Index<Pattern>
public typealias TripIndex = Index<Trip>
public typealias ShapeIndex = Index<Shape>
/// A text of the version's table of shared texts: headsigns, block ids, train numbers.
public typealias TextIndex = Index<String>
