internal import TransitModel

/// What a search looks for on the trips of one pattern: a departure (``StopVisit``) or a ride (``DirectPattern``).
protocol SearchedPattern {
    associatedtype Legs: Collection<TripLeg>

    var tripInstances: PatternTripInstances { get }

    /// Returns the latest time to set out and the earliest departure among the legs of a timing group, in seconds from
    /// the start of a trip.
    func departures(ofTimingGroup timingGroup: Int) -> (latestLeave: Int64, earliest: Int64)

    /// Returns the legs of a timing group's trips, best first, with times from the start of a trip.
    func legs(ofTimingGroup timingGroup: Int) -> Legs

    /// Whether it is certain that ``leg(of:in:)`` returns `nil` for a trip with current realtime data. The number is an
    /// index into the trips of the view's dataset. Most trips leave at another time.
    func excludes(trip number: Int, in view: RealtimeDatasetView, _ range: Range<Int64>) -> Bool

    /// Returns the best leg of a trip with realtime data that leaves in a range of times (seconds since 1970); `nil` if
    /// there is none. A rider must be able to set out at the lower bound.
    func leg(of trip: ReportedTrip, in range: Range<Int64>) -> TripLeg?
}

/// A pair of calls of a trip where a rider boards and alights. For a departure, both are the same call.
///
/// Times are in seconds, either from the start of the trip or since 1970.
struct TripLeg: Comparable {
    var board: Int
    var alight: Int
    var walkBefore = 0
    var walkAfter = 0
    var departure: Int64
    /// The arrival plus the walk after it; for a departure, the departure.
    var destinationArrival: Int64
    /// Whether the trip skips the boarding stop.
    var isSkipped = false

    /// The latest time to set out.
    var leaveBy: Int64 { departure &- Int64(walkBefore) }

    /// Prefers legs without a skipped stop, then the earlier arrival, the later time to set out, the shorter walk, and
    /// the first call.
    static func < (left: Self, right: Self) -> Bool {
        if left.isSkipped != right.isSkipped { return right.isSkipped }
        if left.destinationArrival != right.destinationArrival {
            return left.destinationArrival < right.destinationArrival
        }
        if left.leaveBy != right.leaveBy { return left.leaveBy > right.leaveBy }
        let (walk, otherWalk) = (left.walkBefore + left.walkAfter, right.walkBefore + right.walkAfter)
        return (walk, left.board, left.walkAfter, left.alight) < (otherWalk, right.board, right.walkAfter, right.alight)
    }
}

/// A trip that a search found, as plain numbers that are cheap to move.
///
/// Found trips are sorted by departure, then by arrival. At the same times, trips of the timetable precede those that it
/// lacks. Then the pattern, the trip, the service date, the call and the start decide, so that equal searches return
/// equal results.
struct FoundTrip: Comparable {
    enum Source {
        /// A trip of the timetable; `pattern` is an index of the searched patterns.
        case scheduled(pattern: Int, timingGroup: Int, TripInstance, ServiceDay)
        /// A trip with realtime data; `number` is an index into the trips of the view's dataset.
        case reported(view: Int, number: Int)
        /// A trip that the timetable lacks; `number` is an index into the extra trips of the view's dataset. The
        /// `destination` is the stop where the leg ends, if only the departure is known.
        case extra(view: Int, number: Int, destination: StopIndex?)
    }

    let leg: TripLeg
    let source: Source
    private let pattern: UInt32
    private let trip: UInt32
    private let date: Int32
    private let start: Int64

    /// - Parameter start: The start of the trip, in seconds since 1970.
    init(_ key: TripInstanceKey, _ leg: TripLeg, start: Int64, source: Source) {
        self.leg = leg
        self.source = source
        pattern = key.pattern.rawValue
        trip = key.trip.rawValue
        date = key.serviceDate.daysSince1970
        self.start = start
    }

