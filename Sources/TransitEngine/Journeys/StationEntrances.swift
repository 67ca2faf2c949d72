public import TransitModel

/// The walks between places and the stops of stations whose pathways lead to an entrance (GTFS reference, pathways.txt).
public struct StationEntrances: Sendable {
    /// Where a walk leads.
    public enum Direction: Sendable {
        /// From the place to the stop.
        case inward
        /// From the stop to the place.
        case outward
    }

    /// What is known about a walk.
    public enum Walk: Hashable, Sendable {
        /// No pathways connect the stop with an entrance in this direction.
        case notDescribed
        /// All ways have steps, which the riders do not use.
        case notPossible
        /// The seconds of the quickest walk.
        case seconds(Int)
    }

    /// The quickest path between an entrance and a stop.
    struct Path {
        /// The seconds in one direction; `nil` if there is no path.
        struct Time {
            var seconds: UInt32?
            /// The same for riders who use no steps.
            var stepFree: UInt32?
        }

        var stop: StopIndex
        var entrance: Coordinate
        var inward: Time
        var outward: Time

        func time(_ direction: Direction) -> Time {
            switch direction {
            case .inward: inward
            case .outward: outward
            }
        }
    }

    private let paths: [StopIndex: [Path]]

    /// - Parameter isVisited: Whether a vehicle calls at each stop.
    public init(_ pathways: Pathways, isVisited: [Bool]) {
        let known = StationPathways(pathways, isVisited: isVisited).entrancePaths().filter {
            $0.inward.seconds != nil || $0.outward.seconds != nil
        }
        paths = Dictionary(grouping: known, by: \.stop)
    }

    /// Returns the quickest walk between a place and a stop: in a straight line times ``WalkingSpeed/detour`` between the place
    /// and an entrance, and along the pathways between the entrance and the stop.
    ///
    /// - Parameters:
    ///   - isStepFree: Whether riders use no stairs and no escalators.
    ///   - speed: The speed outside of the station.
    public func walk(
        between place: Coordinate, and stop: StopIndex, _ direction: Direction, isStepFree: Bool, at speed: WalkingSpeed
    ) -> Walk {
        var isDescribed = false
        var least: Int?
        for path in paths[stop] ?? [] {
            let time = path.time(direction)
            guard let seconds = time.seconds else { continue }
            isDescribed = true
            guard let inside = isStepFree ? time.stepFree : seconds else { continue }
            let outside = speed.seconds(meters: place.distance(to: path.entrance))
            least = min(least ?? .max, outside + Int(inside))
        }
        return least.map { .seconds($0) } ?? (isDescribed ? .notPossible : .notDescribed)
    }
}
