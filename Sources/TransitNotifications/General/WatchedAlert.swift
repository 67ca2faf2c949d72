internal import TransitEngine
package import TransitModel
package import TransitQueries
internal import TransitStore

/// An alert that applies to the user's routes, directions and stops.
package struct WatchedAlert: Hashable, Sendable {
    package var reference: NotificationDecision.AlertReference
    /// The feed that names the agency. Two feeds of one agency have the same value.
    package var agencyFeed: FeedID
    package var effect: AlertEffect
    package var periods: [Alert.ActivePeriod]
    /// The texts in the user's language; at least one is not `nil`.
    package var header: String?
    package var description: String?
    package var url: String?
    /// The texts in a language that does not depend on the user. They identify the alert (``textKey``).
    package var identifyingTexts: [String]
    /// The names of the user's lines to which the alert applies, in order.
    package var lines: [String]
    /// The names of the user's stations, if the alert is about stations and not about lines.
    package var stations: [String]
    /// The selections that include those lines, most important first; not empty.
    package var selections: [PersonalNetwork.Selection]

    package init(
        reference: NotificationDecision.AlertReference, agencyFeed: FeedID, effect: AlertEffect,
        periods: [Alert.ActivePeriod] = [], header: String?, description: String? = nil, url: String? = nil,
        identifyingTexts: [String]? = nil, lines: [String], stations: [String] = [],
        selections: [PersonalNetwork.Selection]
    ) {
        self.reference = reference
        self.agencyFeed = agencyFeed
        self.effect = effect
        self.periods = periods
        self.header = header
        self.description = description
        self.url = url
        self.identifyingTexts = identifyingTexts ?? [header, description].compactMap(\.self)
        self.lines = lines
        self.stations = stations
        self.selections = selections
    }

    /// What identifies the alert: the agency and the text, without regard to case and white space. Publishers give the
    /// same alert new identifiers. The same alert in another language has the same value.
    package var textKey: String {
        let text = identifyingTexts.compactMap { GeneralText.line($0, limit: .max)?.lowercased() }
        return StableHash.hexadecimal("\(agencyFeed)\n" + text.joined(separator: "\n"))
    }
}

/// The alerts of the user's network at one moment.
package struct WatchedAlerts: Hashable, Sendable {
    package var alerts: [WatchedAlert]
    /// The feeds whose alerts are known. An alert that is missing from such a feed has ended.
    package var knownFeeds: Set<FeedID>
    /// What the user selected, by feed.
    package var selections: [FeedID: Set<PersonalNetwork.Selection>]
    /// The times at which the user travels with a selection, in ascending order. A selection without an entry may be
    /// used at any time.
    package var travelTimes: [PersonalNetwork.Selection: [ClosedRange<Instant>]]

    package init(
        alerts: [WatchedAlert], knownFeeds: Set<FeedID>,
        selections: [FeedID: Set<PersonalNetwork.Selection>]? = nil,
        travelTimes: [PersonalNetwork.Selection: [ClosedRange<Instant>]] = [:]
    ) {
        self.travelTimes = travelTimes
        self.alerts = alerts
        self.knownFeeds = knownFeeds
        self.selections =
            selections
            ?? Dictionary(
                alerts.map { ($0.reference.feed, Set($0.selections)) }, uniquingKeysWith: { $0.union($1) })
    }

    /// The maximum number of alerts.
    package static let maximumAlerts = 400

    /// Selects the alerts that apply to a network, active or not, with texts in the context's language. Data that is too
    /// old to be used counts as unknown.
    package init(_ network: PersonalNetwork, _ context: QueryContext) {
        let language = context.language
        var (alerts, known): ([WatchedAlert], Set<FeedID>) = ([], [])
        var selections: [FeedID: Set<PersonalNetwork.Selection>] = [:]
        for feed in context.feeds {
            let lines = network.lines.filter { $0.feed == feed.id }
            selections[feed.id] = Set(lines.map(\.selection))
            guard let timetable = feed.timetable, let realtime = feed.realtime, let dataset = realtime.alerts,
                realtime.alertPolicy.age(of: dataset.time, at: context.now).freshness != .stale
            else { continue }
            known.insert(feed.id)
            if lines.isEmpty { continue }
            let selector = AlertSelector(lines: lines, timetable: timetable, dataset.alerts.alerts)
            for alert in dataset.alerts.alerts where alerts.count < Self.maximumAlerts {
                let matching = selector.lines(of: alert)
                guard !matching.isEmpty else { continue }
                let watched = WatchedAlert(
                    reference: .init(feed: feed.id, id: alert.id.rawValue),
                    agencyFeed: network.agencyFeeds[feed.id] ?? feed.id, effect: alert.effect,
                    periods: alert.activePeriods, header: alert.header?.text(in: language),
                    description: alert.description?.text(in: language),
                    url: (alert.url?.text(in: language)).flatMap { PublishedText.address($0) },
                    identifyingTexts: [alert.header, alert.description].compactMap { $0?.identifyingText },
                    lines: matching.map(\.name).uniqued(),
                    stations: Self.stations(of: alert, on: matching, TimetableNames(timetable, language: language)),
                    selections: matching.map(\.selection).uniqued().sorted())
                if watched.header != nil || watched.description != nil { alerts.append(watched) }
            }
        }
        self.init(
            alerts: alerts, knownFeeds: known, selections: selections,
            travelTimes: network.travelTimes(around: context.now, in: context.zone))
    }

    /// Returns the names of the user's stations that an alert is about. It is about stations if it names nothing else, or
    /// if it is about their accessibility. A stop that cannot be read has no name.
    private static func stations(
        of alert: Alert, on lines: [PersonalNetwork.Line], _ names: TimetableNames
    ) -> [String] {
        let isAboutStations = alert.informed.allSatisfy { informed in
            informed.stopID != nil
                && (alert.effect == .accessibilityIssue || informed.routeID == nil && informed.trip == nil)
        }
        guard isAboutStations else { return [] }
        return alert.informed.compactMap(\.stopID).uniqued().filter { stop in
            lines.contains { $0.stops?.contains(stop) ?? true }
        }.compactMap { id in
            guard let stop = (try? names.timetable.file.find(id))?.stop else { return nil }
            return try? names.stationName(of: stop)
        }.uniqued()
    }
}

