package import TransitModel

/// A row of stop_times.txt, before missing times are interpolated and trips are grouped into patterns.
package struct StopTime: Sendable {
    package var stop: StopIndex
    package var sequence: UInt32
    /// The arrival, or `nil` if the source has none.
    package var arrival: ServiceTime?
    package var departure: ServiceTime?
    /// The `shape_dist_traveled`, in the unit of the source.
    package var distance: Float?
    package var headsign: TextIndex?
    /// The line in the source, or 0 if unknown, for messages.
    package var line: UInt32 = 0
    package var pickup: PickupDropOff = .regular
    package var dropOff: PickupDropOff = .regular
    /// Whether the times are exact, which means that `timepoint` is not 0.
    package var isExact = true
    /// Whether the times were interpolated between stops with times.
    var isInterpolated = false
}

/// The position of a trip in the order of the source. The timetable numbers trips in a different order.
package struct SourceTripNumber: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// The attributes of a trip, without its times and its identifier.
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
}

/// A row of frequencies.txt whose trip is numbered in source order.
package struct SourceFrequency: Sendable {
    package var trip: SourceTripNumber
    package var start: ServiceTime
    /// The exclusive end, which is later than ``start``.
    package var end: ServiceTime
    /// The headway in seconds, at least 1.
    package var headway: Int32
    package var isExact: Bool
    package var line: UInt32 = 0
}
