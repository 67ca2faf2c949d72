public import TransitModel

/// The distance from a place within which riders walk to stops.
public struct WalkingRadius: Hashable, Sendable {
    /// Straight-line distance in meters.
    public var usual: Double
    /// Straight-line distance in meters that is used if no stop is within ``usual``.
    public var widened: Double

    /// Creates a radius of 1 km that is widened to 3 km by default.
    public init(usual: Double = 1000, widened: Double = 3000) {
        self.usual = usual
        self.widened = max(usual, widened)
    }

    /// Walking speed in meters per second: 4.5 km/h, a common value for planning.
    public static let speed = 1.25
    /// The ratio of walking distance to straight-line distance; 1.3 is a common value for cities.
    public static let detour = 1.3

    /// Returns the walking time in seconds for a straight-line distance, rounded up.
    public static func seconds(meters: Double) -> Int {
        let seconds = max(0, meters) * detour / speed
        return seconds < 1e9 ? Int(seconds.rounded(.up)) : 1_000_000_000
    }

    /// Returns the stops within walking distance with their walking times in seconds. Uses the widened radius only if
    /// no stop is within the usual one.
    ///
    /// - Parameter stops: stops with their distance in meters. They must have calls, because a nearby entrance would
    ///   prevent the radius from being widened.
    public func walks(to stops: some Sequence<(stop: StopIndex, meters: Double)>) -> [StopIndex: Int] {
        let near = stops.filter { $0.meters <= widened }
        let radius = near.contains { $0.meters <= usual } ? usual : widened
        return Dictionary(
            near.filter { $0.meters <= radius }.map { ($0.stop, Self.seconds(meters: $0.meters)) },
            uniquingKeysWith: min)
    }
}
