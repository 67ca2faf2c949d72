internal import TransitModel

/// Decides for each trip, while stop times are read, whether it calls at a kept stop. The rows of other trips are
/// discarded immediately.
///
/// The rows of a trip are usually consecutive, so one reading is enough. If a row at a kept stop follows after earlier rows
/// of the same trip were discarded, the trip is postponed, and stop_times.txt is read a second time for the postponed
/// trips.
struct TripSelection: Sendable {
    private enum Decision: UInt8, Sendable {
        case undecided, kept, outside, postponed
    }

    /// Whether each stop is kept, by position in the source.
    private let isStopKept: [Bool]
    /// By trip, in source order. Trips at the end that have no stop times yet are missing.
    private var decisions: [Decision] = []
    /// Whether the rows of postponed trips are being read again.
    private(set) var isSecondReading = false
    private(set) var postponedCount = 0

    init(isStopKept: [Bool]) { self.isStopKept = isStopKept }

    /// Returns whether to process some consecutive rows of a trip; false if they must be discarded.
    mutating func keeps(_ stopTimes: [StopTime], of trip: SourceTripNumber) -> Bool {
        if isSecondReading { return true }
        let number = Int(trip.rawValue)
        if number >= decisions.count {
            decisions.append(contentsOf: repeatElement(.undecided, count: number + 1 - decisions.count))
        }
        switch decisions[number] {
        case .kept: return true
        case .postponed: return false
        case .undecided, .outside: break
        }
        guard stopTimes.contains(where: { isStopKept[$0.stop.position] }) else {
            decisions[number] = .outside
            return false
        }
        let isFirst = decisions[number] == .undecided
        decisions[number] = isFirst ? .kept : .postponed
        if !isFirst { postponedCount += 1 }
        return isFirst
    }

    /// Whether the trip has stop times, none of them at a kept stop.
    func isOutside(_ trip: SourceTripNumber) -> Bool { decision(trip) == .outside }

    /// Whether the rows of the trip must be read again.
    func isPostponed(_ trip: SourceTripNumber) -> Bool { decision(trip) == .postponed }

    private func decision(_ trip: SourceTripNumber) -> Decision {
        let number = Int(trip.rawValue)
        return number < decisions.count ? decisions[number] : .undecided
    }

    mutating func beginSecondReading() { isSecondReading = true }
}
