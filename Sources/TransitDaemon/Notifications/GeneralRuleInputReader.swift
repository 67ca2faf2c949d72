internal import Logging
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitStore

/// Reads the input of the general rules for one user.
///
/// Values that take long to compute are kept until a timetable, the user's data or the day changes.
struct GeneralRuleInputReader {
    /// The services that have the data.
    struct Sources: Sendable {
        var state: StateStore
        var controller: FeedController
        var feeds: FeedRegistry
        var refresh: RefreshService
        var externalData: ExternalData
        var corruptFiles: CorruptFileLog
        var logger: Logger
    }

    /// The values that depend on the user's data, the timetables and the day.
    private struct Day {
        var date: ServiceDate
        var network: PersonalNetwork
        var personal: PersonalState
        var unusual: UnusualService?
        var badges: [EarnedBadge]?
        var streak: StreakStatus?
        var stations: [CommuteStation]
    }

    /// A station at an end of a commute.
    private struct CommuteStation {
        var commute: CommuteConfiguration
        var station: NamedStation
    }

    private let uid: UInt32
    private let sources: Sources
    private var day: Day?
    /// The versions with which the next ones are compared.
    private var timetables: [FeedID: Timetable] = [:]
    /// The last input, whose values are given again when time alone passes.
    private(set) var last: GeneralRuleInput?
    /// What ``GeneralRuleInput/alerts`` of the last input was computed from.
    private var alertStamps: [AlertStamp] = []

    /// Identifies the alerts of a feed. Most messages of a feed contain no alerts.
    private struct AlertStamp: Equatable {
        var feed: FeedID
        var timetable: Timetable?
        var dataset: RealtimeDataset?
        var isStale: Bool

        init(_ view: FeedView, at now: Instant) {
            feed = view.id
            timetable = view.timetable
            dataset = view.realtime?.alerts
            isStale =
                view.realtime.flatMap { realtime in
                    realtime.alerts.map { realtime.alertPolicy.age(of: $0.time, at: now).freshness == .stale }
                } ?? true
        }

        static func == (left: Self, right: Self) -> Bool {
            left.feed == right.feed && left.timetable === right.timetable && left.dataset === right.dataset
                && left.isStale == right.isStale
        }
    }

    init(_ uid: UInt32, _ sources: Sources) {
        self.uid = uid
        self.sources = sources
    }

    /// Returns the input of this moment.
    ///
    /// - Parameter hasChanged: Whether the user's data, such as the logged trips, may have changed.
    mutating func input(
        _ context: QueryContext, _ configuration: Configuration, _ engine: NotificationEngine, hasChanged: Bool
    ) -> GeneralRuleInput {
        let (day, isNew) = self.day(context, configuration, engine, hasChanged: hasChanged)
        var input = GeneralRuleInput(now: context.now, zone: context.zone)
        let stamps = context.feeds.map { AlertStamp($0, at: context.now) }
        let known = isNew || stamps != alertStamps ? nil : last?.alerts
        let alerts = known ?? WatchedAlerts(day.network, context)
        alertStamps = stamps
        input.alerts = alerts
        input.timetables = compared(context, engine)
        input.service = day.unusual
        input.health = HealthCondition.all(
            context.feeds, rejections: rejections, budgets: exhaustedBudgets,
            repairs: sources.corruptFiles.entries.filter { $0.remedy != .lost }.map { ($0.name, $0.found) },
            settings: engine.settings[HealthRule.self], now: context.now)
        input.events = events(day, context, engine.settings[EventCrowdingRule.self])
        (input.badges, input.streak) = (day.badges, day.streak)
        input.tomorrow = tomorrow(day, input, alerts, context, engine)
        last = input
        return input
    }

    /// Returns the next moment at which a decision can change without new data: a moment of a rule, the start of a day,
    /// or the time at which a feed was not refreshed for too long. `nil` before the first input.
    func nextMoment(_ engine: NotificationEngine, in zone: ServiceZone, after now: Instant) -> Instant? {
        guard let last else { return nil }
        let midnight = zone.instant(date: zone.civil(at: now).date.advanced(by: 1), secondsOfDay: 0)
        let limit = engine.settings[HealthRule.self].withoutRefresh
        let overdue = sources.feeds.all.compactMap { feed in
            feed.confirmed?.advanced(by: max(limit, 2 * feed.configuration.refreshInterval))
        }
        return ([engine.nextMoment(last, after: now), midnight].compactMap(\.self) + overdue).filter { $0 > now }.min()
    }