/// Finds the lines of a feed to which an alert applies.
struct AlertSelector {
    private let lines: [PersonalNetwork.Line]
    private let timetable: Timetable
    /// The positions in ``lines``, by route.
    private let byRoute: [RouteID: [Int]]
    /// The trips that the alerts name, if a line has a time.
    private var trips: [TripID: TripPatternPosition] = [:]

    /// The maximum number of trips that are looked up.
    private static let maximumTrips = 5000

    /// - Parameter alerts: The alerts whose lines will be asked for. Their trips are looked up together.
    init(lines: [PersonalNetwork.Line], timetable: Timetable, _ alerts: [Alert]) {
        self.lines = lines
        self.timetable = timetable
        byRoute = Dictionary(grouping: lines.indices) { lines[$0].route }
        guard lines.contains(where: { $0.time != nil }) else { return }
        let named = alerts.lazy.flatMap(\.informed).compactMap { $0.trip?.tripID }
        let ids = Array(named.prefix(Self.maximumTrips).uniqued())
        // Trips that cannot be read are treated as missing from the timetable.
        guard !ids.isEmpty, let found = try? timetable.patternPositions(ofTrips: ids) else { return }
        for (id, position) in zip(ids, found) { trips[id] = position }
    }

    /// Returns the lines in their order.
    func lines(of alert: Alert) -> [PersonalNetwork.Line] {
        var matching: Set<Int> = []
        for informed in alert.informed {
            let route = informed.routeID ?? informed.trip?.routeID
            for position in route.map({ byRoute[$0] ?? [] }) ?? Array(lines.indices)
            where !matching.contains(position) && matches(informed, lines[position]) {
                matching.insert(position)
            }
            if matching.count == lines.count { break }
        }
        return matching.sorted().map { lines[$0] }
    }

    /// Whether every field that the selector names matches the line (GTFS-Realtime reference, *EntitySelector*).
    private func matches(_ informed: InformedEntity, _ line: PersonalNetwork.Line) -> Bool {
        var names = false
        func fits<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool {
            guard let wanted else { return true }
            names = true
            return wanted == found
        }
        guard fits(informed.agencyID, line.agency), fits(informed.routeID, line.route),
            fits(informed.routeType.map(Int.init), line.routeType), fits(informed.trip?.routeID, line.route)
        else { return false }
        if let stop = informed.stopID {
            // A selector that names only a stop does not match a route of which the user selected all stops.
            guard line.stops.map({ $0.contains(stop) }) ?? names else { return false }
            names = true
        }
        if let trip = informed.trip?.tripID {
            guard isTrip(trip, of: line) else { return false }
            names = true
        }
        // A direction without its route matches nothing.
        return names && isDirection(informed.direction, of: line) && isDirection(informed.trip?.direction, of: line)
    }

    private func isDirection(_ wanted: Direction?, of line: PersonalNetwork.Line) -> Bool {
        guard let wanted else { return true }
        return wanted == line.direction
    }

    /// Whether a trip is the pinned or usual departure of the line. Alerts about single trips of other lines are shown
    /// with the departures.
    private func isTrip(_ id: TripID, of line: PersonalNetwork.Line) -> Bool {
        guard let time = line.time, let boarding = line.boarding, let place = trips[id] else { return false }
        let pattern = place.pattern
        guard timetable.route(pattern.route)?.id == line.route, pattern.direction == line.direction else {
            return false
        }
        let group = pattern.timingGroups[place.timingGroup]
        guard group.starts.indices.contains(place.position) else { return false }
        return pattern.calls.indices.contains { call in
            guard let stop = try? timetable.cachedStop(pattern.stop(at: call)).id, boarding.contains(stop) else {
                return false
            }
            return group.starts[place.position] + group.times[call].departure == time.seconds
        }
    }
}

extension Sequence where Element: Hashable {
    /// Returns the elements without duplicates, in order.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
