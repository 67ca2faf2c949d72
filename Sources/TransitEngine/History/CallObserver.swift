internal import TransitModel

/// A call that is over, with what its source last reported about it.
struct ObservedCall {
    /// What happened to the call.
    enum Outcome: Equatable {
        /// The vehicle called this number of seconds late; negative if early.
        case served(delay: Int32)
        /// The trip was canceled, or the vehicle skipped the stop.
        case notServed
    }

    var pattern: Pattern
    /// The row of the trip among the trips of the pattern.
    var row: Int
    /// The position of the call in the pattern.
    var position: Int
    var key: TripInstanceKey
    /// The scheduled departure, or the arrival at the last call, in service time.
    var scheduled: Int32
    var outcome: Outcome
}

/// Finds the calls that ended between two messages of a source.
///
/// A time is what happened if the source stated it at most ``maximumLead`` seconds before, and the message after it
/// either still states it or no longer contains the call. Propagated, contradicted and refused times are not observed,
/// nor are copies of trips, trips without scheduled times and trips that are replaced.
struct CallObserver {
    /// A statement that was made longer than this number of seconds before its time is a prediction, not an observation.
    static let maximumLead: Int64 = 300
    /// A time is final this number of seconds after it, if the source still states it. Before, the source of a vehicle that
    /// is held at the stop moves the time with each message.
    static let settling: Int64 = 180
    /// A call that a message no longer contains is over if its last time was at most this number of seconds ahead.
    static let droppedAhead: Int64 = 120
    /// Nothing is observed across an interruption of more than this number of seconds.
    static let maximumGap: Int64 = 3600
    /// A delay outside this range is taken for an error of the source, in seconds.
    static let possibleDelays: ClosedRange<Int32> = -1200...7200
    /// A trip whose delay changes by this number of seconds from one message to the next is not believed for now.
    static let jump: Int32 = 1200

    private let previous: RealtimeDataset
    private let dataset: RealtimeDataset
    private let before: Int64
    private let now: Int64

    /// - Returns: `nil` if nothing can be observed between the two messages.
    init?(_ dataset: RealtimeDataset, after previous: RealtimeDataset) {
        before = min(previous.time, previous.received).secondsSince1970
        now = min(dataset.time, dataset.received).secondsSince1970
        guard before < now, now - before <= Self.maximumGap else { return nil }
        self.previous = previous
        self.dataset = dataset
    }

    /// Calls `body` with each call that ended since the previous message.
    ///
    /// - Returns: The trips whose delay jumped, of which no calls are visited.
    func visit(_ body: (ObservedCall) -> Void) -> [TripInstanceKey] {
        // A message has tens of thousands of trips, of which few are under way. Elements of a span are not copied.
        let (oldTrips, newTrips) = (previous.trips, dataset.trips)
        let (known, trips) = (oldTrips.span, newTrips.span)
        let calls = Calls(old: previous.calls, new: dataset.calls)
        let counts = previous.patterns.map { $0.stops.count }
        var jumped: [TripInstanceKey] = []
        var next = 0
        for position in known.indices {
            while next < trips.count, trips[next].key < known[position].key { next += 1 }
            let isKept = next < trips.count && trips[next].key == known[position].key
            let count = counts[Int(known[position].patternNumber)]
            guard
                isKept && isUnderWay(trips[next], count, in: calls.new)
                    || isUnderWay(known[position], count, in: calls.old)
            else { continue }
            if !isKept {
                visitMissing(known[position], count, calls, body)
            } else if hasJumped(known[position], trips[next], count, calls) {
                jumped.append(known[position].key)
            } else {
                visit(known[position], trips[next], count, calls, body)
            }
        }
        return jumped
    }

    /// The calls of both datasets.
    private struct Calls {
        var old: [RealtimeCall]
        var new: [RealtimeCall]
    }

    /// Whether the delay of a trip, at the first call for which the source states one, has changed by ``jump``.
    private func hasJumped(_ known: RealtimeTrip, _ trip: RealtimeTrip, _ count: Int, _ calls: Calls) -> Bool {
        let (first, newFirst) = (Int(known.firstCall), Int(trip.firstCall))
        guard let old = (0..<count).first(where: { Self.isStated(calls.old[first + $0]) }),
            let new = (0..<count).first(where: { Self.isStated(calls.new[newFirst + $0]) })
        else { return false }
        var change = calls.new[newFirst + new].departure - calls.old[first + old].departure
        if old != new || known.timingGroup != trip.timingGroup {
            let pattern = previous.pattern(of: known)
            change += pattern.times(timingGroup: Int(known.timingGroup), call: old).departure
            change -= pattern.times(timingGroup: Int(trip.timingGroup), call: new).departure
        }
        return abs(change) >= Self.jump
    }

    /// The delay in seconds at the first call for which the source states one.
    static func delay(of trip: RealtimeTrip, in dataset: RealtimeDataset) -> Int32? {
        let calls = dataset.calls(of: trip)
        guard let position = calls.firstIndex(where: isStated) else { return nil }
        let times = dataset.pattern(of: trip).times(
            timingGroup: Int(trip.timingGroup), call: position - calls.startIndex)
        return calls[position].departure - times.departure
    }