    // MARK: The day

    private mutating func day(
        _ context: QueryContext, _ configuration: Configuration, _ engine: NotificationEngine, hasChanged: Bool
    ) -> (Day, isNew: Bool) {
        let today = context.zone.civil(at: context.now).date
        if let day, !hasChanged, day.date == today, day.network.isCurrent(context), day.personal == context.personal {
            return (day, false)
        }
        let network = PersonalNetwork(context)
        var new = Day(date: today, network: network, personal: context.personal, stations: stations(context))
        do {
            new.unusual = try UnusualService(on: today.advanced(by: 1), network, context)
        } catch {
            // A timetable that cannot be read is reported by the feed's status.
            sources.logger.debug("The service of tomorrow cannot be read: \(error)")
        }
        (new.badges, new.streak) = travel(context, configuration, engine, today: today)
        day = new
        return (new, true)
    }

    private func stations(_ context: QueryContext) -> [CommuteStation] {
        let stations = StationsInUse(context)
        return context.commuteList.entries.flatMap { entry in
            stations.stations(of: entry.commute).map { CommuteStation(commute: entry.commute, station: $0) }
        }
    }

    /// Returns the earned badges and the streak of the logged trips.
    private func travel(
        _ context: QueryContext, _ configuration: Configuration, _ engine: NotificationEngine, today: ServiceDate
    ) -> ([EarnedBadge]?, StreakStatus?) {
        let log: TripLog
        do throws(StoreError) { log = try sources.state.tripLog(of: uid) } catch {
            sources.logger.warning("The logged trips cannot be read: \(error)")
            return (nil, nil)
        }
        let insights = TravelInsights(
            log.totals, today: today, daysOff: engine.settings.daysOff, configuration.insights)
        let units = (context.personal.units ?? configuration.insights.units).fixedUnits
        let badges = insights.badges.filter { $0.earned != nil }.map { progress in
            EarnedBadge(
                id: progress.badge.rawValue, name: progress.badge.title,
                detail: "For \(progress.badge.task(in: units)).")
        }
        let hasTripToday = log.totals.days[today] != nil
        let streak = StreakStatus(
            days: insights.currentStreak.days - (hasTripToday ? 1 : 0),
            isCommuteDay: insights.commuteDays.contains(today), hasTripToday: hasTripToday)
        return (badges, streak)
    }

    // MARK: Timetables

    /// Returns the comparisons of the feeds whose version is new to the engine.
    private mutating func compared(_ context: QueryContext, _ engine: NotificationEngine) -> [ComparedTimetable] {
        context.feeds.compactMap { feed in
            guard let current = feed.timetable else { return nil }
            defer { timetables[feed.id] = current }
            let known = engine.comparedVersion(of: feed.id)
            if known == current.version { return nil }
            let usual = context.personal.usualDepartures.filter { $0.feed == feed.id }
            guard let known, let old = timetable(known, of: feed.id) else {
                return ComparedTimetable(feed: feed.id, version: current.version, statuses: nil)
            }
            if usual.isEmpty { return ComparedTimetable(feed: feed.id, version: current.version, statuses: []) }
            let comparison = UsualDepartureComparison(
                old: old, new: current, minimumMove: engine.settings[TimetableRule.self].moved,
                language: context.language,
                now: context.now)
            do {
                return ComparedTimetable(
                    feed: feed.id, version: current.version, statuses: try comparison.statuses(of: usual))
            } catch {
                sources.logger.warning("The versions of \(feed.id) cannot be compared: \(error)")
                return ComparedTimetable(feed: feed.id, version: current.version, statuses: nil)
            }
        }
    }

    /// Returns an earlier version of a timetable; `nil` if it no longer exists.
    private func timetable(_ version: Int, of feed: FeedID) -> Timetable? {
        if let kept = timetables[feed], kept.version == version { return kept }
        guard let library = try? sources.controller.service(of: feed).library(),
            let file = try? library.file(version: version)
        else { return nil }
        return Timetable(feed: feed, version: version, file: file, zones: TimeZoneDatabase())
    }

