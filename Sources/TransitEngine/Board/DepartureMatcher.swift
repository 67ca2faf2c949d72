public import TransitModel

/// What one feed says of a departure from a stop, reduced to what another feed of the same agency can be compared by.
public struct MatchCandidate: Hashable, Sendable {
    /// Where, by the number that the first feed's timetable has for the place.
    public var place: StopIndex
    /// The name by which riders know the route: identifiers differ from feed to feed.
    public var route: String
    /// Where the vehicle says that it goes; `nil` where that is not known.
    public var headsign: String?
    public var direction: Direction?
    /// When it was planned; `nil` where the feed has no plan for it.
    public var planned: Instant?
    /// As it is expected, else of the timetable.
    public var departure: Instant
    public var source: ExpectedCall.Source
    /// Whether it leaves at all: false for what is cancelled or does not stop there.
    public var isRunning: Bool
    public var confidence: ExpectedCall.Confidence
    /// Whether it is the last prediction of a silent source (``ExpectedCall/isLastKnown``).
    public var isLastKnown: Bool

    public init(
        place: StopIndex, route: String, headsign: String? = nil, direction: Direction? = nil,
        planned: Instant? = nil, departure: Instant, source: ExpectedCall.Source, isRunning: Bool = true,
        confidence: ExpectedCall.Confidence, isLastKnown: Bool = false
    ) {
        self.place = place
        self.route = SearchText.fold(route)
        self.headsign = headsign.map(SearchText.fold)
        self.direction = direction
        self.planned = planned
        self.departure = departure
        self.source = source
        self.isRunning = isRunning
        self.confidence = confidence
        self.isLastKnown = isLastKnown
    }

    /// Whether current data, rather than a plan, confirms or denies the departure.
    fileprivate var isCurrent: Bool { source != .scheduled && !isLastKnown }

    /// Whether the time is that of a vehicle which is known to be under way, and no plan.
    fileprivate var isObserved: Bool { source != .scheduled && isRunning }
}

/// Makes one list of what two feeds say of the departures from one place: the same vehicle is listed once, by the better
/// source, and more surely where both agree.
///
/// No specification says when two feeds mean the same vehicle, so the rule is ours. Two departures are one when they leave
/// from the same place, as the same route, to the same end (``isSameWay``), and not too far apart in time; of several
/// candidates the nearest in time. Where both have a plan, plans are compared: they say the same however late the vehicle is.
/// Where one has none, what is expected is. A timetable is complete, so that a vehicle which both feeds know has its own departure
/// nearest to it; what is paired in error would have to be missing in one feed, and is shown as a disagreement.
public enum DepartureMatcher {
    /// A departure of the list.
    public struct Entry: Hashable, Sendable {
        /// Its position in the first feed's list, and in the second's; at least one is there.
        public var first: Int?
        public var second: Int?
        /// Whose time counts.
        public var isFirstShown: Bool
        public var confidence: ExpectedCall.Confidence
        /// Seconds by which the second feed's time is later than the first's; `nil` when one of them says nothing.
        public var difference: Int?
        /// Whether both say the same, within ``agreement``; false when one of them says nothing.
        public var isAgreed = false
    }

    /// Seconds within which two times agree. Positions are a minute or two old and estimates err by as much; below this a
    /// rider who goes by the earlier time misses nothing.
    public static let agreementTolerance = 180
    /// Seconds by which two times of one vehicle may differ where one feed has no plan for it, and by which it may be later
    /// than the other's plan: what is later belongs to the next departure of a line that runs every ten minutes.
    public static let maximumTimeDifference = 600

