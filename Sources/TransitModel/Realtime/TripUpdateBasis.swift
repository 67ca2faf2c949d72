/// The basis of the times in a ``TripUpdate``. GTFS-Realtime has no field for it. Decoders set it for sources that
/// publish it.
public enum TripUpdateBasis: UInt8, Hashable, Sendable, CaseIterable {
    /// The times are predicted by the publisher.
    case predicted
    /// The times are computed from the vehicle's position, by this program or by a publisher that declares its
    /// predictions as such.
    case estimated
    /// The times are planned times that the publisher repeats without tracking the vehicle, such as the “Scheduled Bus”
    /// of KMB.
    case planned
}
