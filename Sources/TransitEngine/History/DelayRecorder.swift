public import TransitModel

/// Observes the messages of a feed's source and learns from them when departures really leave (``DelayHistory``).
public struct DelayRecorder: Sendable {
    /// The stops whose departures are learned one by one.
    public enum TrackedStops: Sendable {
        /// All stops, for a feed with few of them.
        case all
        /// The stops in use.
        case some(Set<StopIndex>)

        /// The maximum number of stops of a feed whose departures are all learned one by one.
        public static let maximumOfAll = 400
    }

    public private(set) var history: DelayHistory
    /// Predictions whose results are not yet known.
    private var samples: [SampleKey: Sample] = [:]
    /// The times until which trips whose delay has jumped are not believed, in seconds since 1970.
    private var jumped: [TripInstanceKey: Int64] = [:]
    private var lines: [TimetableTrips.RouteDirection: UInt32] = [:]
    private var stops: [StopIndex: UInt32] = [:]

    private struct SampleKey: Hashable {
        var trip: TripInstanceKey
        var position: Int16
        var distance: Int8

        /// The parts that usually differ, as one number, which is hashed faster.
        func hash(into hasher: inout Hasher) {
            hasher.combine(
                UInt64(trip.trip.rawValue) << 32 | UInt64(UInt16(bitPattern: position)) << 8
                    | UInt64(UInt8(bitPattern: distance)))
        }
    }

    private struct Sample {
        var prediction: PredictionHistory.Sample
        /// The predicted departure in seconds since 1970.
        var expected: Int64
    }

    /// The maximum number of predictions whose results are awaited.
    static let maximumSamples = 4096
    /// About this number of trips of a message are selected for judging predictions.
    private static let sampledTrips = 300
    /// The largest share of the trips that was selected, in parts of 1024. No other trip has samples.
    private var selectedShare: UInt32 = 0
    /// A trip whose delay has jumped is believed after this number of seconds without another jump.
    private static let jumpDuration: Int64 = 600
    /// If the median delay of three or more trips exceeds this number of seconds, the clock or zone of the source is wrong.
    private static let maximumMedian: Int32 = 1500

    public init(history: DelayHistory = DelayHistory()) { self.history = history }

    /// The approximate number of bytes of the history and of what is awaited.
    public var memoryEstimate: Int {
        history.memoryEstimate
            + samples.capacity * (MemoryLayout<SampleKey>.stride + MemoryLayout<Sample>.stride + 1)
            + stops.capacity * 12
    }

    /// Observes a message of trip updates.
    ///
    /// - Parameter previous: The dataset before the message; `nil` after a start.
    /// - Throws: the errors of the timetable.
    public mutating func observe(
        _ dataset: RealtimeDataset, after previous: RealtimeDataset?, in timetable: any TimetableLookup,
        tracking tracked: TrackedStops
    ) throws {
        guard let previous, let observer = CallObserver(dataset, after: previous), !Self.isClockWrong(dataset) else {
            return
        }
        let now = min(dataset.time, dataset.received).secondsSince1970
        var calls: [ObservedCall] = []
        for key in observer.visit({ calls.append($0) }) { jumped[key] = now + Self.jumpDuration }
        let services = timetable.context.services
        if !jumped.isEmpty { jumped = jumped.filter { $0.value > now } }
        var observations: [DelayHistory.Observation] = []
        observations.reserveCapacity(calls.count)
        for call in calls where jumped.isEmpty || jumped[call.key] == nil {
            guard let observation = try observation(of: call, in: timetable, services, tracked) else { continue }
            judgeSamples(call, observation)
            observations.append(observation)
        }
        if !observations.isEmpty { history.add(observations) }
        try takeSamples(of: dataset, at: now, in: timetable, tracked)
    }

