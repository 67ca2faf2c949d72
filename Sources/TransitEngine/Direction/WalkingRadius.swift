public import TransitModel

/// How far from a place one walks to a stop, and how long it takes.
public struct WalkingRadius: Hashable, Sendable {
    /// Metres as the crow flies.
    public var usual: Double
    /// Metres; counts when no stop lies within ``usual``.
    public var widened: Double

    /// 1 km, widened to 3 km.
    public init(usual: Double = 1000, widened: Double = 3000) {
        self.usual = usual
        self.widened = max(usual, widened)
    }

    /// Metres in a second: 4.5 km/h, a usual figure for planning.
    public static let speed = 1.25
    /// How much longer the way through the streets is than the crow's; 1.3 is a usual figure for towns.
    public static let detour = 1.3

    /// The seconds on foot for a distance as the crow flies, rounded up.
    public static func seconds(meters: Double) -> Int {
        let seconds = max(0, meters) * detour / speed
        return seconds < 1e9 ? Int(seconds.rounded(.up)) : 1_000_000_000
    }

    /// The stops one walks to, with the seconds it takes: those within the usual radius, or within the widened one when
    /// there are none.
    ///
    /// - Parameter stops: stops with their distance in metres. Give only those where trips call: an entrance nearby
    ///   would keep the radius from being widened.
    public func walks(to stops: some Sequence<(stop: StopIndex, meters: Double)>) -> [StopIndex: Int] {
        let near = stops.filter { $0.meters <= widened }
        let within = near.contains { $0.meters <= usual } ? usual : widened
        return Dictionary(
            near.filter { $0.meters <= within }.map { ($0.stop, Self.seconds(meters: $0.meters)) },
            uniquingKeysWith: min)
    }
}
