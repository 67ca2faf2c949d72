/// A publisher's identifier: `stop_id`, `trip_id` and so on.
///
/// `Subject` makes each kind of identifier a separate type. The text is stored exactly as published; GTFS identifiers
/// are compared byte by byte (GTFS reference, "Field Types", *ID*).
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

/// The subject of ``FeedID``.
public enum Feed {}
/// The `id` of a feed in the configuration: `[[feed]] id = "caltrain"`. It consists of lowercase letters, digits, `-`
/// and `_`, and has at most 64 characters.
public typealias FeedID = Identifier<Feed>

extension Identifier where Subject == Feed {
    /// Returns `nil` if the text is not a valid feed ID. The character set is restricted because feed IDs are used as
    /// folder names.
    public init?(validating text: String) {
        let allowed = text.utf8.allSatisfy {
            ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x5F
        }
        guard allowed, (1...64).contains(text.utf8.count) else { return nil }
        rawValue = text
    }
}

/// The position of an entity in its table, from 0, within one version of a timetable.
///
/// Indices are valid for one version only: each import renumbers the tables. Data that outlives a version, such as a
/// commute or a favorite, stores an ``Identifier``.
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
/// The index of a text in the version's table of shared texts: headsigns, block IDs and train numbers.
public typealias TextIndex = Index<String>
