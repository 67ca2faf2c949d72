/// What the times of a ``TripUpdate`` are based on. GTFS-Realtime has no field for it. Decoders set it for sources that
/// state it.
public enum TripUpdateBasis: UInt8, Hashable, Sendable, CaseIterable {
    /// Predicted by the publisher.
    case predicted
    /// Computed from the vehicle's position, by this program or by a publisher that says so.
    case estimated
    /// Planned times that the publisher repeats without tracking the vehicle, such as the “Scheduled Bus” of KMB.
    case planned
}