    /// Whether a call of the trip can have ended since the previous message.
    private func isUnderWay(_ trip: RealtimeTrip, _ count: Int, in calls: [RealtimeCall]) -> Bool {
        switch trip.kind {
        case .scheduled, .canceled, .deleted: break
        case .unscheduled, .replaced, .duplicated, .estimated: return false
        }
        guard !trip.areTimesRefused, count > 0 else { return false }
        let start = trip.startInstant.secondsSince1970
        // No trip is earlier. The times of later trips are not even read.
        guard start + Int64(Self.possibleDelays.lowerBound) <= now + Self.droppedAhead else { return false }
        let first = Int(trip.firstCall)
        return start + Int64(calls[first + count - 1].departure) > before - Self.settling
            && start + Int64(calls[first].departure) <= now + Self.droppedAhead
    }

    /// Visits the calls of a trip that both messages have.
    private func visit(
        _ known: RealtimeTrip, _ trip: RealtimeTrip, _ count: Int, _ calls: Calls, _ body: (ObservedCall) -> Void
    ) {
        guard trip.isRunning else { return visitNotServed(known, 0..<count, body) }
        let start = known.startInstant.secondsSince1970
        let (old, new) = (Int(known.firstCall), Int(trip.firstCall))
        for position in 0..<count {
            let call = calls.new[new + position]
            if call.isSkipped {
                visitNotServed(known, position..<(position + 1), body)
            } else if Self.isStated(call) {
                let time = Self.time(call, position, of: count)
                guard isPast(start + Int64(time)), isFact(start + Int64(time), trip, in: dataset) else { continue }
                visitServed(known, position, time, body)
            } else {
                visitDropped(known, calls.old[old + position], position, of: count, body)
            }
        }
    }

    /// Visits the calls of a trip that the new message lacks.
    private func visitMissing(
        _ known: RealtimeTrip, _ count: Int, _ calls: Calls, _ body: (ObservedCall) -> Void
    ) {
        guard known.isRunning else { return visitNotServed(known, 0..<count, body) }
        for position in 0..<count {
            let call = calls.old[Int(known.firstCall) + position]
            if call.isSkipped {
                visitNotServed(known, position..<(position + 1), body)
            } else {
                visitDropped(known, call, position, of: count, body)
            }
        }
    }

    /// Visits a call whose time only the previous message states.
    private func visitDropped(
        _ known: RealtimeTrip, _ call: RealtimeCall, _ position: Int, of count: Int, _ body: (ObservedCall) -> Void
    ) {
        guard Self.isStated(call) else { return }
        let time = Self.time(call, position, of: count)
        let moment = known.startInstant.secondsSince1970 + Int64(time)
        guard isDropped(moment), isFact(moment, known, in: previous) else { return }
        visitServed(known, position, time, body)
    }

    /// Visits a call that took place, unless its delay is impossible.
    ///
    /// - Parameter time: In seconds from the start of the trip.
    private func visitServed(_ known: RealtimeTrip, _ position: Int, _ time: Int32, _ body: (ObservedCall) -> Void) {
        let planned = planned(known, position)
        guard Self.possibleDelays.contains(time - planned) else { return }
        body(call(position, of: known, planned, .served(delay: time - planned)))
    }

    /// Visits those of some calls without service whose scheduled time has become final.
    private func visitNotServed(_ known: RealtimeTrip, _ positions: Range<Int>, _ body: (ObservedCall) -> Void) {
        for position in positions {
            let planned = planned(known, position)
            guard isPast(known.startInstant.secondsSince1970 + Int64(planned)) else { continue }
            body(call(position, of: known, planned, .notServed))
        }
    }

    private func planned(_ known: RealtimeTrip, _ position: Int) -> Int32 {
        previous.pattern(of: known).learnedTime(ofTimingGroup: Int(known.timingGroup), call: position)
    }

    private func call(
        _ position: Int, of known: RealtimeTrip, _ planned: Int32, _ outcome: ObservedCall.Outcome
    ) -> ObservedCall {
        let pattern = previous.pattern(of: known)
        return ObservedCall(
            pattern: pattern,
            row: pattern.tripRange(ofTimingGroup: Int(known.timingGroup)).lowerBound + Int(known.tripPosition),
            position: position, key: known.key, scheduled: known.start.seconds + planned, outcome: outcome)
    }

    static func isStated(_ call: RealtimeCall) -> Bool { call.basis == .stated && !call.isContradicted }

    /// The departure or, at the last call, the arrival, in seconds from the start of the trip.
    static func time(_ call: RealtimeCall, _ position: Int, of count: Int) -> Int32 {
        position == count - 1 ? call.arrival : call.departure
    }

    /// Whether a time has become final since the previous message.
    private func isPast(_ time: Int64) -> Bool { time > before - Self.settling && time <= now - Self.settling }

    /// Whether a time that the new message no longer states has come, as far as is known.
    private func isDropped(_ time: Int64) -> Bool { time > before - Self.settling && time <= now + Self.droppedAhead }

    /// Whether a statement was made so shortly before its time that it counts as an observation.
    private func isFact(_ time: Int64, _ trip: RealtimeTrip, in dataset: RealtimeDataset) -> Bool {
        let stated = min(trip.measured ?? dataset.reported(trip), dataset.received).secondsSince1970
        return time - stated <= Self.maximumLead
    }
}
