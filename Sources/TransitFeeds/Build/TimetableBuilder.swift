package import TransitModel

/// Turns trips and their stop times into patterns and lanes while they are read, in tens of megabytes for ten million
/// stop times.
///
/// First ``addTrip(_:_:)`` for every trip, then ``append(_:to:)`` for every stop time in any order, then
/// ``append(_:)`` for frequencies, then ``finish()``. Rows of one trip that stand together cost nothing extra; rows of
/// a trip that come back later are kept as they are until the end.
///
/// The stop times of a trip become a *pattern* (where it calls) and a *profile* (after how many seconds), each kept
/// once as packed bytes; of the trip itself only the profile and the start remain.
package struct TimetableBuilder: Sendable {
    /// The maximum number of stop times of one trip; no vehicle makes more calls. The limit applies while rows are
    /// read, so a feed of one endless trip takes no more memory than the part that is kept.
    package static let maximumStopTimes = 10_000

    /// The maximum number of rows of frequencies.txt for one trip: a new headway every minute of a day.
    package static let maximumFrequencies = 1440

    /// Where the trip ended up: `profile` is ``unplaced`` until its stop times were understood.
    struct TripAssignment: Sendable {
        static let unplaced = UInt32.max
        var profile = Self.unplaced
        var start: Int32 = 0
    }

    /// Headsigns, block ids and train numbers, by ``TextIndex``.
    package var texts = ByteInterner()
    /// What was found since the caller last emptied it.
    package var problems = BuildProblemTally()

    var tripIDs = ByteInterner()
    var attributes: [TripAttributes] = []
    var placements: [TripAssignment] = []
    /// The number of accepted stop times by trip, at most ``maximumStopTimes``. For ``current``, the number before its
    /// run.
    var rowCounts: [UInt16] = []
    var stopTimeCount = 0

    var patterns = ByteInterner()
    var profiles = ByteInterner()
    var frequencies: [SourceFrequency] = []
    /// The number of frequencies by trip.
    private var frequencyCounts: [SourceTrip: Int] = [:]

    var interpolation: TimeInterpolation
    let travelSpeedCheck: TravelSpeedCheck
    /// The finding for each profile, computed once, so that other trips with the same times are counted too.
    var fastProfiles: [UInt32: TravelSpeedCheck.Finding] = [:]
    /// Whether stop times could not be read back from a file.
    var isBroken = false
    var current: SourceTrip?
    var run: [StopTime] = []
    /// The number of stop times that ``run`` may hold.
    var room = 0
    var overflow: StopTimeOverflow
    /// Reused for packing.
    var scratch: [UInt8] = []

    /// - Parameters:
    ///   - coordinates: the position of each stop, by ``StopIndex``; used to complete missing times.
    ///   - routeTypes: `route_type` of each route, by ``RouteIndex``; the speed is not checked for a route without one.
    ///   - folder: the folder for an unnamed file that holds waiting stop times; `nil` keeps them in memory.
    package init(coordinates: [Coordinate?], routeTypes: [Int] = [], folder: String? = nil) {
        overflow = StopTimeOverflow(folder: folder)
        interpolation = TimeInterpolation(coordinates: coordinates)
        travelSpeedCheck = TravelSpeedCheck(coordinates: coordinates, routeTypes: routeTypes)
    }

    package var tripCount: Int { attributes.count }

    /// `nil` when there is a trip with that identifier already.
    package mutating func addTrip(_ id: UnsafeBufferPointer<UInt8>, _ trip: TripAttributes) -> SourceTrip? {
        let (number, isNew) = tripIDs.intern(id)
        guard isNew else { return nil }
        attributes.append(trip)
        placements.append(TripAssignment())
        rowCounts.append(0)
        return SourceTrip(number)
    }

    package func trip(_ id: UnsafeBufferPointer<UInt8>) -> SourceTrip? { tripIDs.find(id).map { SourceTrip($0) } }

    /// Whether `id` is the identifier of that trip: quicker than ``trip(_:)`` when it can be guessed.
    @inline(__always)
    package func trip(_ trip: SourceTrip, hasID id: UnsafeBufferPointer<UInt8>) -> Bool {
        tripIDs.matches(trip.rawValue, id)
    }

    package func id(of trip: SourceTrip) -> String { tripIDs.text(trip.rawValue) }

    /// `stopTime.stop` must be within the coordinates, and `trip` one that ``addTrip(_:_:)`` gave.
    @inline(__always)
    package mutating func append(_ stopTime: StopTime, to trip: SourceTrip) {
        if trip != current {
            flush()
            current = trip
            room = Self.maximumStopTimes - Int(rowCounts[Int(trip.rawValue)])
        }
        guard run.count < room else { return report(.tooManyStopTimes, trip, stopTime.line) }
        run.append(stopTime)
    }

    package mutating func append(_ frequency: SourceFrequency) {
        guard frequencyCounts[frequency.trip, default: 0] < Self.maximumFrequencies else {
            return report(.tooManyFrequencies, frequency.trip, frequency.line)
        }
        frequencyCounts[frequency.trip, default: 0] += 1
        frequencies.append(frequency)
    }
}
