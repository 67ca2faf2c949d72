internal import TransitModel

/// Which run of a trip is meant (GTFS-Realtime reference, *TripDescriptor*).
extension TripMatcher {
    /// Finds the run that the descriptor of a known trip means.
    ///
    /// - Parameter clue: by what the service date is chosen when the descriptor has none.
    func run(
        of known: KnownTrip, _ descriptor: TripDescriptor, clue: DateClue
    ) -> Result<MatchedRun, UnmatchedTrip> {
        if known.isRepeated {
            guard let start = descriptor.startTime else { return .failure(.needsStartTime) }
            return repetition(of: known, descriptor, start: start.seconds, clue: clue)
        }
        guard let date = date(of: known, descriptor, start: known.start, clue: clue) else {
            return .failure(.notRunning)
        }
        let match: LiveRun.Match = descriptor.startDate == nil ? .trip : .tripAndDate
        return .success(run(known, on: date, start: known.start, match: match))
    }

    func run(_ known: KnownTrip, on date: ServiceDate, start: Int32, match: LiveRun.Match) -> MatchedRun {
        let pattern = patterns[Int(known.patternNumber)]
        return MatchedRun(
            known: known, key: RunKey(pattern: pattern.pattern.index, trip: known.trip, serviceDate: date),
            start: start,
            begins: dayStart(date, zone: pattern.zone) &+ Int64(start), match: match, isWithoutTimetable: false)
    }

    /// A run of frequencies.txt. With `exact_times` 0 it need not start at one of the starts that the headway gives; it
    /// then stands for the nearest of them (*Systems with repeated trip_ids*).
    private func repetition(
        of known: KnownTrip, _ descriptor: TripDescriptor, start: Int32, clue: DateClue
    ) -> Result<MatchedRun, UnmatchedTrip> {
        guard let date = date(of: known, descriptor, start: start, clue: clue) else { return .failure(.notRunning) }
        let rows = patterns[Int(known.patternNumber)].pattern.frequencies(ofLane: Int(known.lane))
            .filter { $0.trip == UInt32(bitPattern: known.position) }
        var run = run(known, on: date, start: start, match: .frequency)
        if rows.contains(where: { $0.isExact && $0.starts(at: start) }) {
            run.key.frequencyStart = ServiceTime(seconds: start)
            return .success(run)
        }
        let inexact = rows.filter { !$0.isExact }
        guard !inexact.isEmpty else { return .failure(.unknownStart) }
        run.isWithoutTimetable = true
        let row = inexact.first { $0.start <= start && start < $0.end }
        run.key.frequencyStart = ServiceTime(seconds: row?.nearestStart(to: start) ?? start)
        return .success(run)
    }

    /// The service date that is told, else the one on which the trip runs nearest to the clue; of two that are as near,
    /// the one whose start is nearer, then the later one.
    private func date(
        of known: KnownTrip, _ descriptor: TripDescriptor, start: Int32, clue: DateClue
    ) -> ServiceDate? {
        if let date = descriptor.startDate { return runs(known.service, on: date) ? date : nil }
        let zone = patterns[Int(known.patternNumber)].zone
        let today = context.zones[zone].civil(at: Instant(secondsSince1970: clue.time)).date
        let longest = Int(ServiceTime.maximum)
        let daysBack = min(longest, max(0, Int(start) + Int(known.duration))) / 86_400 + 1
        var best: (date: ServiceDate, distance: Int64, lead: Int64)?
        var date = today.advanced(by: 1)
        for _ in 0..<(daysBack + 2) {
            defer { date = date.advanced(by: -1) }
            guard runs(known.service, on: date) else { continue }
            let begins = dayStart(date, zone: zone) &+ Int64(start)
            let distance = clue.distance(begins: begins, duration: known.duration)
            let lead = abs(begins &- clue.time)
            if let best, (best.distance, best.lead) <= (distance, lead) { continue }
            best = (date, distance, lead)
        }
        return best?.date
    }

    /// By route, direction and start time (*Alternative trip matching*), when one trip alone fits.
    func run(byRoute descriptor: TripDescriptor, clue: DateClue) throws -> Result<MatchedRun, UnmatchedTrip> {
        guard let id = descriptor.routeID, let start = descriptor.startTime else { return .failure(.unidentified) }
        guard let route = route(id) else { return .failure(.unknownRoute) }
        var candidates: [MatchedRun] = []
        var isThere = false
        for number in try patterns(of: route) {
            let pattern = patterns[Int(number)].pattern
            if let direction = descriptor.direction, pattern.direction != direction { continue }
            let runs = PatternRuns(pattern)
            let starts = Int64(start.seconds)...Int64(start.seconds)
            for lane in 0..<runs.laneCount {
                for position in runs.positions(ofLane: lane, startingIn: starts) {
                    let known = try trip(pattern: number, lane: lane, position: position)
                    if known.isRepeated { continue }
                    isThere = true
                    guard let date = date(of: known, descriptor, start: known.start, clue: clue) else { continue }
                    candidates.append(run(known, on: date, start: known.start, match: .route))
                }
            }
        }
        guard let first = candidates.first else { return .failure(isThere ? .notRunning : .unknownStart) }
        return candidates.count == 1 ? .success(first) : .failure(.ambiguous)
    }
}

extension DateClue {
    /// How far the clue is from a run; 0 when it is under way then.
    fileprivate func distance(begins: Int64, duration: Int32) -> Int64 {
        if let offset { return abs(begins &+ Int64(offset) &- time) }
        if time < begins { return begins &- time }
        return max(0, time &- (begins &+ Int64(max(0, duration))))
    }
}

extension Frequency {
    /// Whether one of its runs starts then.
    func starts(at time: Int32) -> Bool {
        time >= start && time < end && (time - start) % max(1, headway) == 0
    }

    /// The run nearest to a time between its start and its end.
    fileprivate func nearestStart(to time: Int32) -> Int32 {
        let headway = max(1, headway)
        let rounded = start + (time - start + headway / 2) / headway * headway
        return rounded < end ? rounded : rounded - headway
    }
}
