/// The data of a stop that realtime data is matched against. Names are omitted because thousands of stops are loaded at
/// a time.
public struct StopLocation: Hashable, Sendable {
    public var id: StopID
    /// The station of a platform, entrance or node, or the platform of a boarding area.
    public var parent: StopIndex?
    public var coordinate: Coordinate?

    public init(id: StopID, parent: StopIndex? = nil, coordinate: Coordinate? = nil) {
        self.id = id
        self.parent = parent
        self.coordinate = coordinate
    }

    public init(_ stop: Stop) { self.init(id: stop.id, parent: stop.parent, coordinate: stop.coordinate) }
}
