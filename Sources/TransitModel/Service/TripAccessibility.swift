/// Whether the vehicle of a trip accommodates wheelchairs and bicycles (`wheelchair_accessible` and `bikes_allowed` of
/// trips.txt).
public struct TripAccessibility: Hashable, Sendable {
    public var wheelchair: Accessibility
    public var bikes: Accessibility

    public init(wheelchair: Accessibility = .unknown, bikes: Accessibility = .unknown) {
        self.wheelchair = wheelchair
        self.bikes = bikes
    }

    public init(_ trip: Trip) { self.init(wheelchair: trip.wheelchair, bikes: trip.bikes) }

    /// Returns the accessibility with what is stated about the vehicle that serves the trip, which takes precedence over the
    /// timetable (GTFS-Realtime reference, VehicleDescriptor).
    public func served(by vehicle: VehicleDescriptor?) -> TripAccessibility {
        TripAccessibility(wheelchair: vehicle?.wheelchair ?? wheelchair, bikes: vehicle?.bikes ?? bikes)
    }
}
