public import TransitModel

/// Changes of a source with differential messages that were not received, for example while the daemon was not running.
///
/// Each differential message mentions only what has changed, so data that is lost is not repeated. Until the source has
/// sent a full dataset, or has mentioned each trip that was under way, a trip without data is not known to be missing.
public struct LostChanges: Hashable, Sendable {
    /// The time from which changes may be lost.
    public var since: Instant
    /// The trips that were under way when the source was first heard again and that it has not mentioned since, with
    /// the times at which they end.
    public var pending: [TripInstanceKey: Instant]

    public init(since: Instant, pending: [TripInstanceKey: Instant]) {
        self.since = since
        self.pending = pending
    }

    /// Returns the lost changes after a message; `nil` if each trip has been mentioned or is over.
    func after(mentioning trips: some Sequence<TripInstanceKey>, at now: Instant) -> LostChanges? {
        var rest = self
        for trip in trips { rest.pending[trip] = nil }
        rest.pending = rest.pending.filter { $0.value >= now }
        return rest.pending.isEmpty ? nil : rest
    }
}

extension LostChanges {
    /// Returns the trips that are under way according to the timetable, with the times at which they end.
    ///
    /// - Parameter patterns: all patterns of the timetable.
    public static func tripsUnderWay(
        on patterns: some Sequence<Pattern>, _ context: TimetableCalendar, at now: Instant
    ) -> [TripInstanceKey: Instant] {
        var found: [TripInstanceKey: Instant] = [:]
        let days = context.zones.map { ServiceDays(zone: $0, at: now, latestStopTime: context.latestStopTime) }
        var services = ActiveServiceCache(services: context.services)
        for pattern in patterns where pattern.callCount > 1 {
            let days = days[context.zonePosition(of: pattern.route)]
            for back in 0...days.daysBeforeToday {
                let date = days.today.advanced(by: -back)
                let dayStart = days.zone.serviceDayStart(date)
                services.begin(date)
                addTripsUnderWay(on: pattern, date, since: dayStart.seconds(to: now), &services) { key, end in
                    if found.count < RealtimeLimits.tripUpdates { found[key] = dayStart.advanced(by: end) }
                }
            }
        }
        return found
    }

    /// - Parameters:
    ///   - seconds: The current time in seconds since the start of the service date.
    ///   - add: Called with each trip under way and its end in seconds since the start of the service date.
    private static func addTripsUnderWay(
        on pattern: Pattern, _ date: ServiceDate, since seconds: Int, _ services: inout ActiveServiceCache,
        add: (TripInstanceKey, Int) -> Void
    ) {
        let starts = pattern.column(.starts)
        for group in 0..<pattern.timingGroupCount {
            let duration = max(0, Int(pattern.duration(ofTimingGroup: group)))
            let frequencies = Dictionary(grouping: pattern.frequencies(ofTimingGroup: group)) { Int($0.trip) }
            for (position, row) in pattern.tripRange(ofTimingGroup: group).enumerated() {
                let trip = pattern.trip(timingGroup: group, position: position)
                let repetitions = frequencies[position] ?? []
                guard services.runs(pattern.service(row)) else { continue }
                guard repetitions.isEmpty else {
                    for frequency in repetitions where frequency.headway > 0 {
                        let (first, headway) = (Int(frequency.start), Int(frequency.headway))
                        // The earliest repetition that has not ended.
                        let skipped = max(0, (seconds - duration - first + headway - 1) / headway)
                        let latest = min(seconds, Int(frequency.end) - 1)
                        for start in stride(from: first + skipped * headway, through: latest, by: headway) {
                            add(
                                TripInstanceKey(
                                    pattern: pattern.index, trip: trip, serviceDate: date,
                                    frequencyStart: ServiceTime(seconds: Int32(clamping: start))), start + duration)
                        }
                    }
                    continue
                }
                let start = Int(starts[row])
                guard (start...start + duration).contains(seconds) else { continue }
                add(TripInstanceKey(pattern: pattern.index, trip: trip, serviceDate: date), start + duration)
            }
        }
    }
}
