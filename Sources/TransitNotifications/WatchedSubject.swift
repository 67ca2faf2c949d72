package import TransitModel
package import TransitQueries

/// The reason why a departure is a subject of notifications. A departure that several of these select is one subject,
/// of the first kind in this order.
package enum SubjectKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The first ride of a journey that the user pinned.
    case journey
    /// A later ride of a pinned journey, which the user reaches from the ride before it.
    case connection
    /// The user pinned the departure.
    case pinned
    /// The user usually takes the departure.
    case usual
    /// The departure is the next one of a commute in its window.
    case commute
    /// The departure is the next one of a favorite route at a stop.
    case favorite
}

extension Set<SubjectKind> {
    /// The kinds of subjects of rules about departures, which is all of them.
    static var departures: Self { Set(SubjectKind.allCases) }

    /// The kinds of subjects of rules about when to leave. A later ride of a journey begins where the one before it ends.
    static var departuresToLeaveFor: Self { departures.subtracting([.connection]) }
}

extension SubjectKind {
    /// Whether the subject is a ride of a pinned journey. The user is expected to take it, without logging a trip.
    var isRide: Bool { self == .journey || self == .connection }
}

/// Names of a departure for the texts of notifications.
package struct DepartureNames: Hashable, Sendable {
    /// The route as riders call it, with its mode where the name alone is not clear: "Tram 5", "Local".
    package var route: String
    /// The number by which riders know the trip, such as a train number; `nil` if the timetable has none.
    package var number: String?
    package var headsign: String?
    package var stop: String
    /// The zone of the stop, for times of day.
    package var zone: ServiceZone
    /// The stop at which the user gets off; `nil` if the subject has no destination.
    package var destination: String?

    package init(route: String, headsign: String?, stop: String, zone: ServiceZone, destination: String? = nil) {
        self.route = route
        self.headsign = headsign
        self.stop = stop
        self.zone = zone
        self.destination = destination
    }

    /// "Tram 5", "Local 153".
    var routeAndNumber: String {
        guard let number, !number.isEmpty, number.count <= Self.longestNumber,
            !route.split(separator: " ").contains(Substring(number))
        else { return route }
        return "\(route) \(number)"
    }

    /// Longer trip names are identifiers of the operator, which riders do not know.
    private static let longestNumber = 6
}

/// A departure as a query returned it, which a notification shows.
///
/// This is a class so that copies of a watched departure store only a reference. What rules decide depends on the
/// observation, so two values are equal if they are the same departure.
package final class ShownDeparture: Hashable, Sendable {
    package let merged: MergedDeparture
    /// The position in the pattern of the call at which the user gets off; `nil` if unknown.
    package let alighting: Int?

    package init(_ merged: MergedDeparture, alighting: Int? = nil) {
        self.merged = merged
        self.alighting = alighting
    }

    package static func == (left: ShownDeparture, right: ShownDeparture) -> Bool {
        left.merged.id == right.merged.id && left.alighting == right.alighting
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(merged.id) }
}

/// A departure as queries see it at one moment.
package struct WatchedDeparture: Hashable, Sendable {
    package var observation: DepartureObservation
    package var names: DepartureNames
    /// The departure from which the observation was made; `nil` if it is repeated from the state file.
    package var shown: ShownDeparture?
    /// The identifier of the departure in the current timetable version, for replies. It is not part of the identity.
    package var id: String
    /// The expected or scheduled arrival at the destination; `nil` if the subject has no destination.
    package var arrival: Instant?
    /// When the vehicle leaves the stop before the destination, as expected or scheduled; `nil` if unknown.
    package var departureBeforeArrival: Instant?

    /// See ``FeedConditions/silentSince``.
    package var silentSince: Instant?
    /// The position of the stop at which the user gets off; `nil` if the subject has no destination.
    package var destinationPosition: Coordinate?
    /// The forecast for the arrival; `nil` if there is none.
    package var weather: WeatherAtArrival?

    package var key: DepartureKey { observation.departure }

    package init(
        observation: DepartureObservation, names: DepartureNames, id: String, arrival: Instant? = nil,
        departureBeforeArrival: Instant? = nil
    ) {
        self.observation = observation
        self.names = names
        self.id = id
        self.arrival = arrival
        self.departureBeforeArrival = departureBeforeArrival
    }
}

