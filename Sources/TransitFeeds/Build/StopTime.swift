package import TransitModel

/// One stop time as a source lists it, before times are completed and trips are gathered into patterns.
package struct StopTime: Sendable {
    package var stop: StopIndex
    package var sequence: UInt32
    /// Seconds of service time; `nil` when the source gives none.
    package var arrival: ServiceTime?
    package var departure: ServiceTime?
    /// `shape_dist_traveled` in any unit.
    package var distance: Float?
    package var headsign: TextIndex?
    /// Where the source has it, for messages; 0 when that is no longer known.
    package var line: UInt32
    package var pickup: PickupDropOff
    package var dropOff: PickupDropOff
    /// `timepoint` is not 0.
    package var isExact: Bool
    /// Times that were completed between their neighbours.
    var isInterpolated = false

    package init(
        stop: StopIndex, sequence: UInt32, arrival: ServiceTime?, departure: ServiceTime?, distance: Float? = nil,
        headsign: TextIndex? = nil, line: UInt32 = 0, pickup: PickupDropOff = .regular,
        dropOff: PickupDropOff = .regular, isExact: Bool = true
    ) {
        self.stop = stop
        self.sequence = sequence
        self.arrival = arrival
        self.departure = departure
        self.distance = distance
        self.headsign = headsign
        self.line = line
        self.pickup = pickup
        self.dropOff = dropOff
        self.isExact = isExact
    }
}

/// The position of a trip in the order in which its source lists trips; the timetable numbers them anew.
package struct SourceTrip: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// What a source says about a trip beside its times and its identifier.
package struct TripAttributes: Sendable {
    package var route: RouteIndex
    package var service: ServiceIndex
    package var direction: Direction?
    package var headsign: TextIndex?
    package var shortName: TextIndex?
    package var block: TextIndex?
    package var shape: ShapeIndex?
    package var wheelchair = Accessibility.unknown
    package var bikes = Accessibility.unknown

    package init(route: RouteIndex, service: ServiceIndex, direction: Direction? = nil) {
        self.route = route
        self.service = service
        self.direction = direction
    }
}

/// A row of frequencies.txt, for a trip by its source's order.
package struct SourceFrequency: Sendable {
    package var trip: SourceTrip
    package var start: ServiceTime
    /// Not included; later than ``start``.
    package var end: ServiceTime
    /// Seconds, 1 or more.
    package var headway: Int32
    package var isExact: Bool
    package var line: UInt32

    package init(
        trip: SourceTrip, start: ServiceTime, end: ServiceTime, headway: Int32, isExact: Bool, line: UInt32 = 0
    ) {
        self.trip = trip
        self.start = start
        self.end = end
        self.headway = headway
        self.isExact = isExact
        self.line = line
    }
}
