public import TransitModel

extension JourneyFeed {
    /// Returns the stops of a leg from the boarding to the alighting, as the timetable has them, or the message of a trip that the
    /// timetable lacks.
    ///
    /// - Parameter pattern: Returns a pattern of the timetable.
    public func stops<Failure: Error>(
        of leg: FoundJourney.Leg, pattern: (PatternIndex) throws(Failure) -> Pattern
    ) throws(Failure) -> [StopIndex] {
        let stops: [StopIndex]
        if case .extra(let view, let number, _) = leg.source {
            stops = realtime?.views[view].dataset.extraTrips[number].calls.map(\.stop) ?? []
        } else {
            guard let index = leg.pattern else { return [] }
            stops = try pattern(index).calls.map(\.stop)
        }
        guard leg.board <= leg.alight, leg.alight < stops.count else { return [] }
        return Array(stops[leg.board...leg.alight])
    }

    /// Returns the calls where riders board and alight, with realtime data applied as on a board.
    ///
    /// - Parameters:
    ///   - leg: A leg that a search in this feed found.
    ///   - pattern: Returns a pattern of the timetable.
    /// - Returns: `nil` if the leg does not fit the pattern.
    public func calls<Failure: Error>(
        of leg: FoundJourney.Leg, pattern: (PatternIndex) throws(Failure) -> Pattern
    ) throws(Failure) -> (departure: ExpectedCall, arrival: ExpectedCall)? {
        switch leg.source {
        case .scheduled(let trip, let timingGroup, let instance, let day):
            guard let index = leg.pattern else { return nil }
            let pattern = try pattern(index)
            guard timingGroup < pattern.timingGroupCount, leg.alight < pattern.callCount else { return nil }
            let position = trip - pattern.firstTrip(ofTimingGroup: timingGroup).position
            guard position >= 0, position < pattern.tripRange(ofTimingGroup: timingGroup).count,
                instance.frequency < 0
                    || Int(instance.frequency) < pattern.frequencies(ofTimingGroup: timingGroup).count
            else { return nil }
            let repetition = TripInstance(
                trip: Int32(position), start: instance.start, frequency: instance.frequency)
            func call(_ position: Int) -> ExpectedCall {
                let call = ScheduledCall(
                    pattern: pattern, timingGroup: timingGroup, instance: repetition, position: position, day: day)
                return realtime.map { $0.views.realtime.scheduled(call, now: $0.views.now) }
                    ?? ExpectedCall(scheduled: call)
            }
            return (call(leg.board), call(leg.alight))
        case .reported(let view, let number):
            guard let views = realtime?.views else { return nil }
            let builder = ExpectedCallBuilder(views, view: view)
            return (
                builder.expected(instance: number, position: leg.board),
                builder.expected(instance: number, position: leg.alight)
            )
        case .extra(let view, let number, _):
            guard let views = realtime?.views else { return nil }
            let builder = ExpectedCallBuilder(views, view: view)
            return (
                builder.expected(extra: number, position: leg.board),
                builder.expected(extra: number, position: leg.alight)
            )
        }
    }
}
