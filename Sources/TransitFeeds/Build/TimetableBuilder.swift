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
    /// More rows than this of one trip are not believed: no vehicle calls that often. It is enforced while rows are
    /// read, so that a feed of one endless trip takes no more memory than the trip that is kept of it.
    package static let maximumStopTimes = 10_000

    /// More rows of frequencies.txt than this of one trip are not believed: a new headway every minute of a day.
    package static let maximumFrequencies = 1440

    /// Where the trip ended up: `profile` is ``unplaced`` until its stop times were understood.
    struct Placement: Sendable {
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
    var placements: [Placement] = []
    /// By trip: how many stop times were taken of it, at most ``maximumStopTimes``. Of ``current`` it is the number
    /// before its run.
    var rowCounts: [UInt16] = []
    var stopTimeCount = 0

    var patterns = ByteInterner()
    var profiles = ByteInterner()
    var frequencies: [SourceFrequency] = []
    /// How many of them each trip has.
    private var frequencyCounts: [SourceTrip: Int] = [:]

    var interpolation: TimeInterpolation
    let travelCheck: TravelCheck
    /// By profile: what was found when it was new, so that it is counted for the other trips with these times.
    var fastProfiles: [UInt32: TravelCheck.Finding] = [:]
    /// Stop times that were put aside in a file could not be read again.
    var isBroken = false
    var current: SourceTrip?
    var run: [StopTime] = []
    /// How many stop times ``run`` may hold.
    var room = 0
    var overflow: StopTimeOverflow
    /// Reused for packing.
    var scratch: [UInt8] = []

    /// - Parameters:
    ///   - coordinates: where each stop is, by ``StopIndex``; used for times that have to be completed.
    ///   - routeTypes: `route_type` of each route, by ``RouteIndex``; of a route that is not among them no vehicle is too
    ///     fast.
    ///   - folder: where stop times may be put aside in a file that wait for the end; `nil`: they wait in memory.
    package init(coordinates: [Coordinate?], routeTypes: [Int] = [], folder: String? = nil) {
        overflow = StopTimeOverflow(folder: folder)
        interpolation = TimeInterpolation(coordinates: coordinates)
        travelCheck = TravelCheck(coordinates: coordinates, routeTypes: routeTypes)
    }

    package var tripCount: Int { attributes.count }

    /// `nil` when there is a trip with that identifier already.
    package mutating func addTrip(_ id: UnsafeBufferPointer<UInt8>, _ trip: TripAttributes) -> SourceTrip? {
        let (number, isNew) = tripIDs.intern(id)
        guard isNew else { return nil }
        attributes.append(trip)
        placements.append(Placement())
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