    // MARK: The machine

    private var rejections: [FeedID: Instant] {
        Dictionary(
            sources.feeds.all.compactMap { feed in feed.keyRejectedLast.map { (feed.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private var exhaustedBudgets: [(key: String, until: Instant?)] {
        sources.refresh.budgets().compactMap { report in
            report.windows.filter { $0.left == 0 }.map(\.ends).max().map { ("\(report.key)", $0) }
        }
    }

    // MARK: Events and weather

    /// Returns the events near the stations of commutes; `nil` if the events are not known.
    private func events(
        _ day: Day, _ context: QueryContext, _ settings: EventCrowdingRule.Settings
    ) -> [EventNearStation]? {
        guard let snapshot = sources.externalData.events.snapshot else { return nil }
        let venues = sources.externalData.configuration.events?.venues ?? .standard
        var near: [EventNearStation] = []
        for event in snapshot.events where near.count < Self.maximumEvents {
            // An event that no longer takes place is left out, which withdraws its notification.
            guard event.status.takesPlace, let start = event.start, let venue = event.venue,
                let place = venue.coordinate, venues.isNotable(venue.name)
            else { continue }
            let end = event.end ?? start.advanced(by: 6 * 3600)
            guard end >= context.now, start.seconds(to: context.now) > -2 * 86_400 else { continue }
            let isAlwaysListed = venues.isAlwaysListed(venue.name)
            let distances = day.stations.map { ($0, $0.station.coordinate.distance(to: place)) }
            for (name, stations) in Dictionary(grouping: distances, by: \.0.commute.name).sorted(by: { $0.key < $1.key }
            ) {
                guard let (nearest, meters) = stations.min(by: { $0.1 < $1.1 }) else { continue }
                let isNear = meters <= settings.miles * EventsQuery.metersPerMile
                let isNearest =
                    !isNear && isAlwaysListed && meters <= VenueTable.maximumDistance
                    && VenueDistance(context.feeds.compactMap(\.timetable)).isNearest(meters, to: place)
                guard isNear || isNearest else { continue }
                near.append(
                    EventNearStation(
                        id: event.id, name: event.name, kind: (event.genre ?? event.category ?? "event").lowercased(),
                        venue: venue.name, station: nearest.station.name, miles: meters / EventsQuery.metersPerMile,
                        start: start, end: event.end, isAtLargeVenue: true, isNearestStation: isNearest, url: event.url,
                        commute: name,
                        windows: nearest.commute.windows.flatMap {
                            $0.instances(from: context.now, days: 2, in: context.zone)
                        }))
            }
        }
        return near
    }

    /// The maximum number of events that are watched for one user.
    private static let maximumEvents = 200

    private func tomorrow(
        _ day: Day, _ input: GeneralRuleInput, _ alerts: WatchedAlerts, _ context: QueryContext,
        _ engine: NotificationEngine
    ) -> Tomorrow {
        let date = day.date.advanced(by: 1)
        var tomorrow = Tomorrow(date: date)
        tomorrow.dayOff = engine.settings.daysOff.contains(date) ? "" : nil
        tomorrow.service = day.unusual
        tomorrow.timetable = engine.timetableChanges(on: date)
        tomorrow.alerts = Tomorrow.plannedAlerts(alerts, on: date, zone: context.zone, now: context.now)
        tomorrow.events = (input.events ?? []).filter {
            context.zone.civil(at: $0.start).date == date
        }
        return tomorrow
    }
}

extension WatchedSubject {
    /// Adds the forecasts for the arrivals of the departures.
    func with(_ forecasts: WeatherSnapshot, now: Instant) -> WatchedSubject {
        var subject = self
        for position in subject.departures.indices {
            let departure = subject.departures[position]
            guard let arrival = departure.arrival, let place = departure.destinationPosition,
                let weather = forecasts.weather(at: place, time: arrival, now: now),
                weather.age <= WeatherSnapshot.maximumAge
            else { continue }
            subject.departures[position].weather = WeatherAtArrival(
                at: arrival, probability: weather.rainProbability, millimeters: weather.rain,
                snowfall: weather.snowfall)
        }
        return subject
    }
}