/// The change before a ride of a pinned journey.
package struct WatchedChange: Hashable, Sendable {
    /// The vehicle in which the user arrives: "Train 5".
    package var arriving: String
    /// The expected arrival.
    package var arrival: Instant
    /// The expected departure minus the expected arrival minus the time of the change, in seconds.
    package var inHand: Int
    /// Whether the user does not reach the ride (`JourneyChange.Judgment.missed`), or it left before.
    package var isMissed: Bool
}

/// What the user does instead of a pinned journey that broke.
package struct WatchedReplacement: Hashable, Sendable {
    /// Where and when the user gets off, if that is not where the pinned journey says.
    package struct Alighting: Hashable, Sendable {
        package var stop: String
        package var arrival: Instant
    }

    package var alighting: Alighting?
    /// The departure that the user takes next; `nil` if the user walks from where the vehicle stops.
    package var departure: WatchedDeparture?
    /// The walk to the departure in seconds, if the user sets out otherwise; `nil` without a place, and if the user is on the
    /// way.
    package var walk: Int?
    /// The expected arrival at the destination of the journey.
    package var arrival: Instant
}

/// What is known about a pinned journey that is the last one of the day as riders understand it.
package struct WatchedLastJourney: Hashable, Sendable {
    /// When the first journey after the day leaves; `nil` if none is known.
    package var following: Instant?
    /// When it was searched.
    package var searched: Instant
    /// The feeds that could not be searched.
    package var unsearched: [FeedID] = []

    package init(following: Instant?, searched: Instant, unsearched: [FeedID] = []) {
        (self.following, self.searched, self.unsearched) = (following, searched, unsearched)
    }
}

/// What one pin, usual departure, commute or favorite selects at one moment.
package struct WatchedSubject: Hashable, Sendable {
    package var kind: SubjectKind
    /// The name of the commute or favorite, or the time and route of a usual or pinned departure.
    package var name: String
    /// The departures that serve the subject, in the order of their scheduled times, from those of the last few minutes on.
    /// For a pinned or usual departure, the first one is that departure, and the others are its alternatives.
    package var departures: [WatchedDeparture]
    /// The walk to the stop in seconds; `nil` if the subject has no place.
    package var walk: Int?
    /// The window of a commute that is current or next; `nil` for other subjects, which are armed 90 minutes before.
    package var window: ClosedRange<Instant>?
    /// Whether the subject takes the user home.
    package var leadsHome: Bool
    /// The last departure of the service day that serves the subject, for the rule `last`; `nil` if unknown. For a pinned
    /// journey, it is the first departure, if the journey is the last one of the day.
    package var last: WatchedDeparture?
    /// What is known about a pinned journey that is the last one; `nil` for other subjects.
    package var lastJourney: WatchedLastJourney?
    /// The departures that were the last of the service day, or were announced as such, and do not run.
    package var canceledLast: [WatchedDeparture] = []
    /// Whether the user pinned the departure for its date alone, so that its notifications also come on a day off.
    package var isForDate: Bool
    /// The change before a ride of a pinned journey; `nil` if there is none.
    package var change: WatchedChange?
    /// What the user does instead of a ride that broke; `nil` if it holds, and if nothing is known.
    package var replacement: WatchedReplacement?
    /// Whether ``replacement`` is still being searched.
    package var isReplacementSearched = false
    /// Whether the user is in the vehicle of a ride, or was.
    package var isBoarded = false

    package init(
        kind: SubjectKind, name: String, departures: [WatchedDeparture], walk: Int? = nil,
        window: ClosedRange<Instant>? = nil, leadsHome: Bool = false, last: WatchedDeparture? = nil,
        isForDate: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.departures = departures
        self.walk = walk
        self.window = window
        self.leadsHome = leadsHome
        self.last = last
        self.isForDate = isForDate
    }

    /// ``last`` and ``canceledLast``, in the order of their scheduled times.
    var lastDepartures: [WatchedDeparture] {
        ((last.map { [$0] } ?? []) + canceledLast).sorted { $0.key.scheduled < $1.key.scheduled }
    }

    /// Returns the departures that can be taken instead of one. Outside the window of a commute, ``departures`` begins with
    /// the next window, and the last departures of the day are before it.
    func others(than departure: WatchedDeparture) -> [WatchedDeparture] {
        let lasts = lastDepartures
        var others = departures
        if lasts.contains(where: { $0.key == departure.key }) {
            others += lasts.filter { last in !departures.contains { $0.key == last.key } }
        }
        return others.filter { $0.key != departure.key }
    }
}
