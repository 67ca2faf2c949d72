internal import TransitModel

/// The trips with realtime data of one feed as plain memory that is filled once: the part of ``JourneyRealtime`` that
/// does not refer to the data from which it was prepared.
///
/// A search reads these tables millions of times, so it must neither count references nor check for exclusive access.
final class JourneyRealtimeTables: @unchecked Sendable {
    // The memory is not changed after the initialization.

    /// Trips with the same calls in which no trip overtakes another.
    struct Line {
        /// The route of the network with the same calls; -1 if the trips have calls of their own.
        var route: Int32
        var callCount: Int32
        /// The trips as positions in ``JourneyRealtimeTables/trips``.
        var firstTrip: UInt32
        var endTrip: UInt32
        /// The position of the first trip's first call in ``JourneyRealtimeTables/times``. The times of the trips are
        /// consecutive.
        var firstTime: UInt32
        /// The position of the first call in ``JourneyRealtimeTables/calls`` of trips with calls of their own.
        var firstCall: UInt32 = 0
        /// The earliest departure and the latest arrival of any trip, in seconds from ``JourneyRealtimeTables/base``.
        var earliest = Int32.max
        var latest = Int32.min

        var trips: Range<Int> { Int(firstTrip)..<Int(endTrip) }
        var routeOfNetwork: Int? { route < 0 ? nil : Int(route) }
    }

    /// What a trip is in the datasets.
    struct Trip {
        /// The index of the trip, or of the extra trip, in the dataset.
        var number: Int32
        /// The index of the view.
        var view: Int16
        /// Whether the timetable lacks the trip.
        var isExtra: Bool
    }

    struct Usability: OptionSet {
        var rawValue: UInt8
        static let boarding = Self(rawValue: 1)
        static let alighting = Self(rawValue: 2)
    }

    /// A line at a node where it has a call of its own.
    struct Visit {
        var line: UInt32
        var position: UInt32
    }

    /// The lines of a route of the network.
    struct RouteEntry {
        var firstLine: UInt32
        var endLine: UInt32
        /// The position in ``JourneyRealtimeTables/fastest`` of the shortest times of any trip, scheduled or not.
        var firstFastest: UInt32

        var lines: Range<Int> { Int(firstLine)..<Int(endLine) }
    }

    /// Realtime data about a trip of the timetable on one service date.
    struct DateEntry {
        /// Twice the service date in days since 1970, plus 1 for repetitions according to frequencies.txt.
        var date: Int32
        /// Whether the scheduled trip is left out; for repetitions, whether any of them is.
        var hidesScheduled = false
        /// The line and the trip that are searched instead; -1 without one, and for repetitions.
        var line: Int32 = -1
        var trip: Int32 = -1

        static func date(_ date: ServiceDate, isRepetition: Bool) -> Int32 {
            date.daysSince1970 &* 2 &+ (isRepetition ? 1 : 0)
        }
    }

    /// The moment from which ``times`` are measured, in seconds since 1970.
    let base: Int64
    /// The tables say the same for every moment from ``base`` to before this one, in seconds since 1970.
    let end: Int64
    let lines: UnsafeBufferPointer<Line>
    let trips: UnsafeBufferPointer<Trip>
    let times: UnsafeBufferPointer<JourneyNetwork.Times>
    /// Parallel to ``times``.
    let usability: UnsafeBufferPointer<Usability>
    /// The calls of lines with calls of their own.
    let calls: UnsafeBufferPointer<JourneyNetwork.Call>
    /// Parallel to ``calls``, the shortest time of any trip to the next call, in seconds; then those of ``routes``.
    let fastest: UnsafeBufferPointer<Int32>
    /// The lines that have calls of their own.
    let linesWithCalls: Range<Int>
    /// For each node, the position of its first visit in ``visits``, followed by the number of visits; empty without
    /// visits.
    private let visitsOfNodes: UnsafeBufferPointer<UInt32>
    let visits: UnsafeBufferPointer<Visit>
    /// For each route of the network, one more than its position in ``routes``; 0 for a route without lines.
    private let entriesOfRoutes: UnsafeBufferPointer<UInt32>
    private let routes: UnsafeBufferPointer<RouteEntry>
    /// Bit `n` is set if there is realtime data about the trip with the index `n`.
    private let reported: UnsafeBufferPointer<UInt64>
    /// For each word of ``reported``, the number of bits that are set before it.
    private let ranks: UnsafeBufferPointer<UInt32>
    /// For each trip in ``reported``, the position of its first entry in ``entries``, followed by the number of entries.
    private let firstEntries: UnsafeBufferPointer<UInt32>
    private let entries: UnsafeBufferPointer<DateEntry>

