package import TransitModel

/// Groups trips into patterns and timing groups while their stop times are read. Ten million stop times take tens of
/// megabytes of memory.
///
/// Call ``addTrip(_:_:)`` for every trip, then ``append(_:to:)`` for every stop time in any order, then ``append(_:)``
/// for every frequency, then ``finish(report:)``. Consecutive rows of one trip are processed at once. If more rows of a
/// trip follow later, they are stored until the end.
///
/// The stop times of a trip become a *pattern* (its stops) and a *profile* (its times relative to the start). Patterns
/// and profiles are deduplicated and stored as packed bytes. For each trip, only its profile and its start are stored.
package struct TimetableBuilder: Sendable {
    /// The maximum number of stop times of one trip. No real trip has this many stop times. The limit applies while
    /// rows are read, so that memory use is bounded even if all rows of a feed belong to one trip.
    package static let maximumStopTimes = 10_000

    /// The maximum number of rows of frequencies.txt for one trip: a new headway every minute of a day.
    package static let maximumFrequencies = 1440

    /// The profile and start of a trip. `profile` is ``unassigned`` until the trip's stop times are complete.
    struct TripAssignment: Sendable {
        static let unassigned = UInt32.max
        var profile = Self.unassigned
        var start: Int32 = 0
    }

    /// Headsigns, block IDs and trip short names, by ``TextIndex``.
    package var texts = ByteInterner()
    /// The problems found since the caller last emptied this property.
    package var problems = BuildProblemTally()

    var tripIDs = ByteInterner()
    var attributes: [TripAttributes] = []
    var assignments: [TripAssignment] = []
    /// The number of accepted stop times by trip, at most ``maximumStopTimes``. The stop times in ``stopTimes`` are not
    /// included.
    var rowCounts: [UInt16] = []
    var stopTimeCount = 0

    var patterns = ByteInterner()
    var profiles = ByteInterner()
    var frequencies: [SourceFrequency] = []
    /// The number of frequencies by trip.
    private var frequencyCounts: [SourceTripNumber: Int] = [:]

    var interpolation: TimeInterpolation
    let travelSpeedCheck: TravelSpeedCheck
    /// The findings by profile. They are computed once for each profile and counted for every trip with the profile.
    var fastProfiles: [UInt32: TravelSpeedCheck.Finding] = [:]
    /// Whether stop times could not be read back from a file.
    var isBroken = false
    /// The trip whose stop times are being collected.
    var current: SourceTripNumber?
    /// The stop times of ``current`` that were collected so far.
    var stopTimes: [StopTime] = []
    /// The maximum number of stop times in ``stopTimes``.
    var stopTimeLimit = 0
    var overflow: ScatteredStopTimes
    /// A buffer for packing.
    var scratch: [UInt8] = []

    /// - Parameters:
    ///   - coordinates: The position of each stop, by ``StopIndex``, which is used to interpolate times.
    ///   - routeTypes: The `route_type` of each route, by ``RouteIndex``. Speeds are not checked for routes without a
    ///     type.
    ///   - folder: The folder for an unnamed file that holds deferred stop times, or `nil` to keep them in memory.
    package init(coordinates: [Coordinate?], routeTypes: [Int] = [], folder: String? = nil) {
        overflow = ScatteredStopTimes(folder: folder)
        interpolation = TimeInterpolation(coordinates: coordinates)
        travelSpeedCheck = TravelSpeedCheck(coordinates: coordinates, routeTypes: routeTypes)
    }

    package var tripCount: Int { attributes.count }

    /// Adds a trip and returns its position, or returns `nil` if the identifier is already in use.
    package mutating func addTrip(_ id: UnsafeBufferPointer<UInt8>, _ trip: TripAttributes) -> SourceTripNumber? {
        let (number, isNew) = tripIDs.intern(id)
        guard isNew else { return nil }
        attributes.append(trip)
        assignments.append(TripAssignment())
        rowCounts.append(0)
        return SourceTripNumber(number)
    }

    package func trip(_ id: UnsafeBufferPointer<UInt8>) -> SourceTripNumber? {
        tripIDs.find(id).map { SourceTripNumber($0) }
    }

    /// Returns whether the trip has the identifier `id`. This method is faster than ``trip(_:)`` if the caller can
    /// guess the trip.
    @inline(__always)
    package func trip(_ trip: SourceTripNumber, hasID id: UnsafeBufferPointer<UInt8>) -> Bool {
        tripIDs.matches(trip.rawValue, id)
    }

    package func id(of trip: SourceTripNumber) -> String { tripIDs.text(trip.rawValue) }

    /// Adds a stop time. The coordinates must include its stop, and `trip` must be a result of ``addTrip(_:_:)``.
    @inline(__always)
    package mutating func append(_ stopTime: StopTime, to trip: SourceTripNumber) {
        if trip != current {
            flush()
            current = trip
            stopTimeLimit = Self.maximumStopTimes - Int(rowCounts[Int(trip.rawValue)])
        }
        guard stopTimes.count < stopTimeLimit else { return report(.tooManyStopTimes, trip, stopTime.line) }
        stopTimes.append(stopTime)
    }

    package mutating func append(_ frequency: SourceFrequency) {
        guard frequencyCounts[frequency.trip, default: 0] < Self.maximumFrequencies else {
            return report(.tooManyFrequencies, frequency.trip, frequency.line)
        }
        frequencyCounts[frequency.trip, default: 0] += 1
        frequencies.append(frequency)
    }
}
