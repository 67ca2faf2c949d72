/// How fast riders walk, which decides how long each walk takes.
public struct WalkingSpeed: Hashable, Sendable {
    public let kilometersPerHour: Double
    public let metersPerSecond: Double

    /// 4.5 km/h, a common value for planning.
    public static let usual = WalkingSpeed(kilometersPerHour: 4.5)
    /// The ratio of walking distance to straight-line distance; 1.3 is a common value for cities.
    public static let detour = 1.3

    /// - Parameter kilometersPerHour: More than 0.
    public init(kilometersPerHour: Double) {
        self.kilometersPerHour = kilometersPerHour
        metersPerSecond = kilometersPerHour / 3.6
    }

    /// Returns the walking time in seconds for a straight-line distance, rounded up.
    @inline(__always)
    public func seconds(meters: Double) -> Int {
        let seconds = max(0, meters) * Self.detour / metersPerSecond
        guard seconds < 1e9 else { return 1_000_000_000 }
        // Searches call this for each change, and `rounded(.up)` is a call of a function.
        let whole = Int(seconds)
        return Double(whole) < seconds ? whole + 1 : whole
    }
}
