/// One row of trips.txt. The times are in the trip's pattern and timing group.
public struct Trip: Hashable, Sendable {
    public var id: TripID
    public var service: ServiceIndex
    /// `trip_headsign`.
    public var headsign: TextIndex?
    /// `trip_short_name`, such as a train number.
    public var shortName: TextIndex?
    public var block: TextIndex?
    public var shape: ShapeIndex?
    public var wheelchair: Accessibility
    public var bikes: Accessibility

    public init(
        id: TripID, service: ServiceIndex, headsign: TextIndex? = nil, shortName: TextIndex? = nil,
        block: TextIndex? = nil, shape: ShapeIndex? = nil, wheelchair: Accessibility = .unknown,
        bikes: Accessibility = .unknown
    ) {
        self.id = id
        self.service = service
        self.headsign = headsign
        self.shortName = shortName
        self.block = block
        self.shape = shape
        self.wheelchair = wheelchair
        self.bikes = bikes
    }
}
