internal import TransitModel

// Finds a trip by its scheduled times if the timetable lacks its identifier. Train numbers change from one timetable
// version to the next, and publishers change their realtime data and their timetables on different days.

extension TripMatcher {
    /// The maximum difference between a stated scheduled time and the timetable, in seconds.
    static let scheduleTolerance: Int64 = 120
    /// The maximum number of calls of an update that are compared.
    private static let maximumComparedTimes = 64

    /// The scheduled time of a trip at a stop, as stated by a message (`scheduled_time`).
    private struct ScheduledStopTime {
        var stop: StopIndex
        /// Seconds since 1970.
        var time: Int64
        var isArrival: Bool

        func time(in times: CallTimes) -> Int64 { Int64(isArrival ? times.arrival : times.departure) }
    }

    /// Returns the only trip instance that calls at every known stop of the update within two minutes of the scheduled
    /// time that the update states. If the descriptor names a known route, a direction or a service date, the trip must
    /// match it.
    ///
    /// Fails with ``UnmatchedTrip/unknownTrip`` if no trip matches or the update has no scheduled times, and with
    /// ``UnmatchedTrip/ambiguous`` if several match.
    func tripInstance(bySchedule update: TripUpdate) throws -> Result<MatchedTrip, UnmatchedTrip> {
        let stopTimes = try stopTimes(of: update)
        guard let first = stopTimes.first else { return .failure(.unknownTrip) }
        var found: MatchedTrip?
        for visit in try visits(at: first.stop) where fits(update.trip, pattern: visit.pattern) {
            for instance in try runs(of: update.trip, at: visit, stopTime: first) where isMeant(instance, by: stopTimes)
            {
                // A trip that visits the stop twice within the tolerance is included once.
                if let found, found.key != instance.key { return .failure(.ambiguous) }
                found = instance
            }
        }
        guard let found else { return .failure(.unknownTrip) }
        cache(found, reportedAs: update.trip)
        return .success(found)
    }

    private func stopTimes(of update: TripUpdate) throws -> [ScheduledStopTime] {
        var stopTimes: [ScheduledStopTime] = []
        for call in update.updates {
            guard stopTimes.count < Self.maximumComparedTimes else { break }
            guard let time = call.departure?.scheduledTime ?? call.arrival?.scheduledTime,
                let stop = try call.stopID.flatMap({ try self.stop($0) }),
                ServiceDateEvidence.validRange.contains(time.secondsSince1970)
            else { continue }
            stopTimes.append(
                ScheduledStopTime(
                    stop: stop, time: time.secondsSince1970, isArrival: call.departure?.scheduledTime == nil))
        }
        return stopTimes
    }

    private func fits(_ descriptor: TripDescriptor, pattern number: Int32) -> Bool {
        let pattern = patterns[Int(number)].pattern
        if let route = descriptor.routeID.flatMap({ route($0) }), route != pattern.route { return false }
        guard let stated = descriptor.direction, let direction = pattern.direction else { return true }
        return stated == direction
    }

    /// Returns the trip instances of a pattern that are scheduled at the call near the stated time.
    private func runs(of descriptor: TripDescriptor, at visit: StopVisit, stopTime: ScheduledStopTime) throws
        -> [MatchedTrip]
    {
        let realtime = patterns[Int(visit.pattern)]
        let dates = descriptor.startDate.map { [$0] } ?? dates(around: stopTime.time, zone: realtime.zone)
        let timingGroups = PatternTripInstances(realtime.pattern)
        var runs: [MatchedTrip] = []
        for timingGroup in 0..<timingGroups.timingGroupCount {
            let offset = stopTime.time(in: realtime.pattern.times(timingGroup: timingGroup, call: visit.position))
            for date in dates {
                let start = stopTime.time &- dayStart(date, zone: realtime.zone) &- offset
                let starts = (start - Self.scheduleTolerance)...(start + Self.scheduleTolerance)
                for position in timingGroups.positions(ofTimingGroup: timingGroup, startingIn: starts) {
                    let known = try trip(pattern: visit.pattern, timingGroup: timingGroup, position: position)
                    if known.isFrequencyBased || !self.runs(known.service, on: date) { continue }
                    runs.append(tripInstance(known, on: date, start: known.start, match: .scheduledTimes))
                }
            }
        }
        return runs
    }

    /// Returns the service dates that may have a call at the given time.
    private func dates(around time: Int64, zone: Int) -> [ServiceDate] {
        let today = context.zones[zone].civil(at: Instant(secondsSince1970: time)).date
        let daysBack = max(0, Int(context.latestStopTime.seconds)) / 86_400 + 1
        return (-daysBack...1).map { today.advanced(by: $0) }
    }

    private func isMeant(_ instance: MatchedTrip, by stopTimes: [ScheduledStopTime]) -> Bool {
        let realtime = patterns[Int(instance.known.patternNumber)]
        let times = realtime.pattern.times(ofTimingGroup: Int(instance.known.timingGroup))
        return stopTimes.allSatisfy { stopTime in
            realtime.stops.indices.contains { call in
                realtime.stops[call] == stopTime.stop
                    && abs(instance.startInstant &+ stopTime.time(in: times[call]) &- stopTime.time)
                        <= Self.scheduleTolerance
            }
        }
    }
}
