package import TransitControl
internal import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

extension EventsQuery {
    /// Half a mile, rounded down.
    private static let minimumRadius = 800

    package init(_ parameters: EventsParameters, venues: VenueTable, _ context: QueryContext) throws {
        guard parameters.radius ?? Self.minimumRadius >= Self.minimumRadius else {
            throw ControlError(
                parameter: "radius", "must be at least \(Self.minimumRadius).",
                hint: "It is in meters; half a mile is 805.")
        }
        try self.init(
            date: parameters.date, days: parameters.days, category: parameters.category, station: parameters.stop,
            radius: parameters.radius.map { Double($0) }, includesSmallVenues: parameters.allVenues,
            venues: venues, language: parameters.language, context)
    }
}

/// The reply of `events`.
package struct EventsReply {
    private let query: EventsQuery
    private let parameters: EventsParameters
    private let snapshot: EventsSnapshot?

    /// - Parameter snapshot: The events of the source; `nil` if there are none.
    package init(_ query: EventsQuery, _ parameters: EventsParameters, _ snapshot: EventsSnapshot?) {
        self.query = query
        self.parameters = parameters
        self.snapshot = snapshot
    }

    /// - Parameter sourceNotices: The notices about the source.
    package func result(_ context: QueryContext, sourceNotices: [Notice]) throws -> EventsResult {
        let events = try snapshot.map { (snapshot) throws(StoreError) in try query.events(snapshot) } ?? []
        var notices = sourceNotices
        if snapshot == nil, notices.isEmpty {
            notices.append(Notice(kind: .missing, message: "The list of events has not been fetched yet."))
        }
        let known = snapshot?.knownDates(in: query.zone)
        if let notice = known.flatMap({ Self.notice(query, known: $0) }) { notices.append(notice) }
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
            knownFrom: known?.lowerBound, knownUntil: known?.upperBound,
            age: snapshot.map { max(0, $0.received.seconds(to: context.now)) }, attribution: DataAttribution.events,
            units: context.units, notices: notices)
    }

    /// Returns a notice if the events of some of the requested dates are not known.
    private static func notice(_ query: EventsQuery, known: ClosedRange<ServiceDate>) -> Notice? {
        let period = "Events are known from \(known.lowerBound) to \(known.upperBound)."
        if !known.overlaps(query.date...query.lastDate) {
            return Notice(kind: .missing, message: "The events of these dates are not known. \(period)")
        }
        if query.date < known.lowerBound || query.lastDate > known.upperBound {
            return Notice(kind: .partial, message: "The events of some of these dates are not known. \(period)")
        }
        return nil
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
