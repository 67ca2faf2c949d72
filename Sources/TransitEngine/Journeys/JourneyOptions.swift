public import TransitModel

/// What riders require of the vehicles and stops of their journeys.
///
/// Only what a feed rules out is left out: 2 in `wheelchair_accessible`, `bikes_allowed` or `wheelchair_boarding`. The GTFS
/// reference defines 0 and an empty value as "no information", which many feeds have for all trips, so those trips and stops
/// remain.
public struct JourneyOptions: Hashable, Sendable {
    /// The modes of transport that riders use; `nil` for all. A trip whose route is not known has none of them.
    public var modes: Set<TransportMode>?
    /// Whether vehicles and the stops where riders board and alight accommodate wheelchairs.
    public var wheelchair = false
    /// Whether vehicles accommodate bicycles.
    public var bicycles = false

    public init(modes: Set<TransportMode>? = nil, wheelchair: Bool = false, bicycles: Bool = false) {
        self.modes = modes
        self.wheelchair = wheelchair
        self.bicycles = bicycles
    }

    public var isEmpty: Bool { self == JourneyOptions() }

    /// Whether riders use a mode of transport; `nil` is that of an unknown route.
    public func allows(_ mode: TransportMode?) -> Bool { modes.map { mode.map($0.contains) ?? false } ?? true }

    /// Whether riders can use a vehicle.
    public func allows(_ trip: TripAccessibility) -> Bool {
        !(wheelchair && trip.wheelchair == .notPossible) && !(bicycles && trip.bikes == .notPossible)
    }

    /// Whether riders can board and alight at a stop.
    public func allows(stop: Accessibility) -> Bool { !(wheelchair && stop == .notPossible) }
}

/// What the timetable states about the subjects of ``JourneyOptions``.
public struct JourneyFacts: Sendable {
    /// The mode of each route, by ``RouteIndex``.
    public var modes: [TransportMode]
    /// By ``TripIndex``; empty if nothing is stated about any trip, or if the options do not depend on it.
    public var trips: [TripAccessibility]
    /// By ``StopIndex``, with what a platform inherits from its station; empty as ``trips``.
    public var stops: [Accessibility]
    /// What the agency states about the vehicles that serve trips now, which precedes what the timetable states (GTFS-Realtime
    /// reference, *VehicleDescriptor*).
    public var vehicles: [TripInstanceKey: VehicleDescriptor]

    public init(
        modes: [TransportMode] = [], trips: [TripAccessibility] = [], stops: [Accessibility] = [],
        vehicles: [TripInstanceKey: VehicleDescriptor] = [:]
    ) {
        self.modes = modes
        self.trips = trips
        self.stops = stops
        self.vehicles = vehicles
    }

    func mode(of route: RouteIndex?) -> TransportMode? {
        route.flatMap { modes.indices.contains($0.position) ? modes[$0.position] : nil }
    }

    func accessibility(of trip: TripIndex?) -> TripAccessibility {
        trip.flatMap { trips.indices.contains($0.position) ? trips[$0.position] : nil } ?? TripAccessibility()
    }

    func accessibility(of stop: Int) -> Accessibility { stops.indices.contains(stop) ? stops[stop] : .unknown }
}
