internal import TransitModel

extension RealtimeTimetable {
    /// The vehicle whose place an estimated trip was computed from; `nil` for trips that publishers tell.
    public func vehicle(behind trip: ExtraTrip) -> RealtimeVehicle? {
        guard trip.variant != nil else { return nil }
        return (vehicles ?? tripUpdates)?.vehicles.first { $0.position.id == trip.entity && $0.exclusion == nil }
    }
}
