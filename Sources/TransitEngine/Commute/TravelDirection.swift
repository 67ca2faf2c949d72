public import TransitModel

/// The direction of a trip relative to the user's home and work, which is inferred if the trip serves neither. A trip
/// from a stop near home goes to work, and a trip from a stop near work goes home, unless the trip leads away from its
/// destination.
public enum TravelDirection: String, Hashable, Sendable, CaseIterable {
    case work
    case home
    case unknown

    /// The minimum difference between two distances for one to count as shorter, in meters.
    public static let minimumDifference = 300.0

    /// Infers the direction from the locations of the stops.
    ///
    /// - Parameters:
    ///   - stop: the departure stop.
    ///   - end: the last stop of the trip; `nil` if unknown. The direction is then also unknown, because the trip may
    ///     lead away from the destination.
    public init(leaving stop: Coordinate?, endingAt end: Coordinate?, home: Coordinate?, work: Coordinate?) {
        self = .unknown
        guard let stop, let end, let home, let work else { return }
        if Self.isNearer(stop, home, than: work) {
            if Self.isNearer(work, end, than: stop), Self.isNearer(end, work, than: home) { self = .work }
        } else if Self.isNearer(stop, work, than: home) {
            if Self.isNearer(home, end, than: stop), Self.isNearer(end, home, than: work) { self = .home }
        }
    }

    private static func isNearer(_ place: Coordinate, _ one: Coordinate, than other: Coordinate) -> Bool {
        place.distance(to: one) + minimumDifference < place.distance(to: other)
    }
}
