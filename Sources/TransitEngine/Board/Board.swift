public import TransitModel

/// The departures of stops: which trips leave there next.
public enum Board {
    /// How many days after today a question looks when it does not say.
    public static let defaultHorizonDays = 7

    /// The next departures at the given calls, ascending by time.
    ///
    /// Not listed are calls at which nobody may board (`pickup_type` 1), the last call of a trip, and what leaves before
    /// `at` or after ``TimetableContext/horizon(at:days:)``. A trip that calls twice is listed twice. Departures at the same
    /// moment are in the order of pattern, lane, trip, service date and call, so that asking twice gives the same answer.
    ///
    /// - Parameters:
    ///   - visits: the calls of patterns at the stops in question, each once.
    ///   - count: how many departures at most.
    public static func departures(
        visits: [PatternVisit], context: TimetableContext, at: Instant, count: Int,
        horizonDays: Int = defaultHorizonDays
    ) -> [ScheduledCall] {
        guard count > 0 else { return [] }
        var search = BoardSearch(visits: visits, context: context, at: at, count: count, horizonDays: horizonDays)
        for zone in context.zones.indices { search.look(inZone: zone) }
        return search.calls()
    }
}

/// One question to ``Board`` on its way.
private struct BoardSearch {
    let visits: [PatternVisit]
    let context: TimetableContext
    let at: Int64
    var memo: ServiceMemo
    var list: FirstElements<BoardCandidate>
    /// What leaves at this moment or later is not of interest.
    var end: Int64

    init(visits: [PatternVisit], context: TimetableContext, at: Instant, count: Int, horizonDays: Int) {
        self.visits = visits
        self.context = context
        self.at = at.secondsSince1970
        memo = ServiceMemo(services: context.services)
        list = FirstElements(capacity: count)
        end = context.horizon(at: at, days: horizonDays).secondsSince1970
    }

    mutating func look(inZone zone: Int) {
        let lanes = lanesListed(inZone: zone)
        let days = ServiceDays(
            zone: context.zones[zone], at: Instant(secondsSince1970: at), latestCall: context.latestCall)
        days.visit { day in
            memo.begin(day.date)
            for lane in lanes where day.start + lane.last >= at && day.start + lane.first < end {
                look(along: lane, on: day)
            }
            return end
        }
    }

    /// The lanes of the visits where one may board.
    private func lanesListed(inZone zone: Int) -> [VisitedLane] {
        var lanes: [VisitedLane] = []
        lanes.reserveCapacity(visits.count * 4)
        for (number, visit) in visits.enumerated() {
            let pattern = visit.pattern
            guard visit.position + 1 < pattern.calls.count, pattern.calls[visit.position].pickup != .none,
                context.zonePosition(of: pattern.route) == zone
            else { continue }
            for lane in pattern.lanes.indices {
                lanes.append(VisitedLane(pattern: pattern, lane: lane, visit: number, call: visit.position))
            }
        }
        return lanes
    }

    /// The usual lane. It is spelled out because a ``Lane`` that is copied, as a call on it does, costs more than the search.
    private mutating func look(along row: VisitedLane, on day: ServiceDay) {
        let lanes = visits[Int(row.visit)].pattern.lanes
        let number = Int(row.lane)
        if row.hasFrequencies { return look(along: row, lanes[number], on: day) }
        let offset = day.start + row.departure
        var trip = Lane.firstStart(lanes[number].starts, from: at - offset)
        while trip < lanes[number].starts.count {
            let start = lanes[number].starts[trip]
            guard offset + Int64(start) < end else { return }
            if memo.runs(lanes[number].services[trip]) {
                found(Run(trip: Int32(trip), start: start, frequency: -1), of: row, on: day)
            }
            trip += 1
        }
    }

    /// A lane with trips that frequencies.txt repeats.
    private mutating func look(along row: VisitedLane, _ lane: Lane, on day: ServiceDay) {
        let offset = day.start + row.departure
        lane.forEachRun(from: at - offset) { run in
            guard offset + Int64(run.start) < end else { return false }
            if memo.runs(lane.services[Int(run.trip)]) { found(run, of: row, on: day) }
            return true
        }
    }

    private mutating func found(_ run: Run, of row: VisitedLane, on day: ServiceDay) {
        list.insert(BoardCandidate(run, of: row, on: day))
        if list.isFull, let last = list.elements.last { end = min(end, last.departure + 1) }
    }

    func calls() -> [ScheduledCall] {
        list.elements.map { found in
            let visit = visits[Int(found.visit)]
            return ScheduledCall(
                pattern: visit.pattern, lane: Int(found.lane), run: found.run, position: visit.position, day: found.day)
        }
    }
}

/// A lane at a stop in question: what decides whether a day needs a look at its trips, in seconds of service time.
///
/// Most lanes are passed over on most days, so these are plain numbers.
private struct VisitedLane {
    var visit: Int32
    var call: Int32
    var lane: Int32
    var pattern: PatternIndex
    var hasFrequencies: Bool
    /// Seconds from a trip's start to its departure here.
    var departure: Int64
    /// The first and the last departure here.
    var first: Int64
    var last: Int64

    init(pattern: Pattern, lane number: Int, visit: Int, call: Int) {
        self.visit = Int32(visit)
        self.call = Int32(call)
        self.pattern = pattern.index
        lane = Int32(number)
        hasFrequencies = !pattern.lanes[number].frequencies.isEmpty
        departure = Int64(pattern.lanes[number].times[call].departure)
        let span = pattern.lanes[number].span
        first = departure + span.lowerBound
        last = departure + span.upperBound
    }
}

/// A departure without its pattern: plain numbers that are cheap to move.
private struct BoardCandidate: Comparable {
    let departure: Int64
    let run: Run
    let day: ServiceDay
    let pattern: PatternIndex
    let visit: Int32
    let call: Int32
    let lane: Int32

    init(_ run: Run, of row: VisitedLane, on day: ServiceDay) {
        departure = day.start + row.departure + Int64(run.start)
        self.run = run
        self.day = day
        pattern = row.pattern
        visit = row.visit
        call = row.call
        lane = row.lane
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.departure != right.departure { return left.departure < right.departure }
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.lane != right.lane { return left.lane < right.lane }
        if left.run.trip != right.run.trip { return left.run.trip < right.run.trip }
        if left.day.date != right.day.date { return left.day.date < right.day.date }
        if left.call != right.call { return left.call < right.call }
        return left.run.frequency < right.run.frequency
    }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
}
