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
        var jumped: [TripInstanceKey] = []
        var next = 0
        for known in previous.trips {
            while next < dataset.trips.count, dataset.trips[next].key < known.key { next += 1 }
            let trip = next < dataset.trips.count && dataset.trips[next].key == known.key ? dataset.trips[next] : nil
            guard isUnderWay(known, in: previous) || trip.map({ isUnderWay($0, in: dataset) }) ?? false else {
                continue
            }
            if let trip, let old = Self.delay(of: known, in: previous), let new = Self.delay(of: trip, in: dataset),
                abs(old - new) >= Self.jump
            {
                jumped.append(known.key)
            } else {
                visit(known, trip, body)
            }
        }
        return jumped
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
    private func isUnderWay(_ trip: RealtimeTrip, in dataset: RealtimeDataset) -> Bool {
        switch trip.kind {
        case .scheduled, .canceled, .deleted: break
        case .unscheduled, .replaced, .duplicated, .estimated: return false
        }
        guard !trip.areTimesRefused else { return false }
        let calls = dataset.calls(of: trip)
        guard let first = calls.first, let last = calls.last else { return false }
        let start = trip.startInstant.secondsSince1970
        return start + Int64(first.departure) <= now + Self.droppedAhead
            && start + Int64(last.departure) > before - Self.settling
    }

    private func visit(_ known: RealtimeTrip, _ trip: RealtimeTrip?, _ body: (ObservedCall) -> Void) {
        let pattern = previous.pattern(of: known)
        let calls = previous.calls(of: known)
        let newer = trip.map { dataset.calls(of: $0) }
        let start = known.startInstant.secondsSince1970
        let times = pattern.times(ofTimingGroup: Int(known.timingGroup))
        let isLost = trip.map { !$0.isRunning } ?? !known.isRunning
        for position in 0..<calls.count {
            let planned = position == calls.count - 1 ? times[position].arrival : times[position].departure
            let outcome: ObservedCall.Outcome
            let old = calls[calls.startIndex + position]
            let new = newer.map { $0[$0.startIndex + position] }
            if isLost || (new ?? old).isSkipped {
                guard isPast(start + Int64(planned)) else { continue }
                outcome = .notServed
            } else if let trip, let new, Self.isStated(new) {
                let time = Self.time(new, position, of: calls.count)
                guard isPast(start + Int64(time)), isFact(start + Int64(time), trip, in: dataset) else { continue }
                outcome = .served(delay: time - planned)
            } else if Self.isStated(old) {
                let time = Self.time(old, position, of: calls.count)
                guard isDropped(start + Int64(time)), isFact(start + Int64(time), known, in: previous) else { continue }
                outcome = .served(delay: time - planned)
            } else {
                continue
            }
            if case .served(let delay) = outcome, !Self.possibleDelays.contains(delay) { continue }
            body(
                ObservedCall(
                    pattern: pattern,
                    row: pattern.tripRange(ofTimingGroup: Int(known.timingGroup)).lowerBound + Int(known.tripPosition),
                    position: position, key: known.key, scheduled: known.start.seconds + planned, outcome: outcome))
        }
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
