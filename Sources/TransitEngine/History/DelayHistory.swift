internal import TransitModel

/// What has been learned about the delays of one feed: a histogram for each departure of the stops in use and for each part
/// of the other routes, and how good the source's predictions are. Nothing in it is personal.
///
/// It takes at most about 1.3 MB, in memory and on disk. A copy is cheap; the contents are shared until one of them changes.
public struct DelayHistory: Hashable, Sendable {
    /// What is known about the delays of the departures with one ``DelayKey``.
    struct Entry: Hashable, Sendable {
        var sketch = DelaySketch<UInt8>()
        /// The last day with an observation, in days since 1970.
        var lastDay: UInt16 = 0
        /// The number of days with observations, at most 255.
        var days: UInt8 = 0
        /// The weight of the canceled and skipped departures, on the scale of the sketch.
        var notServed: UInt8 = 0
        /// The usual delay, computed when the sketch last changed; meaningless for groups.
        var usual = DelayQuantiles()
    }

    /// Entries of departures and of groups beyond these numbers are not kept.
    static let maximumDepartures = 14_000
    static let maximumGroups = 6_000
    /// An entry without an observation for this number of days can be replaced.
    static let maximumAge = 240
    /// The number of days from which a usual delay is stated.
    static let minimumDays: UInt8 = 10

    /// Ascending, without duplicates.
    private(set) var keys: [DelayKey] = []
    /// Parallel to ``keys``.
    private(set) var entries: [Entry] = []
    /// The number of the version of the timetable to which the scheduled times belong; 0 before the first.
    var version: UInt32 = 0
    /// How good the predictions of the source are.
    var predictions = PredictionHistory()

    public init() {}

    init(keys: [DelayKey], entries: [Entry], version: UInt32, predictions: PredictionHistory) {
        self.keys = keys
        self.entries = entries
        self.version = version
        self.predictions = predictions
    }

    /// Whether nothing has been learned.
    public var isEmpty: Bool { keys.isEmpty }

    /// The number of departures about which enough is known to state a usual delay.
    public var knownDepartures: Int {
        zip(keys, entries).count { !$0.isGroup && $1.days >= Self.minimumDays }
    }

    /// The number of bytes in memory.
    public var memoryEstimate: Int {
        keys.capacity * MemoryLayout<DelayKey>.stride + entries.capacity * MemoryLayout<Entry>.stride
    }

    // MARK: Queries

    func entry(_ key: DelayKey) -> Entry? { index(of: key).map { entries[$0] } }

    func index(of key: DelayKey) -> Int? {
        let position = insertionIndex(of: key)
        return position < keys.count && keys[position] == key ? position : nil
    }

    private func insertionIndex(of key: DelayKey) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the entries of a route and direction.
    func entries(ofLine line: UInt32) -> (keys: ArraySlice<DelayKey>, entries: ArraySlice<Entry>) {
        let first = insertionIndex(of: DelayKey(line: line, place: 0, slot: 0))
        var end = first
        while end < keys.count, keys[end].line == line { end += 1 }
        return (keys[first..<end], entries[first..<end])
    }

    /// Returns the delays of a departure on days of its kind, with some evidence of other kinds of days and of the group;
    /// `nil` without evidence.
    func distribution(of key: DelayKey, group: DelayKey, on day: Int) -> DelayDistribution? {
        var all = DelayDistribution()
        if let own = entry(key) { all.add(own.sketch, on: day) }
        let one = DelaySketch<UInt8>.weight(on: day)
        for kind in key.dayKind.similar {
            if let other = entry(key.on(kind)) { all.add(other.sketch, on: day, atMost: 6 * one, part: 2) }
        }
        if let group = entry(group) { all.add(group.sketch, on: day, atMost: one) }
        return all.total > 0 ? all : nil
    }

    // MARK: Changes