    /// - Returns: in the order of departure.
    public static func reconcile(_ first: [MatchCandidate], _ second: [MatchCandidate]) -> [Entry] {
        let pairs = pairs(first, second)
        let partners = Dictionary(uniqueKeysWithValues: pairs.map { ($0.first, $0.second) })
        let taken = Set(pairs.map(\.second))
        var entries: [Entry] = first.indices.map { position in
            guard let partner = partners[position] else {
                return Entry(
                    first: position, second: nil, isFirstShown: true, confidence: first[position].confidence)
            }
            return entry(position, first[position], partner, second[partner])
        }
        for position in second.indices where !taken.contains(position) {
            entries.append(
                Entry(first: nil, second: position, isFirstShown: false, confidence: second[position].confidence))
        }
        func time(_ entry: Entry) -> Instant {
            if entry.isFirstShown, let position = entry.first { return first[position].departure }
            return entry.second.map { second[$0].departure } ?? Instant(secondsSince1970: .max)
        }
        return entries.enumerated().sorted {
            (time($0.element), $0.offset) < (time($1.element), $1.offset)
        }.map(\.element)
    }

    private static func entry(
        _ first: Int, _ one: MatchCandidate, _ second: Int, _ other: MatchCandidate
    ) -> Entry {
        let isFirstShown = rank(one) >= rank(other)
        let shown = isFirstShown ? one : other
        let isAgreed =
            one.isRunning == other.isRunning && distance(one.departure, other.departure) <= agreementTolerance
        // Two plans of one agency are one plan, and no surer for being told twice.
        let isSurer = isAgreed && (one.isCurrent || other.isCurrent)
        let isKeyRejected = one.isRunning != other.isRunning && one.source != .scheduled && other.source != .scheduled
        return Entry(
            first: first, second: second, isFirstShown: isFirstShown,
            confidence: isSurer
                ? raised(shown.confidence) : isKeyRejected ? min(shown.confidence, .medium) : shown.confidence,
            difference: Int(clamping: lateness(other.departure, after: one.departure)), isAgreed: isAgreed)
    }

    /// Ranks sources: a prediction; then the last cancellation of a silent source, which a position does not contradict; then an
    /// estimate of this program; then the last prediction of a silent source; then a plan.
    private static func rank(_ told: MatchCandidate) -> Int {
        switch (told.source, told.isLastKnown) {
        case (.scheduled, _): 0
        case (_, true): told.isRunning ? 1 : 3
        case (.estimated, false): 2
        case (.live, false): 4
        }
    }

    private static func raised(_ confidence: ExpectedCall.Confidence) -> ExpectedCall.Confidence {
        confidence == .low ? .medium : .high
    }

    // MARK: The same vehicle

    /// One to one: those that were planned for the same time first, and the nearest first.
    private static func pairs(
        _ first: [MatchCandidate], _ second: [MatchCandidate]
    ) -> [(first: Int, second: Int)] {
        var candidates: [(isGuess: Int, distance: Int, first: Int, second: Int)] = []
        for (one, left) in first.enumerated() {
            for (other, right) in second.enumerated() where isSame(left, right) {
                let plans = plans(left, right)
                let (time, otherTime) = plans ?? (left.departure, right.departure)
                candidates.append((plans == nil ? 1 : 0, distance(time, otherTime), one, other))
            }
        }
        var firstTaken: Set<Int> = []
        var secondTaken: Set<Int> = []
        var pairs: [(first: Int, second: Int)] = []
        for candidate in candidates.sorted(by: { $0 < $1 })
        where !firstTaken.contains(candidate.first) && !secondTaken.contains(candidate.second) {
            firstTaken.insert(candidate.first)
            secondTaken.insert(candidate.second)
            pairs.append((candidate.first, candidate.second))
        }
        return pairs
    }

    private static func isSame(_ left: MatchCandidate, _ right: MatchCandidate) -> Bool {
        guard left.place == right.place, left.route == right.route, hasSameDestination(left, right) else {
            return false
        }
        if let plans = plans(left, right) { return distance(plans.0, plans.1) <= agreementTolerance }
        switch (left.isObserved, right.isObserved) {
        case (true, true): return distance(left.departure, right.departure) <= maximumTimeDifference
        case (false, false): return distance(left.departure, right.departure) <= agreementTolerance
        // A plan knows of no delay: what is seen may be much later than it, and hardly earlier.
        case (true, false): return isLate(left.departure, after: right.departure)
        case (false, true): return isLate(right.departure, after: left.departure)
        }
    }

