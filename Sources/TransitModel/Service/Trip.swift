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

/// The rows of trips.txt as columns. The row number of a trip is its ``TripIndex``. The trips of a timing group are
/// consecutive and ordered by start.
public struct TripColumns: Sendable {
    public var ids = TextColumn()
    public var services: [ServiceIndex] = []
    public var headsigns: [TextIndex?] = []
    public var shortNames: [TextIndex?] = []
    public var blocks: [TextIndex?] = []
    public var shapes: [ShapeIndex?] = []
    public var wheelchair: [Accessibility] = []
    public var bikes: [Accessibility] = []

    public init() {}

    public var count: Int { services.count }

    public subscript(index: TripIndex) -> Trip {
        let row = index.position
        return Trip(
            id: TripID(ids[row]), service: services[row], headsign: headsigns[row], shortName: shortNames[row],
            block: blocks[row], shape: shapes[row], wheelchair: wheelchair[row], bikes: bikes[row])
    }

    public mutating func append(_ trip: Trip) {
        ids.append(trip.id.rawValue)
        services.append(trip.service)
        headsigns.append(trip.headsign)
        shortNames.append(trip.shortName)
        blocks.append(trip.block)
        shapes.append(trip.shape)
        wheelchair.append(trip.wheelchair)
        bikes.append(trip.bikes)
    }
}
