/// The possible error of a time that is estimated from a vehicle's position on a trip with scheduled times.
///
/// The estimate assumes that the delay at the position persists. Its error grows with the time between the position and
/// the estimated event, because trains recover and lose time on the way. It has a part that does not grow: the position
/// is older than its message, the path between two stops is not driven at constant speed, and a vehicle at a stop may
/// be about to leave or have just arrived.
///
/// The values are from recordings of trains (`EstimateUncertaintyTests`). At least nine of ten errors are within the
/// stated uncertainty, for each range of the time ahead.
enum EstimateUncertainty {
    /// The uncertainty of an event at the time of the position, in seconds.
    static let base: Int64 = 150
    /// The growth of the uncertainty per thousand seconds between the position and the event, in seconds.
    static let growth: Int64 = 50
    /// The maximum uncertainty in seconds. A delay rarely changes by more on one trip.
    static let maximum: Int64 = 900

    /// Returns the uncertainty in seconds.
    ///
    /// - Parameter ahead: the number of seconds from the measurement of the position to the estimated event.
    static func seconds(ahead: Int64) -> Int32 {
        Int32(min(maximum, base + max(0, ahead) / 1000 * growth + max(0, ahead) % 1000 * growth / 1000))
    }
}
