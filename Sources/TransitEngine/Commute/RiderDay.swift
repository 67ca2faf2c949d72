public import TransitModel

/// A day as riders understand it. It ends at 04:00, because feeds date departures after midnight differently.
public struct RiderDay: Hashable, Sendable {
    /// The date on which the day begins.
    public let date: ServiceDate
    private let zone: ServiceZone

    /// The time of day at which a day ends, in seconds.
    private static let endOfDay = 4 * 3600

    /// The day of a time.
    public init(of time: Instant, in zone: ServiceZone) {
        date = zone.civil(at: time.advanced(by: -Self.endOfDay)).date
        self.zone = zone
    }

    /// The first moment after the day.
    public var end: Instant { zone.instant(date: date.advanced(by: 1), secondsOfDay: Self.endOfDay) }
}
