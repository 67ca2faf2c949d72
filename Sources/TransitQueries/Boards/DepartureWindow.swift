internal import TransitEngine
package import TransitModel

/// The time window of a board, from the time of the query to its end, both included.
package struct DepartureWindow: Hashable, Sendable {
    package var start: Instant
    /// The length in seconds.
    package var seconds: Int
    /// What the caller names.
    package var basis: Basis
    /// The time zone of the stop.
    package var zone: ServiceZone

    package enum Basis: Hashable, Sendable {
        /// A length from now.
        case now
        /// A length and its start.
        case start
        /// A day, or its rest.
        case day
    }

    /// The minimum number of departures that are searched, so that the first departure that runs is found behind
    /// canceled ones.
    private static let minimumSearchCount = 10

    /// Creates the window of a request.
    ///
    /// - Parameters:
    ///   - within: The length in seconds; the result is `nil` without it, unless the caller names a day.
    ///   - time: The time that the caller names; `nil` for now.
    init?(_ within: Int?, from time: QueryTime?, now: Instant, zone: ServiceZone) {
        start = time?.start ?? now
        if let within {
            (seconds, basis) = (within, time == nil ? .now : .start)
        } else if let end = time?.end {
            (seconds, basis) = (start.seconds(to: end), .day)
        } else {
            return nil
        }
        self.zone = zone
    }

    /// The number of departures to search for a board of `count` departures.
    func searchCount(_ count: Int) -> Int { max(count, Self.minimumSearchCount) }

    /// Returns the first departures in the window and, if there are none but some leave later, the reason.
    ///
    /// - Parameters:
    ///   - found: The departures from the start of the window on, in order.
    ///   - count: The maximum number of departures.
    func limit<Departure>(
        _ found: [Departure], to count: Int, call: (Departure) -> ExpectedCall
    ) -> (departures: [Departure], emptyReason: EmptyBoardReason?) {
        let end = start.advanced(by: seconds)
        let departures = found.filter { call($0).departure <= end }
        guard departures.isEmpty, !found.isEmpty else { return (Array(departures.prefix(count)), nil) }
        return ([], .outsideWindow(self, next: found.map(call).first(where: \.isRunning)?.departure))
    }
}
