internal import TransitEngine
package import TransitModel
package import TransitStore

/// The events of some days near one station or near any station.
package struct EventsQuery {
    /// The first date.
    package let date: ServiceDate
    /// The number of days, 1 or more.
    package let days: Int
    /// The last date.
    package var lastDate: ServiceDate { date.advanced(by: days - 1) }
    /// The station that the caller names; `nil` for all stations.
    package let station: Station?
    private let category: String?
    /// `nil` for the default: ``defaultRadius`` and, for venues that are always listed, their nearest station.
    private let radius: Double?
    private let venues: VenueTable
    private let includesSmallVenues: Bool
    private let timetables: [Timetable]
    private let language: String?
    /// The time zone of the dates.
    package let zone: ServiceZone

    package static let metersPerMile = DisplayUnits.metersPerMile
    /// The maximum distance between a venue and a station that no caller names, in meters: 1.5 miles.
    package static let defaultRadius = 2414.0

    /// A station near an event.
    package struct Station: Hashable, Sendable {
        package var feed: FeedID
        package var id: StopID
        package var name: String
        package var coordinate: Coordinate
        package var zone: ServiceZone
    }

    /// An event with its nearest station.
    package struct ListedEvent: Hashable, Sendable {
        package var event: PublicEvent
        /// The beginning; `nil` if the date or time is not known.
        package var start: Instant?
        /// The local date; `nil` if it is not known.
        package var date: ServiceDate?
        package var station: Station
        /// The distance between the venue and the station in meters.
        package var distance: Double
        /// The number of people; `nil` if it is unknown.
        package var capacity: Int?
        /// Whether the venue is large or always listed.
        package var isNotable: Bool
    }

    /// - Parameters:
    ///   - date: "today", "tomorrow", a date such as "2026-03-28", or a time as in `next`; `nil` for today.
    ///   - days: The number of days; `nil` for one day if a date is given, otherwise for a week.
    ///   - category: The category or genre, such as "sports"; `nil` for all.
    ///   - station: A text that ``StopFinder`` accepts; `nil` for all stations.
    ///   - radius: The maximum distance between venue and station in meters; `nil` for ``defaultRadius`` and, for venues
    ///     that are always listed, their nearest station within ``VenueTable/maximumDistance``.
    ///   - includesSmallVenues: Whether to include venues that are neither large nor always listed.
    /// - Throws: The errors of ``StopFinder``, `QueryTimeError` and `StoreError`.
    package init(
        date: String?, days: Int?, category: String?, station: String?, radius: Double?, includesSmallVenues: Bool,
        venues: VenueTable, language: String?, _ context: QueryContext
    ) throws {
        timetables = try QueryContext.timetables(of: context.feeds, naming: station)
        var named: Station?
        if let station {
            let found = try StopFinder(timetables, context).find(station)
            named = try Self.station(at: found.index, in: found.timetable, language)
            if named == nil { throw QueryError.placeWithoutPosition(found.stop.name) }
        }
        self.station = named
        zone = named?.zone ?? context.zone
        let today = zone.civil(at: context.now).date
        switch date {
        case nil, "today": self.date = today
        case "tomorrow": self.date = today.advanced(by: 1)
        case let text?:
            self.date = try ServiceDate(iso8601: text) ?? zone.civil(at: Self.moment(text, zone, context)).date
        }
        self.days = max(1, days ?? (date == nil ? 7 : 1))
        self.category = category.map(SearchText.fold)
        self.radius = radius
        self.includesSmallVenues = includesSmallVenues
        self.venues = venues
        self.language = language
    }

    /// Returns the time of a day such as "mon", or of a text that `next` accepts.
    private static func moment(
        _ text: String, _ zone: ServiceZone, _ context: QueryContext
    ) throws(QueryTimeError) -> Instant {
        if let day = try? context.moment("\(text) 23:59", zone: zone) { return day }
        return try context.moment(text, zone: zone)
    }

    /// Returns the events in the order of their times. Events whose venue has no position are omitted, because they
    /// have no station.
    package func events(_ snapshot: EventsSnapshot) throws(StoreError) -> [ListedEvent] {
        var listed: [ListedEvent] = []
        // Many events take place at one venue.
        var remote: [Coordinate: (station: Station, distance: Double)?] = [:]
        for event in snapshot.events {
            guard let venue = event.venue, let place = venue.coordinate, matchesCategory(event) else { continue }
            let isNotable = venues.isNotable(venue.name)
            guard isNotable || includesSmallVenues else { continue }
            // The date is checked first, because finding the nearest station takes longer.
            guard let day = event.date ?? event.start.map({ zone.civil(at: $0).date }), (date...lastDate).contains(day)
            else { continue }
            var near = try nearestStation(to: place, within: radius ?? Self.defaultRadius)
            if near == nil, radius == nil, venues.isAlwaysListed(venue.name) {
                if remote[place] == nil { remote[place] = .some(try remoteStation(to: place)) }
                near = remote[place] ?? nil
            }
            guard let (station, distance) = near else { continue }
            let start =
                event.start
                ?? event.secondsOfDay.flatMap { time in
                    event.date.map { station.zone.instant(date: $0, secondsOfDay: time) }
                }
            listed.append(
                ListedEvent(
                    event: event, start: start, date: day, station: station, distance: distance,
                    capacity: venues.capacity(of: venue.name), isNotable: isNotable))
        }
        return listed.sorted { left, right in
            (left.date?.daysSince1970 ?? .max, left.start?.secondsSince1970 ?? .max, left.event.name)
                < (right.date?.daysSince1970 ?? .max, right.start?.secondsSince1970 ?? .max, right.event.name)
        }
    }

    private func matchesCategory(_ event: PublicEvent) -> Bool {
        guard let category else { return true }
        return [event.category, event.genre].contains { $0.map { SearchText.fold($0).contains(category) } ?? false }
    }

    /// Returns the nearest station of a venue that is not near any station; `nil` if another one is named.
    private func remoteStation(to place: Coordinate) throws(StoreError) -> (station: Station, distance: Double)? {
        let radius = VenueTable.maximumDistance
        guard let station else { return try nearestStation(to: place, within: radius) }
        let distance = station.coordinate.distance(to: place)
        return distance <= radius && VenueDistance(timetables).isNearest(distance, to: place)
            ? (station, distance) : nil
    }

    /// Returns the named station, or the nearest one, if it is within a radius.
    private func nearestStation(
        to place: Coordinate, within radius: Double
    ) throws(StoreError) -> (station: Station, distance: Double)? {
        if let station {
            let distance = station.coordinate.distance(to: place)
            return distance <= radius ? (station, distance) : nil
        }
        var nearest: (timetable: Timetable, stop: StopIndex, meters: Double)?
        for timetable in timetables {
            guard
                let near = try timetable.callingStops(near: place, within: radius).min(by: { $0.meters < $1.meters }),
                near.meters < nearest?.meters ?? .infinity
            else { continue }
            nearest = (timetable, near.stop, near.meters)
        }
        guard let nearest,
            let station = try Self.station(at: nearest.stop, in: nearest.timetable, language)
        else { return nil }
        return (station, nearest.meters)
    }

    private static func station(
        at index: StopIndex, in timetable: Timetable, _ language: String?
    ) throws(StoreError) -> Station? {
        let cachedStop = try timetable.cachedStop(index)
        let stop = cachedStop.stop
        guard let coordinate = stop.coordinate else { return nil }
        return Station(
            feed: timetable.feed, id: cachedStop.station ?? stop.id,
            name: try TimetableNames(timetable, language: language).stationName(of: stop), coordinate: coordinate,
            zone: cachedStop.zone ?? timetable.zone)
    }
}

/// The distance between a venue and the nearest of all stations.
package struct VenueDistance {
    private let timetables: [Timetable]

    package init(_ timetables: [Timetable]) { self.timetables = timetables }

    /// The platforms of one station are at most this far apart, in meters.
    private static let tolerance = 300.0

    /// Whether no station is nearer to a venue than one at a distance in meters. A timetable that cannot be read has no
    /// stations. Queries about it report the error.
    package func isNearest(_ distance: Double, to venue: Coordinate) -> Bool {
        timetables.allSatisfy { timetable in
            let near = (try? timetable.callingStops(near: venue, within: distance)) ?? []
            return near.allSatisfy { $0.meters + Self.tolerance >= distance }
        }
    }
}
