package import TransitModel

/// Repeats the decisions of past days with other settings: which notifications they would have raised.
///
/// The decisions of rules about departures are repeated. Decisions of other rules, such as alerts, are not included.
package struct Rehearsal: Sendable {
    /// A subject on a day on which it was watched, with the departures that served it.
    package struct Subject: Hashable, Sendable {
        /// The subject without its departures.
        package var subject: WatchedSubject
        /// The departures in the order in which the subject had them, with their names.
        package var departures: [Departure]

        package init(subject: WatchedSubject, departures: [Departure]) {
            self.subject = subject
            self.departures = departures
        }
    }

    /// A departure of a subject.
    package struct Departure: Hashable, Sendable {
        package var key: DepartureKey
        package var names: DepartureNames
        /// The ride to the destination in seconds; `nil` without a destination.
        package var ride: Int?

        package init(key: DepartureKey, names: DepartureNames, ride: Int? = nil) {
            self.key = key
            self.names = names
            self.ride = ride
        }
    }

    /// The engine's inputs in addition to the observations.
    package enum Event: Hashable, Sendable {
        case input(NotificationInput)
        case taken(DepartureKey, at: Instant)
    }

    /// In the order of time.
    package var events: [Event]

    /// Creates a rehearsal from recorded inputs.
    package init(events: [Event]) { self.events = events }

    /// Creates a rehearsal from saved observations.
    ///
    /// - Parameters:
    ///   - subjects: The subjects of all days. A departure is listed from its first observation until five minutes
    ///     after it left.
    ///   - observations: In the order of time. An observation may be missing if it differs from the previous one of its
    ///     departure only in ``DepartureObservation/at`` and ``DepartureObservation/measured``.
    ///   - taken: The departures that the user took, in the order of time.
    package init(
        subjects: [Subject], observations: [DepartureObservation], taken: [(at: Instant, departure: DepartureKey)],
        zone: ServiceZone
    ) {
        var latest: [DepartureKey: DepartureObservation] = [:]
        var events: [Event] = []
        var trips = taken[...]
        var position = 0
        while position < observations.count {
            let now = observations[position].at
            while let trip = trips.first, trip.at <= now {
                events.append(.taken(trip.departure, at: trip.at))
                trips.removeFirst()
            }
            while position < observations.count, observations[position].at == now {
                latest[observations[position].departure] = observations[position]
                position += 1
            }
            let followed = Set(taken.lazy.filter { $0.at <= now }.map(\.departure))
            let present = subjects.compactMap { Self.subject($0, latest, now, followed) }
            events.append(.input(NotificationInput(now: now, zone: zone, subjects: present)))
        }
        events += trips.map { .taken($0.departure, at: $0.at) }
        self.events = events
    }

    private static func subject(
        _ subject: Subject, _ latest: [DepartureKey: DepartureObservation], _ now: Instant,
        _ followed: Set<DepartureKey>
    ) -> WatchedSubject? {
        var present = subject.subject
        present.departures = subject.departures.compactMap { departure in
            guard let observation = latest[departure.key] else { return nil }
            let isOver = observation.time.advanced(by: 300) < now
            guard !isOver || followed.contains(departure.key) else { return nil }
            return WatchedDeparture(
                observation: observation, names: departure.names, id: "",
                arrival: departure.ride.map { observation.time.advanced(by: $0) })
        }
        // A pinned or usual departure that is over has no alternatives either.
        let isSingle = present.kind == .pinned || present.kind == .usual
        guard let first = present.departures.first else { return nil }
        return isSingle && first.key != subject.departures.first?.key ? nil : present
    }

    /// Returns the decisions with these settings, including suppressed ones.
    ///
    /// - Parameter end: The end of the past days. Decisions that become due after the last event are repeated until
    ///   then.
    package func decisions(settings: NotificationSettings, until end: Instant? = nil) -> [NotificationDecision] {
        var settings = settings
        settings.isEnabled = true
        var engine = NotificationEngine(settings: settings)
        var decisions: [NotificationDecision] = []
        var last: NotificationInput?
        for event in events {
            let now: Instant
            switch event {
            case .input(let input):
                now = input.now
                // Nothing was decided while the machine slept.
                if input.hasResumed { last = nil }
            case .taken(_, let at): now = at
            }
            // Between two observations, the engine is evaluated at the moments that it returns.
            while let input = last, let moment = engine.nextMoment(after: input.now), moment < now {
                let step = NotificationInput(now: moment, zone: input.zone)
                decisions += engine.evaluate(step)
                last = step
            }
            switch event {
            case .input(let input):
                decisions += engine.evaluate(input)
                last = input
            case .taken(let departure, let at): decisions += engine.taken(departure, at: at)
            }
        }
        while let end, let input = last, let moment = engine.nextMoment(after: input.now), moment < end {
            let step = NotificationInput(now: moment, zone: input.zone)
            decisions += engine.evaluate(step)
            last = step
        }
        return decisions
    }

    /// The rules whose decisions a rehearsal repeats. It has no data for the others, such as alerts and the last departure.
    package static let rules = Set(Rules.departures.filter { $0.situation != .lastOfDay }.flatMap { $0.rules })

    /// The number of notifications in a series. As in the log, updates count and withdrawals do not.
    package struct Count: Hashable, Sendable {
        package var shown = 0
        package var sounding = 0

        package init(shown: Int = 0, sounding: Int = 0) {
            self.shown = shown
            self.sounding = sounding
        }

        package init(_ decisions: [NotificationDecision]) {
            for decision in decisions
            where decision.suppression == nil && decision.operation != .withdraw
                && Rehearsal.rules.contains(decision.rule)
            {
                shown += 1
                sounding += decision.hasSound ? 1 : 0
            }
        }
    }

    /// How two series of notifications differ, by key and rule.
    package struct Comparison: Hashable, Sendable {
        package struct Entry: Hashable, Sendable {
            package var key: String
            package var rule: NotificationRule
            /// The time of the first notification in each series; `nil` if the series has none.
            package var before: Instant?
            package var after: Instant?
            package var title: String
        }

        /// The notifications of both series, of only the former, and of only the latter, each in the order of time.
        package var both: [Entry] = []
        package var onlyBefore: [Entry] = []
        package var onlyAfter: [Entry] = []
    }

    /// Compares what was shown with what other settings would show. The first notification of each rule and key counts.
    package static func compare(
        before: [NotificationDecision], after: [NotificationDecision]
    ) -> Comparison {
        struct Place: Hashable {
            var key: String
            var rule: NotificationRule
        }
        var entries: [Place: Comparison.Entry] = [:]
        for (isAfter, decisions) in [(false, before), (true, after)] {
            for decision in decisions where decision.suppression == nil && decision.operation != .withdraw {
                let place = Place(key: decision.key, rule: decision.rule)
                var entry = entries[place] ?? Comparison.Entry(key: place.key, rule: place.rule, title: decision.title)
                if isAfter {
                    entry.after = entry.after ?? decision.at
                } else {
                    entry.before = entry.before ?? decision.at
                }
                entries[place] = entry
            }
        }
        var comparison = Comparison()
        let sorted = entries.values.sorted {
            let (left, right) = ($0.before ?? $0.after!, $1.before ?? $1.after!)
            return (left, $0.key, $0.rule.rawValue) < (right, $1.key, $1.rule.rawValue)
        }
        for entry in sorted {
            switch (entry.before, entry.after) {
            case (_?, _?): comparison.both.append(entry)
            case (_?, nil): comparison.onlyBefore.append(entry)
            default: comparison.onlyAfter.append(entry)
            }
        }
        return comparison
    }
}