    /// An observation of a call.
    struct Observation {
        var key: DelayKey
        var group: DelayKey
        /// Whether the departure has an entry of its own, rather than only its group.
        var hasOwnEntry: Bool
        /// Whether the stop is in use, so that its departures replace those of other stops.
        var isInUse: Bool
        /// The day of the service date, in days since 1970.
        var day: Int
        /// In seconds; `nil` if the vehicle did not serve the stop.
        var delay: Int?
    }

    /// Adds observations, and judges what was stated about them before.
    mutating func add(_ observations: [Observation]) {
        var counts: Counts?
        var added: [DelayKey: Entry] = [:]
        for observation in observations {
            if observation.hasOwnEntry {
                judge(observation)
                update(observation.key, with: observation, &added, &counts)
            }
            update(observation.group, with: observation, &added, &counts)
        }
        merge(added)
        for observation in observations where observation.hasOwnEntry { summarize(observation) }
        if let counts {
            removeExcess(counts, keeping: Set(observations.lazy.filter(\.isInUse).map(\.key.place)))
        }
    }

    /// The numbers of entries while observations are added, from the first one without an entry.
    private struct Counts {
        var departures = 0
        var groups = 0

        init(_ history: DelayHistory) {
            groups = history.keys.count { $0.isGroup }
            departures = history.keys.count - groups
        }
    }

    /// Compares a departure with its usual delay as it was stated before.
    private mutating func judge(_ observation: Observation) {
        guard let delay = observation.delay, let known = entry(observation.key), known.days >= Self.minimumDays else {
            return
        }
        predictions.judgeUsual(known.usual, delay: delay, on: observation.day)
    }

    private mutating func update(
        _ key: DelayKey, with observation: Observation, _ added: inout [DelayKey: Entry], _ known: inout Counts?
    ) {
        if let position = index(of: key) {
            entries[position].add(observation)
        } else if added[key] != nil {
            added[key]?.add(observation)
        } else {
            var counts = known ?? Counts(self)
            defer { known = counts }
            let isFull =
                key.isGroup
                ? counts.groups >= Self.maximumGroups
                : counts.departures >= Self.maximumDepartures && !observation.isInUse
            guard !isFull else { return }
            if key.isGroup { counts.groups += 1 } else { counts.departures += 1 }
            added[key] = Entry()
            added[key]?.add(observation)
        }
    }

    private mutating func merge(_ added: [DelayKey: Entry]) {
        guard !added.isEmpty else { return }
        let new = added.sorted { $0.key < $1.key }
        var (mergedKeys, mergedEntries): ([DelayKey], [Entry]) = ([], [])
        mergedKeys.reserveCapacity(keys.count + new.count)
        mergedEntries.reserveCapacity(keys.count + new.count)
        var next = 0
        for position in keys.indices {
            while next < new.count, new[next].key < keys[position] {
                mergedKeys.append(new[next].key)
                mergedEntries.append(new[next].value)
                next += 1
            }
            mergedKeys.append(keys[position])
            mergedEntries.append(entries[position])
        }
        for (key, entry) in new[next...] {
            mergedKeys.append(key)
            mergedEntries.append(entry)
        }
        (keys, entries) = (mergedKeys, mergedEntries)
    }

    private mutating func summarize(_ observation: Observation) {
        guard observation.delay != nil, let position = index(of: observation.key),
            let all = distribution(of: observation.key, group: observation.group, on: observation.day)
        else { return }
        entries[position].usual = DelayQuantiles(all, levels: predictions.usualLevels)
    }

