internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles `events`.
struct EventsHandler: MethodHandler {
    let data: ContextData
    let refresh: RefreshService
    let clock: any DaemonClock

    /// Half a mile, rounded down.
    private static let minimumRadius = 800

    func reply(to parameters: EventsParameters, _ context: RequestContext) throws -> EventsResult {
        guard let options = context.configuration.events else {
            throw ControlError(
                .contextNotConfigured, "No source of events is configured.",
                hint: "Add the section [events] to the configuration (transitd.toml(5)), and set a key with: "
                    + "transitctl key set \(DatasetID.events.feed).")
        }
        guard parameters.radius >= Self.minimumRadius else {
            throw ControlError(
                .invalidParameters, "params.radius must be at least \(Self.minimumRadius).",
                hint: "It is in meters; half a mile is 805.")
        }
        let query = try EventsQuery(
            date: parameters.date, days: parameters.days, category: parameters.category, station: parameters.stop,
            radius: Double(parameters.radius), includesSmallVenues: parameters.allVenues, venues: options.venues,
            language: parameters.language, context.query)
        let snapshot = data.events
        let events = try snapshot.map { (snapshot) throws(StoreError) in try query.events(snapshot) } ?? []
        var notices = ContextStatusReader(data: data, refresh: refresh, clock: clock).notices(
            of: [.events], zone: query.zone)
        if snapshot == nil, notices.isEmpty {
            notices.append(Notice(kind: .missing, message: "The list of events has not been fetched yet."))
        }
        if snapshot?.isIncomplete == true {
            notices.append(
                Notice(
                    kind: .partial,
                    message: "The source has more events than transitd requests, so later dates or remote stations may "
                        + "lack events."))
        }
        return EventsResult(
            at: Timestamp(context.now, in: query.zone), date: query.date, days: query.days,
            events: events.prefix(parameters.count).map { EventSummary($0) }, total: events.count,
            age: snapshot.map { max(0, $0.received.seconds(to: context.now)) }, attribution: Ticketmaster.attribution,
            units: context.units, notices: notices)
    }
}

extension EventSummary {
    init(_ listed: EventsQuery.ListedEvent) {
        let (event, station) = (listed.event, listed.station)
        self.init(
            name: event.name, date: listed.date, start: listed.start.map { Timestamp($0, in: station.zone) },
            end: event.end.map { Timestamp($0, in: station.zone) }, status: EventState(event.status),
            category: event.category, genre: event.genre,
            venue: VenueSummary(
                name: event.venue?.name ?? "", city: event.venue?.city, capacity: listed.capacity,
                isLarge: listed.isNotable, position: event.venue?.coordinate.map { Position($0) }),
            station: StopReference(id: station.id, name: station.name), feed: station.feed,
            distance: Int(listed.distance.rounded()), url: event.url)
    }
}

extension EventState {
    init(_ status: EventStatus) {
        switch status {
        case .scheduled: self = .scheduled
        case .rescheduled: self = .rescheduled
        case .postponed: self = .postponed
        case .canceled: self = .canceled
        }
    }
}
