internal import TransitModel

/// Matches trip descriptors to trip instances (GTFS-Realtime reference, *TripDescriptor*).
extension TripMatcher {
    /// Returns the instance of a known trip to which the descriptor refers.
    ///
    /// - Parameter evidence: determines the service date if the descriptor has none.
    func tripInstance(
        of known: CachedTrip, _ descriptor: TripDescriptor, evidence: ServiceDateEvidence
    ) -> Result<MatchedTrip, UnmatchedTrip> {
        if known.isFrequencyBased {
            guard let start = descriptor.startTime else { return .failure(.needsStartTime) }
            return repetition(of: known, descriptor, start: start.seconds, evidence: evidence)
        }
        guard let date = date(of: known, descriptor, start: known.start, evidence: evidence) else {
            return .failure(causeWithoutDate(known, descriptor, start: known.start, evidence: evidence))
        }
        let match: RealtimeTrip.Match =
            switch descriptor.startDate {
            case nil: .trip
            case date: .tripAndDate
            case .some: .adjacentDate
            }
        return .success(tripInstance(known, on: date, start: known.start, match: match))
    }

    func tripInstance(_ known: CachedTrip, on date: ServiceDate, start: Int32, match: RealtimeTrip.Match) -> MatchedTrip
    {
        let pattern = patterns[Int(known.patternNumber)]
        return MatchedTrip(
            known: known, key: TripInstanceKey(pattern: pattern.pattern.index, trip: known.trip, serviceDate: date),
            start: start,
            startInstant: dayStart(date, zone: pattern.zone) &+ Int64(start), match: match, isWithoutTimetable: false)
    }

    /// Returns an instance of a trip of frequencies.txt. With `exact_times` 0, its start need not match the headway.
    /// The trip then counts as the instance with the nearest start (*Systems with repeated trip_ids*).
    private func repetition(
        of known: CachedTrip, _ descriptor: TripDescriptor, start: Int32, evidence: ServiceDateEvidence
    ) -> Result<MatchedTrip, UnmatchedTrip> {
        guard let date = date(of: known, descriptor, start: start, evidence: evidence) else {
            return .failure(causeWithoutDate(known, descriptor, start: start, evidence: evidence))
        }
        let rows = patterns[Int(known.patternNumber)].pattern.frequencies(ofTimingGroup: Int(known.timingGroup))
            .filter { $0.trip == UInt32(bitPattern: known.position) }
        var instance = tripInstance(known, on: date, start: start, match: .frequency)
        if rows.contains(where: { $0.isExact && $0.starts(at: start) }) {
            instance.key.frequencyStart = ServiceTime(seconds: start)
            return .success(instance)
        }
        let inexact = rows.filter { !$0.isExact }
        guard !inexact.isEmpty else { return .failure(.unknownStart) }
        instance.isWithoutTimetable = true
        let row = inexact.first { $0.start <= start && start < $0.end }
        instance.key.frequencyStart = ServiceTime(seconds: row?.nearestStart(to: start) ?? start)
        return .success(instance)
    }

    /// Returns the service date to which the message refers; `nil` if the trip does not run on it.
    private func date(
        of known: CachedTrip, _ descriptor: TripDescriptor, start: Int32, evidence: ServiceDateEvidence
    ) -> ServiceDate? {
        let trip = PlannedTrip(known: known, start: start, zone: patterns[Int(known.patternNumber)].zone)
        guard let stated = descriptor.startDate else {
            return evidence.kind == .decision ? dateOfDecision(trip, evidence) : nearestDate(of: trip, evidence)
        }
        return date(of: trip, near: stated, startTime: known.isFrequencyBased ? nil : descriptor.startTime, evidence)
    }

    /// Returns why ``date(of:_:start:evidence:)`` finds no date.
    private func causeWithoutDate(
        _ known: CachedTrip, _ descriptor: TripDescriptor, start: Int32, evidence: ServiceDateEvidence
    ) -> UnmatchedTrip {
        guard descriptor.startDate == nil else { return .notRunning }
        if evidence.known == .ambiguous, !evidence.isDifferential { return .ambiguousDate }
        let trip = PlannedTrip(known: known, start: start, zone: patterns[Int(known.patternNumber)].zone)
        return evidence.kind == .decision && currentDates(of: trip, evidence).count > 1 ? .ambiguousDate : .notRunning
    }