    /// Removes departures beyond the maximum: first those not observed for long, then those at stops that are not in use,
    /// then those whose last observation is the oldest.
    private mutating func removeExcess(_ counts: Counts, keeping stops: Set<UInt32>) {
        let excess = counts.departures - Self.maximumDepartures
        guard excess > 0 else { return }
        let newest = entries.lazy.map(\.lastDay).max() ?? 0
        func rank(_ position: Int) -> Int {
            let age = Int(newest) - Int(entries[position].lastDay)
            return (stops.contains(keys[position].place) ? 0 : 100_000) + age
                + (age > Self.maximumAge ? 200_000 : 0)
        }
        let departures = keys.indices.filter { !keys[$0].isGroup }
        let removed = Set(departures.sorted { rank($0) > rank($1) }.prefix(excess))
        let kept = keys.indices.filter { !removed.contains($0) }
        (keys, entries) = (kept.map { keys[$0] }, kept.map { entries[$0] })
    }

    /// Gives departures new keys, such as those of a new version of the timetable. The entry of a departure that has the new
    /// key already stays.
    mutating func rename(_ names: [DelayKey: DelayKey]) {
        guard !names.isEmpty else { return }
        var all = Dictionary(uniqueKeysWithValues: zip(keys, entries))
        for (old, new) in names.sorted(by: { $0.key < $1.key }) where all[new] == nil {
            all[new] = all.removeValue(forKey: old)
        }
        keys = all.keys.sorted()
        entries = keys.compactMap { all[$0] }
    }
}

extension DelayHistory {
    /// The last day with an observation of any departure.
    var newestDay: Int { Int(entries.lazy.map(\.lastDay).max() ?? 0) }
}

extension DelayHistory.Entry {
    /// The number of days after the last observation from which the evidence is too old to be stated.
    private static let lifetime = 90

    /// Whether enough is known to state a usual delay on a day.
    func isKnown(on day: Int) -> Bool {
        days >= DelayHistory.minimumDays && day - Int(lastDay) <= Self.lifetime
    }

    fileprivate mutating func add(_ observation: DelayHistory.Observation) {
        let day = UInt16(clamping: observation.day)
        if day > lastDay || days == 0 {
            lastDay = day
            days = days == .max ? .max : days + 1
        }
        if let delay = observation.delay {
            let before = sketch.period
            sketch.add(delay, on: observation.day)
            // Both fade together.
            notServed >>= min(sketch.period - (before == 0 ? sketch.period : before), 7)
        } else {
            let (sum, isFull) = notServed.addingReportingOverflow(UInt8(DelaySketch<UInt8>.weight(on: observation.day)))
            notServed = isFull ? .max : sum
        }
    }
}

/// Quantiles of a distribution of delays, in seconds.
struct DelayQuantiles: Hashable, Sendable {
    /// The delay that 95 of 100 departures exceed, on which advice to leave rests.
    var careful: Int16 = 0
    /// The lower end of the stated range, which nine of ten departures exceed.
    var low: Int16 = 0
    var median: Int16 = 0
    /// The upper end of the stated range, which one of ten departures exceeds.
    var high: Int16 = 0

    init() {}

    init(careful: Int16, low: Int16, median: Int16, high: Int16) {
        (self.careful, self.low, self.median, self.high) = (careful, low, median, high)
    }

    /// - Parameter levels: The levels of the lower and of the upper end, in parts of 1000.
    init(_ distribution: DelayDistribution, levels: RangeLevels) {
        func seconds(_ delay: Int?) -> Int16 { Int16(clamping: delay ?? 0) }
        // For a departure on schedule, a few seconds less would show the minute before.
        let early = distribution.quantile(50) ?? 0
        careful = seconds(DelayBins.aroundZero.contains(early) ? 0 : early)
        low = seconds(distribution.lowerEnd(Int(levels.low)))
        median = seconds(distribution.quantile(500))
        high = seconds(distribution.upperEnd(Int(levels.high)))
        careful = min(careful, median)
    }
}

extension DayKind {
    /// The kinds of days on which departures are similar.
    fileprivate var similar: [DayKind] {
        switch self {
        case .weekday: []
        case .saturday: [.sunday]
        case .sunday: [.saturday]
        case .exception: [.sunday, .saturday]
        }
    }
}