    /// Observes a message of vehicle positions, of a source that sends no trip updates.
    ///
    /// - Throws: the errors of the timetable.
    public mutating func observeVehicles(
        _ dataset: RealtimeDataset, after previous: RealtimeDataset?, in timetable: any TimetableLookup,
        tracking tracked: TrackedStops
    ) throws {
        guard let previous else { return }
        var calls: [ObservedCall] = []
        try VehicleCallObserver(dataset, after: previous, in: timetable).visit { calls.append($0) }
        let services = timetable.context.services
        let observations = try calls.compactMap { try observation(of: $0, in: timetable, services, tracked) }
        if !observations.isEmpty { history.add(observations) }
    }

    /// Whether so many trips are so late or early that the source must be wrong.
    private static func isClockWrong(_ dataset: RealtimeDataset) -> Bool {
        let step = max(1, dataset.trips.count / 200)
        let delays = stride(from: 0, to: dataset.trips.count, by: step).compactMap { number in
            dataset.trips[number].isRunning ? CallObserver.delay(of: dataset.trips[number], in: dataset) : nil
        }.sorted()
        return delays.count >= 3 && abs(delays[delays.count / 2]) >= maximumMedian
    }

    private mutating func observation(
        of call: ObservedCall, in timetable: any TimetableLookup, _ services: [Service], _ tracked: TrackedStops
    ) throws -> DelayHistory.Observation? {
        guard let line = line(of: call.pattern, in: timetable) else { return nil }
        let kind = call.pattern.dayKind(ofRow: call.row, on: call.key.serviceDate, services)
        let stop = call.pattern.stop(at: call.position)
        let time = Int(call.scheduled)
        let isTracked = tracked.contains(stop)
        var observation = DelayHistory.Observation(
            key: .departure(line: line, stop: isTracked ? try hash(of: stop, in: timetable) : 0, kind, time: time),
            group: .group(
                line: line, position: call.position, of: call.pattern.callCount, kind, time: time),
            hasOwnEntry: isTracked, isInUse: tracked.isLimited && isTracked,
            day: Int(call.key.serviceDate.daysSince1970))
        if case .served(let delay) = call.outcome {
            observation.delay = Int(delay)
            history.predictions.countStatement(delay: Int(delay))
        }
        return observation
    }

    private mutating func line(of pattern: Pattern, in timetable: any TimetableLookup) -> UInt32? {
        let route = TimetableTrips.RouteDirection(route: pattern.route, direction: pattern.direction)
        if let known = lines[route] { return known }
        guard let id = timetable.routeID(pattern.route) else { return nil }
        let line = DelayKey.line(id, pattern.direction)
        lines[route] = line
        return line
    }

    private mutating func hash(of stop: StopIndex, in timetable: any TimetableLookup) throws -> UInt32 {
        if let known = stops[stop] { return known }
        let hash = DelayKey.stop(try timetable.stop(stop).id)
        stops[stop] = hash
        return hash
    }

    // MARK: Predictions

    private mutating func judgeSamples(_ call: ObservedCall, _ observation: DelayHistory.Observation) {
        guard !samples.isEmpty, Self.isSelected(call.key, share: selectedShare) else { return }
        for distance in PredictionHistory.distances.indices {
            let key = SampleKey(
                trip: call.key, position: Int16(clamping: call.position), distance: Int8(clamping: distance))
            guard let sample = samples.removeValue(forKey: key), let delay = observation.delay else { continue }
            history.predictions.add(sample.prediction, delay: delay, on: observation.day)
        }
    }

    /// Remembers what the message predicts, to be judged later.
    private mutating func takeSamples(
        of dataset: RealtimeDataset, at now: Int64, in timetable: any TimetableLookup, _ tracked: TrackedStops
    ) throws {
        if samples.count >= Self.maximumSamples { samples = samples.filter { $0.value.expected > now - 3600 } }
        let trips = dataset.trips
        let share = UInt32(min(1024, 1024 * Self.sampledTrips / max(trips.count, 1)))
        selectedShare = max(selectedShare, share)
        for position in trips.indices where Self.isSelected(trips[position].key, share: share) {
            guard trips[position].kind == .scheduled, trips[position].retention == 0,
                jumped.isEmpty || jumped[trips[position].key] == nil
            else { continue }
            guard samples.count < Self.maximumSamples else { return }
            try takeSamples(of: trips[position], in: dataset, at: now, timetable, tracked)
        }
    }