    /// For when both were planned, where both know.
    private static func plans(_ left: MatchCandidate, _ right: MatchCandidate) -> (Instant, Instant)? {
        guard let one = left.planned, let other = right.planned else { return nil }
        return (one, other)
    }

    private static func isLate(_ seen: Instant, after plan: Instant) -> Bool {
        (-Int64(agreementTolerance)...Int64(maximumTimeDifference)).contains(lateness(seen, after: plan))
    }

    /// Seconds, at the ends of the numbers where they cannot hold it.
    private static func lateness(_ left: Instant, after right: Instant) -> Int64 {
        let late = left.secondsSince1970.subtractingReportingOverflow(right.secondsSince1970)
        return late.overflow ? (left < right ? .min : .max) : late.partialValue
    }

    private static func distance(_ left: Instant, _ right: Instant) -> Int {
        Int(clamping: lateness(left, after: right).magnitude)
    }

    // MARK: The same end

    /// Whether nothing speaks against both going to the same end.
    ///
    /// Headsigns decide where both are known: each feed numbers directions as it likes (GTFS reference, trips.txt,
    /// `direction_id`: "not used in routing"). They agree when each long word of the shorter one stands in the other, since
    /// feeds shorten differently: "P-ta Garii" is "Piața Gării".
    private static func hasSameDestination(_ left: MatchCandidate, _ right: MatchCandidate) -> Bool {
        if let one = left.headsign, let other = right.headsign, !one.isEmpty, !other.isEmpty {
            if one == other { return true }
            let (words, others) = (longWords(one), longWords(other))
            let (fewer, more) = words.count < others.count ? (words, others) : (others, words)
            return !fewer.isEmpty && fewer.isSubset(of: more)
        }
        guard let one = left.direction, let other = right.direction else { return true }
        return one == other
    }

    /// Those of three letters and more, which are no abbreviations.
    private static func longWords(_ headsign: String) -> Set<Substring> {
        Set(headsign.split(separator: " ").filter { $0.count >= 3 })
    }
}

extension DepartureMatcher {
    /// The departure that both feeds know, as one: it keeps the run of the timetable, and has the times that count.
    ///
    /// - Returns: also whether it is the first feed's.
    public static func combined(
        _ first: ExpectedCall, _ second: ExpectedCall, by entry: Entry
    ) -> (call: ExpectedCall, isFirst: Bool) {
        // Where the better time is of a vehicle without a timetable, the run of the other feed's timetable is meant.
        let isFirst = entry.isFirstShown || first.scheduledCall != nil || second.scheduledCall == nil
        var call = isFirst ? first : second
        if isFirst != entry.isFirstShown { call.take(entry.isFirstShown ? first : second) }
        // An uncertain time, or one in the past, does not become reliable because two feeds state it.
        let isDoubtful = call.isUncertain || call.status == .departed
        call.confidence = isDoubtful ? min(entry.confidence, .medium) : entry.confidence
        return (call, isFirst)
    }
}

extension ExpectedCall {
    /// Whether it takes place, as far as is known.
    public var isRunning: Bool { status != .canceled && status != .skipped }

    /// Takes over what is live about the same departure from another feed; its run and its stop stay.
    fileprivate mutating func take(_ other: ExpectedCall) {
        if !other.isRunning || other.status == .departed {
            status = other.status
        } else if !isRunning {
            // The other feed's time is used, and so is its statement that the trip runs.
            status = .scheduled
        }
        source = other.source
        expectedArrival = other.expectedArrival
        expectedDeparture = other.expectedDeparture
        uncertainty = other.uncertainty
        occupancy = other.occupancy ?? occupancy
        measured = other.measured
        age = other.age
        isMissingFromRealtime = false
        isOutdatedInRealtime = false
        isLastKnown = other.isLastKnown
        isContradicted = other.isContradicted
        basis = other.basis
        origin = nil
        match = other.match
        remark = other.remark ?? remark
    }
}
