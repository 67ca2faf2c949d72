package import TransitEngine
package import TransitModel

/// A change from one vehicle to the next.
package struct JourneyChange {
    /// Whether riders reach the next vehicle.
    package enum Judgment: Hashable, Sendable {
        /// Even if the one vehicle is late and the other one early, as far as their uncertainties say.
        case safe
        /// As expected, but not if both are as uncertain as stated.
        case tight
        /// Not even if the one vehicle is early and the other one late.
        case missed

        /// - Parameters:
        ///   - inHand: The expected departure minus the expected arrival minus the time of the change, in seconds.
        ///   - arrival: The uncertainty of the arrival in seconds.
        ///   - departure: The uncertainty of the departure in seconds.
        package init(inHand: Int, arrival: Int, departure: Int) {
            let uncertainty = arrival + departure
            self = inHand >= uncertainty ? .safe : inHand + uncertainty < 0 ? .missed : .tight
        }
    }

    /// The connection that riders take instead if they do not reach the vehicle.
    package struct Replacement {
        package var departure: MergedDeparture
        /// The arrival at the destination, after the walk.
        package var arrival: Instant
    }

    /// The time in seconds that the change needs.
    package var seconds: Int
    /// The seconds that are left: the expected departure minus the expected arrival minus ``seconds``.
    package var inHand: Int
    package var judgment: Judgment
    /// Whether the departing vehicle waits (`transfer_type` 1).
    package var isTimed: Bool
    /// What follows if a change that is not ``Judgment/safe`` breaks; `nil` if nothing follows within a day.
    package var replacement: Replacement?

    /// - Parameter uncertainty: The uncertainty in seconds of a call for which no realtime data states one.
    package init(
        from arrival: ExpectedCall, to departure: ExpectedCall, seconds: Int, isTimed: Bool, uncertainty: Int
    ) {
        self.seconds = seconds
        self.isTimed = isTimed
        inHand = arrival.arrival.seconds(to: departure.departure) - seconds
        judgment =
            isTimed
            ? .safe
            : Judgment(
                inHand: inHand, arrival: arrival.uncertainty.map { Int($0) } ?? uncertainty,
                departure: departure.uncertainty.map { Int($0) } ?? uncertainty)
    }
}