    /// Whether the predictions of a trip are judged.
    ///
    /// - Parameter share: The share of the trips that is selected, in parts of 1024.
    private static func isSelected(_ trip: TripInstanceKey, share: UInt32) -> Bool {
        (trip.trip.rawValue &* 0x9E37_79B1) >> 22 < share
    }

    private mutating func takeSamples(
        of trip: RealtimeTrip, in dataset: RealtimeDataset, at now: Int64, _ timetable: any TimetableLookup,
        _ tracked: TrackedStops
    ) throws {
        let calls = dataset.calls(of: trip)
        let pattern = dataset.pattern(of: trip)
        let start = trip.startInstant.secondsSince1970
        for position in 0..<calls.count {
            let call = calls[calls.startIndex + position]
            guard call.isExpected, !call.isContradicted, call.basis == .stated || call.basis == .propagated else {
                continue
            }
            let expected = CallObserver.time(call, position, of: calls.count)
            let distance = Int(start + Int64(expected) - now)
            guard distance > 0,
                let slot = PredictionHistory.slot(distance: distance, isStated: call.basis == .stated),
                distance <= PredictionHistory.judgedDistances[slot / 2]
            else { continue }
            let key = SampleKey(
                trip: trip.key, position: Int16(clamping: position), distance: Int8(clamping: slot / 2))
            guard samples[key] == nil else { continue }
            let planned = pattern.learnedTime(ofTimingGroup: Int(trip.timingGroup), call: position)
            let stating = call.basis == .propagated ? Int(call.statingCall) : position
            var sample = PredictionHistory.Sample(slot: slot, stated: Int(expected - planned))
            if let departure = try usual(trip, pattern, position, timetable, tracked),
                let here = try usual(trip, pattern, stating, timetable, tracked)
            {
                sample.usual = (here, departure)
            }
            samples[key] = Sample(prediction: sample, expected: start + Int64(expected))
        }
    }

    /// Returns the usual delay of a trip at a call; `nil` if nothing is known.
    private mutating func usual(
        _ trip: RealtimeTrip, _ pattern: Pattern, _ position: Int, _ timetable: any TimetableLookup,
        _ tracked: TrackedStops
    ) throws -> Int? {
        let stop = pattern.stop(at: position)
        guard tracked.contains(stop), let line = line(of: pattern, in: timetable) else { return nil }
        let row = pattern.tripRange(ofTimingGroup: Int(trip.timingGroup)).lowerBound + Int(trip.tripPosition)
        let kind = pattern.dayKind(ofRow: row, on: trip.key.serviceDate, timetable.context.services)
        let time = trip.start.seconds + pattern.learnedTime(ofTimingGroup: Int(trip.timingGroup), call: position)
        let key = DelayKey.departure(
            line: line, stop: try hash(of: stop, in: timetable), kind, time: Int(time))
        return history.entry(key).map { Int($0.usual.median) }
    }
}

extension DelayRecorder.TrackedStops {
    func contains(_ stop: StopIndex) -> Bool {
        switch self {
        case .all: true
        case .some(let stops): stops.contains(stop)
        }
    }

    fileprivate var isLimited: Bool {
        switch self {
        case .all: false
        case .some: true
        }
    }
}

// MARK: - New versions of the timetable

