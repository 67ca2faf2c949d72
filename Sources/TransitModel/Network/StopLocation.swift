/// A stop without its names: what live data are matched by. Thousands are read together.
public struct StopLocation: Hashable, Sendable {
    public var id: StopID
    /// The station of a platform, entrance or node; the platform of a boarding area.
    public var parent: StopIndex?
    public var coordinate: Coordinate?

    public init(id: StopID, parent: StopIndex? = nil, coordinate: Coordinate? = nil) {
        self.id = id
        self.parent = parent
        self.coordinate = coordinate
    }

    public init(_ stop: Stop) { self.init(id: stop.id, parent: stop.parent, coordinate: stop.coordinate) }
}