    init(_ draft: JourneyRealtimeDraft, base: Int64, end: Int64) {
        func copy<Row>(_ rows: ContiguousArray<Row>) -> UnsafeBufferPointer<Row> {
            let memory = UnsafeMutableBufferPointer<Row>.allocate(capacity: rows.count)
            _ = memory.initialize(from: rows)
            return UnsafeBufferPointer(memory)
        }
        self.base = base
        self.end = end
        lines = copy(draft.lines)
        trips = copy(draft.trips)
        times = copy(draft.times)
        usability = copy(draft.usability)
        calls = copy(draft.calls)
        fastest = copy(draft.fastest)
        linesWithCalls = draft.linesWithCalls
        visitsOfNodes = copy(draft.visitsOfNodes)
        visits = copy(draft.visits)
        entriesOfRoutes = copy(draft.entriesOfRoutes)
        routes = copy(draft.routes)
        reported = copy(draft.reported)
        ranks = copy(draft.ranks)
        firstEntries = copy(draft.firstEntries)
        entries = copy(draft.entries)
    }

    deinit {
        lines.deallocate()
        trips.deallocate()
        times.deallocate()
        usability.deallocate()
        calls.deallocate()
        fastest.deallocate()
        visitsOfNodes.deallocate()
        visits.deallocate()
        entriesOfRoutes.deallocate()
        routes.deallocate()
        reported.deallocate()
        ranks.deallocate()
        firstEntries.deallocate()
        entries.deallocate()
    }

    /// Whether the tables would be the same if they were prepared at another moment from the same data.
    func isValid(at now: Instant) -> Bool { now.secondsSince1970 >= base && now.secondsSince1970 < end }

    /// Returns the lines of a route of the network.
    @inline(__always)
    func lines(of route: Int) -> Range<Int> {
        let number = Int(entriesOfRoutes[route])
        return number == 0 ? 0..<0 : routes[number - 1].lines
    }

    /// Returns the shortest time of any trip, scheduled or not, from each call of a route to the next, in seconds; `nil`
    /// for a route without lines.
    @inline(__always)
    func fastest(of route: Int) -> UnsafePointer<Int32>? {
        let number = Int(entriesOfRoutes[route])
        return number == 0 ? nil : fastest.baseAddress?.advanced(by: Int(routes[number - 1].firstFastest))
    }

    /// Returns the calls of a line with calls of its own.
    func calls(of line: Int) -> Range<Int> {
        let first = Int(lines[line].firstCall)
        return first..<first + Int(lines[line].callCount)
    }

    /// Returns the range in ``visits`` of a node of the network.
    @inline(__always)
    func visits(of node: Int) -> Range<Int> {
        visitsOfNodes.isEmpty ? 0..<0 : Int(visitsOfNodes[node])..<Int(visitsOfNodes[node + 1])
    }

    /// Returns the position of a call in ``times``.
    @inline(__always)
    func time(of trip: Int, in line: Int, _ position: Int) -> Int {
        let line = lines[line]
        return Int(line.firstTime) &+ (trip &- Int(line.firstTrip)) &* Int(line.callCount) &+ position
    }

    /// Returns the entry of a trip (``TripIndex``) on a date; `nil` without realtime data.
    @inline(__always)
    func entry(of trip: UInt32, _ date: ServiceDate, isRepetition: Bool) -> DateEntry? {
        let word = Int(trip >> 6)
        guard word < reported.count else { return nil }
        let (bits, bit) = (reported[word], UInt64(1) << UInt64(trip & 63))
        guard bits & bit != 0 else { return nil }
        let rank = Int(ranks[word]) + (bits & (bit - 1)).nonzeroBitCount
        let date = DateEntry.date(date, isRepetition: isRepetition)
        for number in Int(firstEntries[rank])..<Int(firstEntries[rank + 1]) where entries[number].date == date {
            return entries[number]
        }
        return nil
    }
}

/// The tables of ``JourneyRealtimeTables`` before they are complete.
struct JourneyRealtimeDraft {
    var lines: ContiguousArray<JourneyRealtimeTables.Line> = []
    var trips: ContiguousArray<JourneyRealtimeTables.Trip> = []
    var times: ContiguousArray<JourneyNetwork.Times> = []
    var usability: ContiguousArray<JourneyRealtimeTables.Usability> = []
    var calls: ContiguousArray<JourneyNetwork.Call> = []
    var fastest: ContiguousArray<Int32> = []
    var linesWithCalls = 0..<0
    var visitsOfNodes: ContiguousArray<UInt32> = []
    var visits: ContiguousArray<JourneyRealtimeTables.Visit> = []
    var entriesOfRoutes: ContiguousArray<UInt32> = []
    var routes: ContiguousArray<JourneyRealtimeTables.RouteEntry> = []
    var reported: ContiguousArray<UInt64> = []
    var ranks: ContiguousArray<UInt32> = []
    var firstEntries: ContiguousArray<UInt32> = []
    var entries: ContiguousArray<JourneyRealtimeTables.DateEntry> = []
}