    init(extra number: Int, view: Int, _ leg: TripLeg, destination: StopIndex? = nil) {
        self.leg = leg
        source = .extra(view: view, number: number, destination: destination)
        pattern = UInt32(truncatingIfNeeded: view)
        trip = UInt32(truncatingIfNeeded: number)
        date = 0
        start = 0
    }

    private var rank: Int {
        switch source {
        case .scheduled: 0
        case .reported: 1
        case .extra: 2
        }
    }

    private var isExtra: Bool { rank == 2 }

    static func < (left: Self, right: Self) -> Bool {
        if left.leg.departure != right.leg.departure { return left.leg.departure < right.leg.departure }
        if left.leg.destinationArrival != right.leg.destinationArrival {
            return left.leg.destinationArrival < right.leg.destinationArrival
        }
        if left.isExtra != right.isExtra { return right.isExtra }
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.trip != right.trip { return left.trip < right.trip }
        if left.date != right.date { return left.date < right.date }
        if left.leg.board != right.leg.board { return left.leg.board < right.leg.board }
        if left.start != right.start { return left.start < right.start }
        return left.rank < right.rank
    }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
}

/// The search for the next trips on patterns: those of the timetable, and those with realtime data.
struct TripSearch<Searched: SearchedPattern> {
    let patterns: [Searched]
    /// The realtime data, whose trips replace those of the timetable; `nil` if there is none.
    let views: RealtimeDatasetViews?
    let at: Int64
    private let context: TimetableCalendar
    /// The exclusive upper limit of departures, in seconds since 1970. Sinks to the last departure of a full list;
    /// departures at the same moment can still precede it.
    private(set) var end: Int64
    private var list: SmallestElements<FoundTrip>
    private var services: ActiveServiceCache

    /// - Parameters:
    ///   - end: The exclusive upper limit of departures, in seconds since 1970.
    ///   - count: The maximum number of trips.
    init(
        _ patterns: [Searched], context: TimetableCalendar, views: RealtimeDatasetViews? = nil, at: Instant,
        before end: Int64, count: Int
    ) {
        self.patterns = patterns
        self.context = context
        self.views = views
        self.at = at.secondsSince1970
        self.end = end
        list = SmallestElements(capacity: max(0, count))
        services = ActiveServiceCache(services: context.services)
    }

    /// The trips found so far, in order.
    var found: [FoundTrip] { list.elements }

    mutating func insert(_ trip: FoundTrip) {
        list.insert(trip)
        if list.isFull, let last = list.elements.last { end = min(end, last.leg.departure &+ 1) }
    }

    // MARK: Trips of the timetable

    /// A timing group of a searched pattern, with the times that determine whether a day's trips have to be searched.
    ///
    /// Most timing groups are skipped on most days, so the struct holds only plain numbers.
    private struct Row {
        var pattern: Int
        var timingGroup: Int
        /// The latest time to set out and the earliest departure among all legs, in seconds from the start of a trip.
        var latestLeave: Int64
        var earliestDeparture: Int64
        /// The range of trip starts, in seconds of service time.
        var starts: ClosedRange<Int64>
    }

    /// Finds trips without realtime data. Call it last, because earlier results limit the days that are searched.
    mutating func findScheduledTrips() {
        for zone in context.zones.indices {
            let rows = rows(inZone: zone)
            let days = ServiceDays(
                zone: context.zones[zone], at: Instant(secondsSince1970: at), latestStopTime: context.latestStopTime)
            days.visit { day in
                services.begin(day.date)
                for row in rows
                where day.start + row.starts.upperBound + row.latestLeave >= at
                    && day.start + row.starts.lowerBound + row.earliestDeparture < end
                {
                    findScheduledTrips(row, on: day)
                }
                return end
            }
        }
    }

