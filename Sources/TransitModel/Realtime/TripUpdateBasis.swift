/// What the times of a ``TripUpdate`` rest on. GTFS-Realtime has no word for it: whoever reads an upstream that tells sets it.
public enum TripUpdateBasis: UInt8, Hashable, Sendable, CaseIterable {
    /// The publisher predicts them.
    case predicted
    /// Computed from where the vehicle is, by the reader or by a publisher that says so.
    case estimated
    /// The publisher gives its plan and watches nothing, such as the “Scheduled Bus” of KMB.
    case planned
}
