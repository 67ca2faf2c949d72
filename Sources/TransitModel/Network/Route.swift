/// One row of routes.txt.
public struct Route: Hashable, Sendable {
    public var id: RouteID
    public var agency: AgencyIndex
    /// "24", "L1". At least one of the two names is present (GTFS reference, routes.txt).
    public var shortName: String?
    /// `route_long_name`.
    public var longName: String?
    /// `route_type`: 0...12 as in the GTFS reference, or one of the extended types 100...1799.
    public var type: Int
    /// Six uppercase hexadecimal digits without "#".
    public var color: String?
    public var textColor: String?
    /// `route_sort_order`; routes with smaller values are shown first.
    public var sortOrder: Int?

    public init(
        id: RouteID, agency: AgencyIndex, shortName: String? = nil, longName: String? = nil, type: Int,
        color: String? = nil, textColor: String? = nil, sortOrder: Int? = nil
    ) {
        self.id = id
        self.agency = agency
        self.shortName = shortName
        self.longName = longName
        self.type = type
        self.color = color
        self.textColor = textColor
        self.sortOrder = sortOrder
    }

    /// The name that riders use: the short name or, if there is none, the long name or, as a last resort, the
    /// identifier.
    public var displayName: String { shortName ?? longName ?? id.rawValue }
}
