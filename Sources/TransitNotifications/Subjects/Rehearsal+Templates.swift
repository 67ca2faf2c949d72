package import TransitEngine
package import TransitModel

extension Rehearsal {
    /// A subject of today, with the days on which it is watched.
    package struct Template: Hashable, Sendable {
        package var subject: WatchedSubject
        /// All windows of a commute. The subject itself has only the current or next one.
        package var windows: [CommuteWindow]
        /// The service days of a pinned or usual departure.
        package var days: Set<Weekday>
        /// The only date of a departure that is pinned for one date; `nil` for others.
        package var date: ServiceDate?

        package init(
            subject: WatchedSubject, windows: [CommuteWindow] = [], days: Set<Weekday> = Set(Weekday.allCases),
            date: ServiceDate? = nil
        ) {
            self.subject = subject
            self.windows = windows
            self.days = days
            self.date = date
        }
    }

    /// Creates a rehearsal of past days from the subjects of today: each subject is assumed to have been watched on each
    /// of its days on which its departures were observed.
    ///
    /// - Parameters:
    ///   - templates: The subjects of today.
    ///   - observations: In the order of time.
    ///   - taken: The departures that the user took, in the order of time.
    package init(
        templates: [Template], observations: [DepartureObservation],
        taken: [(at: Instant, departure: DepartureKey)] = [], zone: ServiceZone
    ) {
        let days = Dictionary(grouping: Set(observations.map(\.departure)), by: \.serviceDate)
        var subjects: [Subject] = []
        for (date, keys) in days.sorted(by: { $0.key < $1.key }) {
            for template in templates where template.date.map({ $0 == date }) ?? template.days.contains(date.weekday) {
                subjects += Self.subjects(template, on: date, keys, zone)
            }
        }
        self.init(subjects: subjects, observations: observations, taken: taken, zone: zone)
    }

    /// Returns the observations of departures like those of the templates. The saved observations are those of all users.
    package static func observations(
        _ observations: [DepartureObservation], like templates: [WatchedSubject]
    ) -> [DepartureObservation] {
        let places = Set(templates.flatMap(\.departures).map { Place($0.key) })
        return observations.filter { places.contains(Place($0.departure)) }
    }

    /// A route and direction at a stop.
    private struct Place: Hashable {
        var feed: FeedID
        var route: RouteID
        var direction: Direction?
        var stop: StopID

        init(_ key: DepartureKey) {
            (feed, route, direction, stop) = (key.feed, key.route, key.direction, key.stop)
        }
    }

    /// Returns a subject for each window on a date, and one for a subject without windows.
    private static func subjects(
        _ template: Template, on date: ServiceDate, _ keys: [DepartureKey], _ zone: ServiceZone
    ) -> [Subject] {
        guard template.subject.kind == .commute, !template.windows.isEmpty else {
            return [subject(template.subject, on: date, keys, zone)].compactMap(\.self)
        }
        let midnight = zone.instant(date: date, secondsOfDay: 0)
        return template.windows.flatMap { $0.instances(from: midnight, days: 0, in: zone) }.compactMap { window in
            var present = template.subject
            present.window = window
            return subject(present, on: date, keys, zone)
        }
    }

    private static func subject(
        _ template: WatchedSubject, on date: ServiceDate, _ keys: [DepartureKey], _ zone: ServiceZone
    ) -> Subject? {
        let samples = Dictionary(template.departures.map { (Place($0.key), $0) }) { first, _ in first }
        var fitting = keys.filter { samples[Place($0)] != nil }.sorted { $0.scheduled < $1.scheduled }
        var subject = template
        subject.departures = []
        (subject.last, subject.canceledLast) = (nil, [])
        switch template.kind {
        // A journey is pinned for one date.
        case .journey, .connection: return nil
        case .favorite: break
        case .commute:
            guard let window = template.window else { return nil }
            let lower = zone.instant(date: date, secondsOfDay: zone.civil(at: window.lowerBound).secondsOfDay)
            let upper = lower.advanced(by: window.lowerBound.seconds(to: window.upperBound))
            subject.window = lower...max(lower, upper)
            fitting = fitting.filter { $0.scheduled >= lower && $0.scheduled <= upper.advanced(by: 7200) }
        case .pinned, .usual:
            guard let own = template.departures.first?.key else { return nil }
            let moment = zone.instant(date: date, secondsOfDay: zone.civil(at: own.scheduled).secondsOfDay)
            let nearest = fitting.min { abs($0.scheduled.seconds(to: moment)) < abs($1.scheduled.seconds(to: moment)) }
            guard let nearest, abs(nearest.scheduled.seconds(to: moment)) <= 600 else { return nil }
            fitting = [nearest] + fitting.filter { $0 != nearest && abs($0.scheduled.seconds(to: moment)) <= 10_800 }
        }
        guard !fitting.isEmpty else { return nil }
        let departures = fitting.compactMap { key -> Departure? in
            guard let sample = samples[Place(key)] else { return nil }
            let ride = sample.arrival.map { sample.observation.time.seconds(to: $0) }
            return Departure(key: key, names: sample.names, ride: ride)
        }
        return Subject(subject: subject, departures: departures)
    }
}
