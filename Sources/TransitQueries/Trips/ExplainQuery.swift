package import TransitEngine
internal import TransitModel
package import TransitStore

/// One departure, merged from both feeds of its agency, with the facts from which it was derived.
package struct ExplainQuery {
    package let feed: FeedView
    package let timetable: Timetable
    private let call: ExpectedCall

    /// - Parameter text: The identifier of a departure (``DepartureID``), or a text that ``DepartureTextFinder`` accepts.
    /// - Throws: ``QueryError/departureNotFound(_:)``, ``QueryError/departureAmbiguous(_:_:)``, ``QueryError/feedNotFound(_:known:)``,
    ///   ``QueryError/noData(_:)``, and `StoreError`.
    package init(_ text: String, _ context: QueryContext) throws {
        let id = try DepartureID(text) ?? DepartureTextFinder(context).find(text)
        feed = try context.feed(id.feed)
        timetable = try QueryContext.timetables(of: [feed])[0]
        let finder = DepartureFinder(timetable, realtime: feed.realtime, now: context.now)
        guard let call = try finder.find(id) else { throw QueryError.departureNotFound(text) }
        self.call = call
    }

    /// Returns the departure, merged from both feeds of its agency.
    package func departure(_ context: QueryContext) throws(StoreError) -> MergedDeparture {
        try context.merged(call, of: timetable)
    }

    /// Returns the departure and the arrival at a later stop of its trip, merged from both feeds of the agency; `nil` if the
    /// trip does not call there.
    func ride(
        to stop: StopID, _ context: QueryContext
    ) throws(StoreError) -> (departure: MergedDeparture, arrival: ExpectedCall)? {
        guard let stop = try timetable.file.stop(id: stop), let arrival = laterCall(at: stop, context) else {
            return nil
        }
        return try context.mergedRide(call, arrival, of: timetable)
    }

    private func laterCall(at stop: StopIndex, _ context: QueryContext) -> ExpectedCall? {
        let realtime = context.realtime(timetable)
        switch call.subject {
        case .scheduled(let scheduled):
            let key = call.tripInstance ?? TripInstanceKey(scheduled)
            for position in scheduled.pattern.calls.indices where position > scheduled.position {
                let later = ScheduledCall(
                    key, pattern: scheduled.pattern, timingGroup: scheduled.timingGroup,
                    tripPosition: scheduled.tripPosition, position: position,
                    zone: timetable.zone(of: scheduled.pattern.route))
                let expected =
                    realtime.map { $0.expected(later, of: key, now: context.now) } ?? ExpectedCall(scheduled: later)
                if let expected, expected.stop == stop || expected.scheduledStop == stop { return expected }
            }
            return nil
        case .extra(let trip, let position):
            let later = trip.calls.indices.first { $0 > position && trip.calls[$0].stop == stop }
            return later.flatMap { later in
                realtime?.extraCall(
                    trip: trip.name, date: trip.serviceDate, sequence: trip.calls[later].sequence ?? 0,
                    now: context.now)
            }
        }
    }

    package func result(_ context: QueryContext) throws(StoreError) -> ExplainedDeparture {
        let merged = try departure(context)
        func source(
            _ call: ExpectedCall, _ timetable: Timetable, isShown: Bool
        ) throws(StoreError) -> ExplainedDeparture.Source {
            let realtime = context.realtime(timetable) ?? RealtimeDatasets()
            var facts = realtime.explain(call, now: context.now).facts
            if let scheduled = call.scheduledCall,
                realtime.hasAmbiguousCancellation(of: try timetable.file.trip(scheduled.trip).id)
            {
                facts.insert(.ambiguousDate, at: 0)
            }
            return ExplainedDeparture.Source(
                feed: context.feed(of: timetable) ?? feed, timetable: timetable, call: call, isShown: isShown,
                facts: facts)
        }
        let other = merged.confirmation
        let own = try source(
            merged.call(in: merged.timetable) ?? call, merged.timetable, isShown: other?.isUsed != true)
        return ExplainedDeparture(
            merged: merged, own: own,
            other: try other.map { (other) throws(StoreError) in
                try source(other.call, other.timetable, isShown: other.isUsed)
            })
    }
}

/// A departure with the facts from which it was derived.
package struct ExplainedDeparture {
    package var merged: MergedDeparture
    /// What the departure's own feed states.
    package var own: Source
    /// What the agency's other feed states; `nil` if it does not have the departure.
    package var other: Source?

    /// A departure in one feed, before merging.
    package struct Source {
        package var feed: FeedView
        package var timetable: Timetable
        package var call: ExpectedCall
        /// Whether the departure shows this feed's data.
        package var isShown: Bool
        package var facts: [Explanation.Fact]
    }

    /// The feed whose data is shown.
    package var shown: Source { other.flatMap { $0.isShown ? $0 : nil } ?? own }
}

/// Finds the call to which a departure's identifier refers, in the timetable or in the realtime data.
private struct DepartureFinder {
    private let timetable: Timetable
    private let realtime: RealtimeDatasets?
    private let now: Instant

    init(_ timetable: Timetable, realtime: RealtimeDatasets?, now: Instant) {
        self.timetable = timetable
        self.realtime = realtime
        self.now = now
    }

    func find(_ id: DepartureID) throws(StoreError) -> ExpectedCall? {
        if let index = try timetable.file.trip(id: id.trip), let place = try timetable.file.locate(index),
            let position = place.pattern.calls.firstIndex(where: { $0.sequence == id.sequence })
        {
            var key = TripInstanceKey(pattern: place.pattern.index, trip: index, serviceDate: id.date)
            key.frequencyStart = id.start
            let call = ScheduledCall(
                key, pattern: place.pattern, timingGroup: place.timingGroup, tripPosition: place.position,
                position: position,
                zone: timetable.zone(of: place.pattern.route))
            let expected = realtime.map { $0.expected(call, of: key, now: now) } ?? ExpectedCall(scheduled: call)
            let isRepeated = place.pattern.frequencies(ofTimingGroup: place.timingGroup).contains {
                Int($0.trip) == place.position
            }
            // Only a copy of a trip without frequencies has a start time of its own.
            if id.start != nil, !isRepeated, expected?.duplicateStart == nil { return nil }
            guard expected?.status == .replaced else { return expected }
            // The replacement trip has the same identifier.
            return realtime?.extraCall(trip: id.trip, date: id.date, sequence: id.sequence, now: now) ?? expected
        }
        return realtime?.extraCall(trip: id.trip, date: id.date, sequence: id.sequence, now: now)
    }
}