    /// A scheduled trip with the start time of one of its instances.
    private struct PlannedTrip {
        var known: CachedTrip
        /// The start in service time.
        var start: Int32
        var zone: Int
    }

    /// Returns the stated date or an adjacent date. After midnight, some publishers state the calendar date instead of
    /// the service date (WMATA does for the trip at 24:35). An adjacent date requires evidence: a `start_time` that is
    /// off by exactly 24:00, or times that match the trip on the adjacent date and not on the stated date. A delay is
    /// not evidence.
    private func date(
        of trip: PlannedTrip, near stated: ServiceDate, startTime: ServiceTime?, _ evidence: ServiceDateEvidence
    ) -> ServiceDate? {
        if let startTime {
            let difference = Int64(startTime.seconds) - Int64(trip.start)
            if abs(difference) == 86_400 {
                let date = stated.advanced(by: difference < 0 ? -1 : 1)
                return runs(trip.known.service, on: date) ? date : nil
            }
        }
        let isRunning = runs(trip.known.service, on: stated)
        if isRunning, !evidence.contradicts(startInstant: startInstant(trip, on: stated), duration: trip.known.duration)
        {
            return stated
        }
        let adjacent = [stated.advanced(by: -1), stated.advanced(by: 1)].first { date in
            runs(trip.known.service, on: date)
                && evidence.fits(startInstant: startInstant(trip, on: date), duration: trip.known.duration)
        }
        return adjacent ?? (isRunning ? stated : nil)
    }

    /// Returns the date on which the trip runs nearest to the evidence, for a message without `start_date`. If two
    /// dates are equally near, the date with the nearer start is used, or else the later date. Returns `nil` if all
    /// dates are too far away.
    private func nearestDate(of trip: PlannedTrip, _ evidence: ServiceDateEvidence) -> ServiceDate? {
        let (today, daysBack) = (today(trip, evidence), daysBack(trip))
        var best: (date: ServiceDate, distance: Int64, lead: Int64)?
        var date = today.advanced(by: 1)
        for _ in 0..<(daysBack + 2) {
            defer { date = date.advanced(by: -1) }
            guard runs(trip.known.service, on: date) else { continue }
            let startInstant = startInstant(trip, on: date)
            let signed = evidence.distance(startInstant: startInstant, duration: trip.known.duration)
            guard isNear(signed, date, evidence, today: today) else { continue }
            let (distance, lead) = (abs(signed), abs(startInstant &- evidence.time))
            if let best, (best.distance, best.lead) <= (distance, lead) { continue }
            best = (date, distance, lead)
        }
        return best?.date
    }

    /// Returns the date to which a decision without `start_date` refers: the one to which it referred when it first
    /// appeared or, if it is new, the one whose trip instance is under way or begins soon, or else the current date.
    /// If the trip does not run then, the last date before. Returns `nil` if several trip instances are possible.
    ///
    /// The current date precedes a nearer one: in the morning, yesterday's evening trip is nearer than today's, but
    /// over.
    private func dateOfDecision(_ trip: PlannedTrip, _ evidence: ServiceDateEvidence) -> ServiceDate? {
        switch evidence.known {
        case .date(let date)? where runs(trip.known.service, on: date) && !isNew(trip, on: date, evidence): return date
        case .ambiguous? where !evidence.isDifferential: return nil
        case .date?, .ambiguous?, nil: break
        }
        let current = currentDates(of: trip, evidence)
        if current.count > 1 { return nil }
        let today = today(trip, evidence)
        return current.first
            ?? (0...daysBack(trip)).lazy.map { today.advanced(by: -$0) }.first { runs(trip.known.service, on: $0) }
    }

