package import TransitModel
package import TransitStore

/// What actually happened to a departure, as far as the observations show.
package enum DepartureOutcome: Hashable, Sendable {
    /// The vehicle left at this time.
    case departed(Instant)
    /// The trip was canceled, or did not stop.
    case notServed
    case unknown

    /// The maximum number of seconds between the last prediction and the departure that it predicts. After that, too
    /// much can have happened.
    package static let horizon = 15 * 60

    /// Determines the outcome from the last observation before the departure.
    ///
    /// - Parameter observations: The observations of one departure, in any order.
    package init(_ observations: some Sequence<DepartureObservation>) {
        var last: DepartureObservation?
        for one in observations.sorted(by: { $0.at < $1.at }) {
            // After the departure, sources drop the trip. An observation without realtime data then says nothing.
            if let last, last.expected.map({ $0 <= one.at }) ?? false, one.expected == nil, one.status.isRunning {
                continue
            }
            last = one
        }
        guard let last else {
            self = .unknown
            return
        }
        if !last.status.isRunning {
            self = .notServed
        } else if let expected = last.expected, last.isFresh || last.status == .departed,
            last.at.seconds(to: expected) <= Self.horizon
        {
            self = .departed(expected)
        } else {
            self = .unknown
        }
    }

    /// Returns the outcome of each departure.
    package static func all(_ observations: [DepartureObservation]) -> [DepartureKey: DepartureOutcome] {
        Dictionary(grouping: observations, by: \.departure).mapValues { DepartureOutcome($0) }
    }
}

/// How punctual one departure, route or stop was.
package struct Punctuality: Hashable, Sendable {
    /// One departure on one service date.
    package struct Day: Hashable, Sendable {
        package var date: ServiceDate
        /// Seconds late, negative if early; `nil` if the vehicle did not run or the departure is not known.
        package var delay: Int?
        package var isServed: Bool

        package init(date: ServiceDate, delay: Int?, isServed: Bool) {
            self.date = date
            self.delay = delay
            self.isServed = isServed
        }
    }

    /// In the order of the dates, without those of which nothing is known.
    package var days: [Day]

    /// A departure is on time if it is at most this many seconds early, or less than this many seconds late.
    package static let maximumEarly = 60
    package static let minimumLate = 180

    package init(days: [Day]) { self.days = days }

    /// - Parameter outcomes: The departures to count, such as those of one usual departure or of one route.
    package init(_ outcomes: some Sequence<(key: DepartureKey, value: DepartureOutcome)>) {
        let days = outcomes.compactMap { key, outcome -> (Instant, Day)? in
            switch outcome {
            case .departed(let at):
                (key.scheduled, Day(date: key.serviceDate, delay: key.scheduled.seconds(to: at), isServed: true))
            case .notServed: (key.scheduled, Day(date: key.serviceDate, delay: nil, isServed: false))
            case .unknown: nil
            }
        }
        self.days = days.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private var delays: [Int] { days.compactMap(\.delay) }

    package var onTime: Int { delays.count { (-Self.maximumEarly..<Self.minimumLate).contains($0) } }
    package var late: Int { delays.count { $0 >= Self.minimumLate } }
    package var early: Int { delays.count { $0 < -Self.maximumEarly } }
    package var notServed: Int { days.count { !$0.isServed } }

    /// The median delay in seconds, the lower one of two; `nil` without departures.
    package var medianDelay: Int? {
        let sorted = delays.sorted()
        return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
}

extension SavedUsualDeparture {
    /// Whether a departure is this one on some service date.
    ///
    /// - Parameter zone: The zone of the service time.
    package func isSame(as key: DepartureKey, zone: ServiceZone) -> Bool {
        key.feed == feed && key.route == route && key.direction == direction && key.stop == stop
            && zone.instant(of: time, on: key.serviceDate) == key.scheduled
    }

    /// Whether this departure is expected on a service date, if it is in the timetable.
    package func isMeant(on date: ServiceDate) -> Bool { self.date.map { $0 == date } ?? days.contains(date.weekday) }
}
