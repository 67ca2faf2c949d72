internal import TransitModel

/// Which run of a trip is meant (GTFS-Realtime reference, *TripDescriptor*).
extension TripMatcher {
    /// Finds the run that the descriptor of a known trip means.
    ///
    /// - Parameter clue: by what the service date is chosen when the descriptor has none.
    func run(
        of known: CachedTrip, _ descriptor: TripDescriptor, clue: ServiceDateEvidence
    ) -> Result<MatchedTrip, UnmatchedTrip> {
        if known.isRepeated {
            guard let start = descriptor.startTime else { return .failure(.needsStartTime) }
            return repetition(of: known, descriptor, start: start.seconds, clue: clue)
        }
        guard let date = date(of: known, descriptor, start: known.start, clue: clue) else {
            return .failure(.notRunning)
        }
        let match: RealtimeTrip.Match =
            switch descriptor.startDate {
            case nil: .trip
            case date: .tripAndDate
            case .some: .adjacentDate
            }
        return .success(run(known, on: date, start: known.start, match: match))
    }

    func run(_ known: CachedTrip, on date: ServiceDate, start: Int32, match: RealtimeTrip.Match) -> MatchedTrip {
        let pattern = patterns[Int(known.patternNumber)]
        return MatchedTrip(
            known: known, key: TripInstanceKey(pattern: pattern.pattern.index, trip: known.trip, serviceDate: date),
            start: start,
            begins: dayStart(date, zone: pattern.zone) &+ Int64(start), match: match, isWithoutTimetable: false)
    }

    /// A run of frequencies.txt. With `exact_times` 0 it need not start at one of the starts that the headway gives; it
    /// then stands for the nearest of them (*Systems with repeated trip_ids*).
    private func repetition(
        of known: CachedTrip, _ descriptor: TripDescriptor, start: Int32, clue: ServiceDateEvidence
    ) -> Result<MatchedTrip, UnmatchedTrip> {
        guard let date = date(of: known, descriptor, start: start, clue: clue) else { return .failure(.notRunning) }
        let rows = patterns[Int(known.patternNumber)].pattern.frequencies(ofTimingGroup: Int(known.timingGroup))
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

    /// The service date of the run that the message is about; `nil` if the trip does not run then.
    private func date(
        of known: CachedTrip, _ descriptor: TripDescriptor, start: Int32, clue: ServiceDateEvidence
    ) -> ServiceDate? {
        let trip = PlannedTrip(known: known, start: start, zone: patterns[Int(known.patternNumber)].zone)
        guard let told = descriptor.startDate else { return nearestDate(of: trip, clue) }
        return date(of: trip, near: told, startTime: known.isRepeated ? nil : descriptor.startTime, clue)
    }

    /// A trip with the start time of the wanted run.
    private struct PlannedTrip {
        var known: CachedTrip
        /// The start in service time.
        var start: Int32
        var zone: Int
    }

    /// The stated date or an adjacent one. After midnight, some publishers state the calendar date instead of the
    /// service date (WMATA does for the run at 24:35). An adjacent date requires evidence: a `start_time` that is off
    /// by exactly 24:00, or times that fit the run of the adjacent date and not the run of the stated date. A delay is
    /// no evidence.
    private func date(
        of trip: PlannedTrip, near told: ServiceDate, startTime: ServiceTime?, _ clue: ServiceDateEvidence
    ) -> ServiceDate? {
        if let startTime {
            let off = Int64(startTime.seconds) - Int64(trip.start)
            if abs(off) == 86_400 {
                let meant = told.advanced(by: off < 0 ? -1 : 1)
                return runs(trip.known.service, on: meant) ? meant : nil
            }
        }
        let isRunning = runs(trip.known.service, on: told)
        if isRunning, !clue.contradicts(begins: begins(trip, on: told), duration: trip.known.duration) { return told }
        let beside = [told.advanced(by: -1), told.advanced(by: 1)].first { date in
            runs(trip.known.service, on: date)
                && clue.fits(begins: begins(trip, on: date), duration: trip.known.duration)
        }
        return beside ?? (isRunning ? told : nil)
    }

    /// Without `start_date`: the date on which the trip runs nearest to the clue. Of two equally near dates, the one
    /// with the nearer start is used, then the later one. `nil` if all are too far away.
    private func nearestDate(of trip: PlannedTrip, _ clue: ServiceDateEvidence) -> ServiceDate? {
        let today = context.zones[trip.zone].civil(at: Instant(secondsSince1970: clue.time)).date
        let longest = Int(ServiceTime.maximum)
        let daysBack = min(longest, max(0, Int(trip.start) + Int(trip.known.duration))) / 86_400 + 1
        var best: (date: ServiceDate, distance: Int64, lead: Int64)?
        var date = today.advanced(by: 1)
        for _ in 0..<(daysBack + 2) {
            defer { date = date.advanced(by: -1) }
            guard runs(trip.known.service, on: date) else { continue }
            let begins = begins(trip, on: date)
            let signed = clue.distance(begins: begins, duration: trip.known.duration)
            guard isNear(signed, date, clue, today: today) else { continue }
            let (distance, lead) = (abs(signed), abs(begins &- clue.time))
            if let best, (best.distance, best.lead) <= (distance, lead) { continue }
            best = (date, distance, lead)
        }
        return best?.date
    }

    /// Whether a message without a date can be about a run that is `distance` seconds before the clue (negative: after
    /// it).
    ///
    /// Stated times that fit no run select none, and times half a day away may belong to another date. A message can
    /// report a finished run for the rest of the day, and a run of tomorrow only shortly before its start. A
    /// cancellation stays in the message all day.
    private func isNear(_ distance: Int64, _ date: ServiceDate, _ clue: ServiceDateEvidence, today: ServiceDate) -> Bool
    {
        switch clue.kind {
        case .stated:
            ((date == today ? -ServiceDateEvidence.halfDay : -ServiceDateEvidence.maximumEarliness)...ServiceDateEvidence
                .halfDay).contains(distance)
        case .seen, .message: date <= today || distance >= -ServiceDateEvidence.maximumLead
        case .withdrawal: date <= today
        }
    }

    /// The time at which the run of a service date begins, in seconds since 1970.
    private func begins(_ trip: PlannedTrip, on date: ServiceDate) -> Int64 {
        dayStart(date, zone: trip.zone) &+ Int64(trip.start)
    }

    /// By route, direction and start time (*Alternative trip matching*), when one trip alone fits.
    func run(byRoute descriptor: TripDescriptor, clue: ServiceDateEvidence) throws -> Result<MatchedTrip, UnmatchedTrip>
    {
        guard let id = descriptor.routeID, let start = descriptor.startTime else { return .failure(.unidentified) }
        guard let route = route(id) else { return .failure(.unknownRoute) }
        var candidates: [MatchedTrip] = []
        var isThere = false
        for number in try patterns(of: route) {
            let pattern = patterns[Int(number)].pattern
            if let direction = descriptor.direction, pattern.direction != direction { continue }
            let runs = PatternTripInstances(pattern)
            let starts = Int64(start.seconds)...Int64(start.seconds)
            for timingGroup in 0..<runs.timingGroupCount {
                for position in runs.positions(ofTimingGroup: timingGroup, startingIn: starts) {
                    let known = try trip(pattern: number, timingGroup: timingGroup, position: position)
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
