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

    /// Returns the stops within walking distance with their walking times in seconds. Uses the widened radius only if
    /// no stop is within the usual one.
    ///
    /// - Parameter stops: stops with their distance in meters. They must have calls, because a nearby entrance would
    ///   prevent the radius from being widened.
    public func walks(
        to stops: some Sequence<(stop: StopIndex, meters: Double)>, at speed: WalkingSpeed
    ) -> [StopIndex: Int] {
        let near = stops.filter { $0.meters <= widened }
        let radius = near.contains { $0.meters <= usual } ? usual : widened
        return Dictionary(
            near.filter { $0.meters <= radius }.map { ($0.stop, speed.seconds(meters: $0.meters)) },
            uniquingKeysWith: min)
    }
}
