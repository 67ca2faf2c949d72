public import TransitModel

/// What a vehicle whose trip serves neither place is for somebody who has a home and a work: what leaves nearer home goes to
/// work, and the reverse, unless it leads away from there.
public enum TravelDirection: String, Hashable, Sendable, CaseIterable {
    case work
    case home
    case unknown

    /// Metres by which one of two distances has to be shorter before that says anything.
    public static let clearly = 300.0

    /// - Parameters:
    ///   - stop: where it leaves.
    ///   - end: where its trip ends; `nil` if unknown. The direction is then unknown too, because the trip may lead
    ///     away.
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
        place.distance(to: one) + clearly < place.distance(to: other)
    }
}
