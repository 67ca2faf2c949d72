internal import TransitModel

extension RealtimeDatasets {
    /// Returns the vehicle from whose position an estimated trip was computed; `nil` for published trips.
    public func vehicle(ofEstimated trip: ExtraTrip) -> RealtimeVehicle? {
        guard trip.variantTrip != nil else { return nil }
        return (vehicles ?? tripUpdates)?.vehicles.first { $0.position.id == trip.entity && $0.exclusion == nil }
    }
}
