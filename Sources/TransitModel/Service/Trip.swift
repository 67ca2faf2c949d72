/// One row of trips.txt, without its times, which are its pattern's and lane's.
public struct Trip: Hashable, Sendable {
    public var id: TripID
    public var service: ServiceIndex
    /// `trip_headsign`.
    public var headsign: TextIndex?
    /// `trip_short_name`: a train number.
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