    private func rows(inZone zone: Int) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(patterns.reduce(0) { $0 + $1.tripInstances.timingGroupCount })
        for number in patterns.indices {
            let tripInstances = patterns[number].tripInstances
            guard context.zonePosition(of: tripInstances.pattern.route) == zone else { continue }
            for timingGroup in 0..<tripInstances.timingGroupCount {
                let departures = patterns[number].departures(ofTimingGroup: timingGroup)
                rows.append(
                    Row(
                        pattern: number, timingGroup: timingGroup, latestLeave: departures.latestLeave,
                        earliestDeparture: departures.earliest,
                        starts: tripInstances.span(ofTimingGroup: timingGroup)))
            }
        }
        return rows
    }

    private mutating func findScheduledTrips(_ row: Row, on day: ServiceDay) {
        let legs = patterns[row.pattern].legs(ofTimingGroup: row.timingGroup)
        let tripInstances = patterns[row.pattern].tripInstances
        tripInstances.forEachInstance(
            ofTimingGroup: row.timingGroup, from: at - day.start - row.latestLeave
        ) { instance, service in
            let start = day.start + Int64(instance.start)
            guard start + row.earliestDeparture < end else { return false }
            guard services.runs(service), var leg = legs.first(where: { start + $0.leaveBy >= at }),
                start + leg.departure < end
            else { return true }
            let key = TripInstanceKey(
                tripInstances.pattern, timingGroup: row.timingGroup, instance: instance, date: day.date)
            if let views, views.isHidden(key) { return true }
            leg.departure += start
            leg.destinationArrival += start
            insert(
                FoundTrip(
                    key, leg, start: start,
                    source: .scheduled(pattern: row.pattern, timingGroup: row.timingGroup, instance, day)))
            return true
        }
    }

    // MARK: Trips with realtime data

    /// Finds the trips on the patterns about which there is realtime data.
    mutating func findReportedTrips() {
        guard let views else { return }
        for index in views.indices {
            let view = views[index]
            for searched in patterns {
                for number in view.dataset.trips(on: searched.tripInstances.pattern.index)
                where !searched.excludes(trip: number, in: view, at..<end) {
                    findReportedTrip(number, inView: index, of: views, as: searched)
                }
            }
        }
    }

    /// Finds a leg of one trip with realtime data.
    mutating func findReportedTrip(
        _ number: Int, inView view: Int, of views: RealtimeDatasetViews, as searched: some SearchedPattern
    ) {
        guard let trip = ReportedTrip(number, inView: view, of: views),
            let leg = searched.leg(of: trip, in: at..<end)
        else { return }
        insert(FoundTrip(trip.instance.key, leg, start: trip.start, source: .reported(view: view, number: number)))
    }

    // MARK: Results

    func scheduledCall(_ position: Int, of found: FoundTrip) -> ScheduledCall? {
        guard case .scheduled(let number, let timingGroup, let instance, let day) = found.source else { return nil }
        return ScheduledCall(
            pattern: patterns[number].tripInstances.pattern, timingGroup: timingGroup, instance: instance,
            position: position, day: day)
    }

    /// Returns a call of a found trip with realtime data applied; `nil` if there is no such data any more.
    func expectedCall(_ position: Int, of found: FoundTrip) -> ExpectedCall? {
        switch found.source {
        case .scheduled:
            scheduledCall(position, of: found).map { call in
                views.map { $0.realtime.scheduled(call, now: $0.now) } ?? ExpectedCall(scheduled: call)
            }
        case .reported(let view, let number):
            views.map { ExpectedCallBuilder($0, view: view).expected(instance: number, position: position) }
        case .extra(let view, let number, _):
            views.map { ExpectedCallBuilder($0, view: view).expected(extra: number, position: position) }
        }
    }
}

extension ExpectedCall {
    /// Applies realtime data to a scheduled call. Returns `nil` for a trip that is deleted or replaced.
    init?(_ call: ScheduledCall, _ realtime: RealtimeDatasets?, now: Instant) {
        guard let realtime else {
            self.init(scheduled: call)
            return
        }
        guard let expected = realtime.expected(call, now: now), expected.status != .replaced else { return nil }
        self = expected
    }
}