    /// Whether a decision about a trip instance that is over is a new one: a differential message repeats nothing.
    private func isNew(_ trip: PlannedTrip, on date: ServiceDate, _ evidence: ServiceDateEvidence) -> Bool {
        let end = startInstant(trip, on: date) &+ Int64(max(0, trip.known.duration))
        return evidence.isDifferential && end < evidence.time
    }

    /// Returns the current date in the zone of a trip.
    private func today(_ trip: PlannedTrip, _ evidence: ServiceDateEvidence) -> ServiceDate {
        context.zones[trip.zone].civil(at: Instant(secondsSince1970: evidence.time)).date
    }

    /// Returns the number of days before the current date on which a trip that is under way can have begun.
    private func daysBack(_ trip: PlannedTrip) -> Int {
        min(Int(ServiceTime.maximum), max(0, Int(trip.start) + Int(trip.known.duration))) / 86_400 + 1
    }

    /// Returns the dates of the trip instances that are under way or begin within ``ServiceDateEvidence/nearStart``. A
    /// new decision without a date refers to one of them, if there is one.
    private func currentDates(of trip: PlannedTrip, _ evidence: ServiceDateEvidence) -> [ServiceDate] {
        let today = today(trip, evidence)
        return (-daysBack(trip)...1).map { today.advanced(by: $0) }.filter { date in
            guard runs(trip.known.service, on: date) else { return false }
            let start = startInstant(trip, on: date)
            return start <= evidence.time &+ ServiceDateEvidence.nearStart
                && evidence.time <= start &+ Int64(max(0, trip.known.duration))
        }
    }

    /// Returns whether a message without a date can refer to a trip that is `distance` seconds before the evidence
    /// (negative: after it).
    ///
    /// Stated times that match no trip do not select a trip, and times half a day away may belong to another date. A
    /// message can report a finished trip for the rest of the day, but can report tomorrow's trip only shortly before
    /// its start. A decision has no time to compare (``dateOfDecision(_:_:)``).
    private func isNear(_ distance: Int64, _ date: ServiceDate, _ evidence: ServiceDateEvidence, today: ServiceDate)
        -> Bool
    {
        switch evidence.kind {
        case .stated:
            ((date == today ? -ServiceDateEvidence.halfDay : -ServiceDateEvidence.maximumEarliness)...ServiceDateEvidence
                .halfDay).contains(distance)
        case .seen, .message: date <= today || distance >= -ServiceDateEvidence.maximumLead
        case .decision: false
        }
    }

    /// Returns the start of the trip on a service date, in seconds since 1970.
    private func startInstant(_ trip: PlannedTrip, on date: ServiceDate) -> Int64 {
        dayStart(date, zone: trip.zone) &+ Int64(trip.start)
    }

    /// Finds a trip by route, direction and start time (*Alternative trip matching*). Succeeds if exactly one trip
    /// matches.
    func tripInstance(byRoute descriptor: TripDescriptor, evidence: ServiceDateEvidence) throws -> Result<
        MatchedTrip, UnmatchedTrip
    > {
        guard let id = descriptor.routeID, let start = descriptor.startTime else { return .failure(.unidentified) }
        guard let route = route(id) else { return .failure(.unknownRoute) }
        var candidates: [MatchedTrip] = []
        var hasStart = false
        for number in try patterns(of: route) {
            let pattern = patterns[Int(number)].pattern
            if let direction = descriptor.direction, pattern.direction != direction { continue }
            let instances = PatternTripInstances(pattern)
            let starts = Int64(start.seconds)...Int64(start.seconds)
            for timingGroup in 0..<instances.timingGroupCount {
                for position in instances.positions(ofTimingGroup: timingGroup, startingIn: starts) {
                    let known = try trip(pattern: number, timingGroup: timingGroup, position: position)
                    if known.isFrequencyBased { continue }
                    hasStart = true
                    guard let date = date(of: known, descriptor, start: known.start, evidence: evidence) else {
                        continue
                    }
                    candidates.append(tripInstance(known, on: date, start: known.start, match: .route))
                }
            }
        }
        guard let first = candidates.first else { return .failure(hasStart ? .notRunning : .unknownStart) }
        return candidates.count == 1 ? .success(first) : .failure(.ambiguous)
    }
}

