public import TransitModel
public import TransitWire

/// Lists public events near stations, such as concerts and games, whose crowds may travel with you.
public struct EventsParameters: ControlParameters {
    public typealias Reply = EventsResult
    public static let method = ControlMethod.events

    /// The first date: "today", "tomorrow", a day such as "sat", a date such as "2026-03-28", or a time in the format of
    /// `at` in `next`. The default is today.
    /// - Range: 1...64
    public var date: String?
    /// The number of days. The default is 1 if a date is given, otherwise 7.
    /// - Range: 1...60
    public var days: Int?
    /// Limits the result to events whose category or genre contains this text, such as "sports".
    /// - Range: 1...100
    public var category: String?
    /// Limits the result to events near this stop, given as in `departures`. The default is all stops.
    /// - Range: 1...300
    public var stop: String?
    /// The maximum distance between the venue and the stop, at least 800 (0.5 miles). The default is 2,414 (1.5 miles);
    /// without a value, a venue that the configuration always lists is also listed with its nearest stop within 16,100
    /// (10 miles).
    /// - Unit: meters
    /// - Range: 1...16100
    public var radius: Int?
    /// Whether to list all venues. The default is venues that are large or that the configuration always lists.
    public var allVenues: Bool = false
    /// The maximum number of events.
    /// - Range: 1...200
    public var count: Int = 50
    /// The language for names, as an IETF BCP 47 language tag such as "de".
    /// - Range: 1...35
    public var language: String?
}

/// Whether an event takes place as announced.
public enum EventState: String, OpenWireEnum {
    case scheduled
    case rescheduled
    case postponed
    case canceled
    /// A value that this version does not know.
    case other
}

/// The venue of an event.
public struct VenueSummary: WireObject {
    /// The name.
    public var name: String
    /// The city.
    public var city: String?
    /// The capacity as a number of people; null when unknown.
    public var capacity: Int?
    /// Whether the venue is large or always listed.
    public var isLarge: Bool
    /// The position.
    public var position: Position?
}

/// A public event near a station.
public struct EventSummary: WireObject {
    /// The name of the event.
    public var name: String
    /// The local date; null when it has not been announced.
    public var date: ServiceDate?
    /// When the event begins; null when the time has not been announced.
    public var start: Timestamp?
    /// When the event ends; null when unknown, which is usual.
    public var end: Timestamp?
    /// Whether the event takes place as announced. scheduled; rescheduled: `start` is the new time; postponed: to an
    /// unknown time; canceled. More values may be added.
    public var status: EventState
    /// The kind of event, such as "Sports".
    public var category: String?
    /// A more specific kind, such as "Basketball".
    public var genre: String?
    /// The venue.
    public var venue: VenueSummary
    /// The nearest stop, or the requested one.
    public var station: StopReference
    /// The feed of the stop.
    public var feed: FeedID
    /// The distance between the venue and the stop.
    /// - Unit: meters
    public var distance: Int
    /// A page about the event.
    public var url: String?
}

/// Public events near stations.
public struct EventsResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The first date.
    public var date: ServiceDate
    /// The number of days.
    public var days: Int
    /// The events in the order of their times.
    public var events: [EventSummary]
    /// The number of events, including those that `count` leaves out.
    public var total: Int
    /// The first date whose events are known; null when there is no list.
    public var knownFrom: ServiceDate?
    /// The last date whose events are known; null when there is no list.
    public var knownUntil: ServiceDate?
    /// The age of the list of events; null when there is none.
    /// - Unit: seconds
    public var age: Int?
    /// The attribution that the terms of the source require wherever the data is shown.
    public var attribution: String
    /// The units to show. The members of this result are in metric units.
    public var units: MeasurementUnits = .automatic
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