extension DelayRecorder {
    /// Continues with another version of the timetable. A departure whose scheduled time has changed inherits what was learned
    /// about the nearest departure of the same route at the same stop that the version no longer has.
    ///
    /// - Parameter version: The number of the version.
    /// - Throws: the errors of the timetable.
    public mutating func `continue`(with timetable: any TimetableLookup, version: Int) throws {
        samples = [:]
        jumped = [:]
        lines = [:]
        stops = [:]
        defer { history.version = UInt32(clamping: version) }
        guard !history.isEmpty, history.version != UInt32(clamping: version) else { return }
        let scheduled = try ScheduledDepartures(of: history, in: timetable)
        history.rename(scheduled.renamed(history))
    }
}

/// The scheduled times at the stops of a history, in one version of the timetable.
private struct ScheduledDepartures {
    /// A route and direction at a stop on a kind of day.
    private struct Board: Hashable {
        var line: UInt32
        var place: UInt32
        var kind: DayKind

        init(_ key: DelayKey) { (line, place, kind) = (key.line, key.place, key.dayKind) }
    }

    /// A departure inherits from another one that was at most this number of seconds earlier or later.
    private static let maximumShift = 900

    private var times: [Board: Set<Int>] = [:]
    private let kindsOfService: [Set<DayKind>]

    init(of history: DelayHistory, in timetable: any TimetableLookup) throws {
        kindsOfService = timetable.context.services.map(\.dayKinds)
        let boards = Set(history.keys.lazy.filter { !$0.isGroup }.map { Board($0) })
        let lines = Set(boards.map(\.line))
        for number in 0..<timetable.routeCount {
            let route = RouteIndex(number)
            guard let id = timetable.routeID(route) else { continue }
            let isKnown = [nil, Direction.zero, .one].contains { lines.contains(DelayKey.line(id, $0)) }
            guard isKnown else { continue }
            for pattern in try timetable.patterns(of: route) { try add(pattern, id, boards, timetable) }
        }
    }

    private mutating func add(
        _ pattern: Pattern, _ route: RouteID, _ boards: Set<Board>, _ timetable: any TimetableLookup
    ) throws {
        let line = DelayKey.line(route, pattern.direction)
        let starts = pattern.column(.starts)
        func kinds(_ service: Int) -> Set<DayKind> {
            kindsOfService.indices.contains(service) ? kindsOfService[service] : []
        }
        for position in 0..<pattern.callCount {
            let stop = DelayKey.stop(try timetable.stop(pattern.stop(at: position)).id)
            for group in 0..<pattern.timingGroupCount {
                let offset = pattern.learnedTime(ofTimingGroup: group, call: position)
                for row in pattern.tripRange(ofTimingGroup: group) {
                    for kind in kinds(pattern.service(row).position) {
                        let key = DelayKey.departure(line: line, stop: stop, kind, time: Int(starts[row] + offset))
                        if boards.contains(Board(key)) { self.times[Board(key), default: []].insert(key.time) }
                    }
                }
            }
        }
    }

    /// Returns the new keys of departures that this version no longer has.
    func renamed(_ history: DelayHistory) -> [DelayKey: DelayKey] {
        let departures = history.keys.filter { !$0.isGroup }
        var names: [DelayKey: DelayKey] = [:]
        for (board, keys) in Dictionary(grouping: departures, by: Board.init) {
            guard let times = times[board] else { continue }
            let known = Set(keys.map(\.time))
            var free = times.subtracting(known)
            let gone = keys.filter { !times.contains($0.time) }
            // The nearest pairs first, so that a departure does not take the place of another one.
            let pairs = gone.flatMap { key in
                free.filter { abs($0 - key.time) <= Self.maximumShift }.map { (key, $0) }
            }.sorted { (abs($0.1 - $0.0.time), $0.0.time, $0.1) < (abs($1.1 - $1.0.time), $1.0.time, $1.1) }
            for (key, time) in pairs where names[key] == nil && free.remove(time) != nil {
                names[key] = key.at(time)
            }
        }
        return names
    }
}