extension Frequency {
    /// Returns whether an instance starts at the given time.
    func starts(at time: Int32) -> Bool {
        time >= start && time < end && (time - start) % max(1, headway) == 0
    }

    /// Returns the start of the instance nearest to a time between ``start`` and ``end``.
    fileprivate func nearestStart(to time: Int32) -> Int32 {
        let headway = max(1, headway)
        let rounded = start + (time - start + headway / 2) / headway * headway
        return rounded < end ? rounded : rounded - headway
    }
}

/// Evidence in a message for the service date of a trip, other than `start_date`.
struct ServiceDateEvidence {
    /// The origin of the time.
    enum Kind {
        /// A time that the publisher states for a call. The time is evidence for the date on which the trip is
        /// scheduled near it.
        case stated
        /// The time of a vehicle position on the trip. The time is evidence for the date on which the trip is under way
        /// then.
        case seen
        /// The time of the message, minus its delay. This time is a hint rather than evidence.
        case message
        /// The time of a message that only takes service away: it cancels the trip or skips calls.
        case decision
    }

    let kind: Kind
    /// Seconds since 1970, clamped to the years up to 9999, the range of civil time.
    let time: Int64
    /// Seconds from the start of the trip to the scheduled time of the event at ``time``. `nil` if the trip is assumed
    /// to be under way at ``time``, or close to it.
    let offset: Int32?
    /// What the same decision meant in earlier messages; `nil` if it is new or is not a decision.
    let known: UndatedDecisions.Meaning?
    /// Whether the message states only what has changed (`DIFFERENTIAL`).
    let isDifferential: Bool

    /// The range of civil time, from 1970 to 9999, in seconds since 1970.
    static let validRange: ClosedRange<Int64> = 0...253_402_300_799

    /// The maximum number of seconds by which a stated departure may precede its scheduled time. No vehicle leaves an
    /// hour early, so an earlier time belongs to another day or another trip.
    static let maximumEarliness: Int64 = 3600
    /// Half a day in seconds. A time this far before or after a trip is equally near to the trip on an adjacent date.
    fileprivate static let halfDay: Int64 = 12 * 3600
    /// The maximum number of seconds before the start of tomorrow's trip at which its delay alone identifies the trip.
    /// Some publishers report early trips late in the evening.
    fileprivate static let maximumLead: Int64 = 6 * 3600
    /// A new decision can refer to a trip instance of any date that starts within this number of seconds.
    fileprivate static let nearStart: Int64 = 2 * 3600

    init(
        _ kind: Kind, time: Int64, offset: Int32? = nil, known: UndatedDecisions.Meaning? = nil,
        isDifferential: Bool = false
    ) {
        self.kind = kind
        self.known = known
        self.isDifferential = isDifferential
        self.time = min(max(Self.validRange.lowerBound, time), Self.validRange.upperBound)
        self.offset = offset
    }

    /// The number of seconds from the scheduled time to the evidence, negative if the evidence is earlier; 0 while the
    /// trip is under way.
    fileprivate func distance(startInstant: Int64, duration: Int32) -> Int64 {
        if let offset { return time &- (startInstant &+ Int64(offset)) }
        if time < startInstant { return time &- startInstant }
        return max(0, time &- (startInstant &+ Int64(max(0, duration))))
    }

    /// Whether this evidence fits a trip instance, that is, whether its time is between one hour before and two hours
    /// after the instance's scheduled time.
    fileprivate func fits(startInstant: Int64, duration: Int32) -> Bool {
        switch kind {
        case .stated, .seen:
            (-Self.maximumEarliness...TripProgressClock.maximumLateness).contains(
                distance(startInstant: startInstant, duration: duration))
        case .message, .decision: false
        }
    }

    /// Whether this evidence rules out a trip instance, because a vehicle cannot be that early.
    fileprivate func contradicts(startInstant: Int64, duration: Int32) -> Bool {
        switch kind {
        case .stated, .seen: distance(startInstant: startInstant, duration: duration) < -Self.maximumEarliness
        case .message, .decision: false
        }
    }
}
