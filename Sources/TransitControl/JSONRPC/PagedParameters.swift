/// Parameters that limit the number of results, for the hint in the error for a reply that is too large.
public protocol PagedParameters: ControlParameters {
    /// The requested number of results; `nil` for the method's default.
    var requestedCount: Int? { get }
    /// The cursor of the requested page; `nil` for the first page and for methods without pages.
    var requestedCursor: String? { get }
}

extension PagedParameters {
    public var requestedCursor: String? { nil }
}

extension NextParameters: PagedParameters {
    public var requestedCount: Int? { count }
}
extension DeparturesParameters: PagedParameters {
    public var requestedCount: Int? { count }
}
extension StopsSearchParameters: PagedParameters {
    public var requestedCount: Int? { count }
    public var requestedCursor: String? { cursor }
}
extension StopsNearParameters: PagedParameters {
    public var requestedCount: Int? { count }
}
extension RoutesSearchParameters: PagedParameters {
    public var requestedCount: Int? { count }
    public var requestedCursor: String? { cursor }
}
extension AddressSearchParameters: PagedParameters {
    public var requestedCount: Int? { count }
}
extension FavoriteShowParameters: PagedParameters {
    public var requestedCount: Int? { count }
}
extension RecentListParameters: PagedParameters {
    public var requestedCount: Int? { count }
}
extension FeedDiffParameters: PagedParameters {
    public var requestedCount: Int? { count }
}
extension VehiclesParameters: PagedParameters {
    public var requestedCount: Int? { count }
    public var requestedCursor: String? { cursor }
}
extension AlertsParameters: PagedParameters {
    public var requestedCount: Int? { count }
    public var requestedCursor: String? { cursor }
}
extension TakenListParameters: PagedParameters {
    public var requestedCount: Int? { count }
    public var requestedCursor: String? { cursor }
}
