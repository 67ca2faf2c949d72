package import TransitModel

/// Guesses which departure a user has just caught.
package struct TripGuess: Sendable {
    /// A departure that the user may have caught.
    package struct Candidate: Hashable, Sendable {
        /// Why the departure is a candidate, the strongest reason last.
        package enum Reason: Int, Hashable, Sendable, Comparable {
            /// It serves one of the user's commutes.
            case commute
            /// It serves the commute that `next` shows without a name.
            case currentCommute
            /// The user saw it on a board within the last minutes.
            case viewed
            /// The user saw it among the departures of a commute within the last minutes.
            case viewedCommute
            /// It is a pinned or usual departure of the user.
            case usual

            package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
        }

        package var id: String
        /// The expected departure.
        package var departure: Instant
        package var isRunning: Bool
        package var reason: Reason

        package init(id: String, departure: Instant, isRunning: Bool = true, reason: Reason) {
            self.id = id
            self.departure = departure
            self.isRunning = isRunning
            self.reason = reason
        }
    }

    package enum Result: Hashable, Sendable {
        case found(Candidate)
        /// Several departures are equally likely, in the order of their departures.
        case ambiguous([Candidate])
        /// No departure is likely.
        case none
    }

    /// A departure is a candidate from this many seconds before it leaves, when the user already sits in it, until this
    /// many seconds after.
    package static let before = 2 * 60
    package static let after = 20 * 60
    /// Departures within this many seconds of each other cannot be told apart.
    package static let indistinguishable = 3 * 60

    /// Returns the latest candidate with the strongest reason, unless another one with the same reason left within
    /// ``indistinguishable`` seconds of it.
    package static func choose(_ candidates: [Candidate], now: Instant) -> Result {
        var strongest: [String: Candidate] = [:]
        for one in candidates where one.isRunning {
            guard (-before...after).contains(one.departure.seconds(to: now)) else { continue }
            if strongest[one.id].map({ $0.reason < one.reason }) ?? true { strongest[one.id] = one }
        }
        guard let reason = strongest.values.map(\.reason).max() else { return .none }
        let likely = strongest.values.filter { $0.reason == reason }.sorted {
            ($0.departure, $0.id) < ($1.departure, $1.id)
        }
        guard let latest = likely.last else { return .none }
        let alike = likely.filter { $0.departure.seconds(to: latest.departure) < indistinguishable }
        return alike.count == 1 ? .found(latest) : .ambiguous(alike)
    }
}
