public import TransitModel

/// A departure in one feed, reduced to the properties by which it is compared with departures in another feed of the
/// same agency.
public struct PairingCandidate: Hashable, Sendable {
    /// The stop, as an index into the first feed's timetable.
    public var stopIndex: StopIndex
    /// The route name that riders know. Route identifiers differ between feeds.
    public var route: String
    /// The destination on the vehicle's sign; `nil` if unknown.
    public var headsign: String?
    public var direction: Direction?
    /// The scheduled departure; `nil` if the feed has none.
    public var planned: Instant?
    /// The expected departure or, without a prediction, the scheduled one.
    public var departure: Instant
    public var source: ExpectedCall.Source
    /// Whether the departure takes place. False if it is canceled or skipped.
    public var isRunning: Bool
    public var confidence: ExpectedCall.Confidence
    /// Whether it is the last prediction of a silent source (``ExpectedCall/isLastKnown``).
    public var isLastKnown: Bool
    /// The possible error of ``departure`` in seconds; `nil` if unknown.
    public var uncertainty: Int32?

    public init(
        stopIndex: StopIndex, route: String, headsign: String? = nil, direction: Direction? = nil,
        planned: Instant? = nil, departure: Instant, source: ExpectedCall.Source, isRunning: Bool = true,
        confidence: ExpectedCall.Confidence, isLastKnown: Bool = false, uncertainty: Int32? = nil
    ) {
        self.stopIndex = stopIndex
        self.route = SearchText.fold(route)
        self.headsign = headsign.map(SearchText.fold)
        self.direction = direction
        self.planned = planned
        self.departure = departure
        self.source = source
        self.isRunning = isRunning
        self.confidence = confidence
        self.isLastKnown = isLastKnown
        self.uncertainty = uncertainty
    }

    /// Whether current data, rather than a plan, states that the departure does or does not take place.
    fileprivate var isCurrent: Bool { source != .scheduled && !isLastKnown }

    /// Whether the time comes from a vehicle that is known to be under way rather than from a plan.
    fileprivate var isObserved: Bool { source != .scheduled && isRunning }
}

/// Merges the departures that two feeds report at one stop. A vehicle in both feeds is listed once, with the time of
/// the better source and a higher confidence if both agree.
///
/// No specification defines when departures in two feeds are the same vehicle, so the rule is specific to this program.
/// Two departures match if they have the same stop, route and destination and similar times. If there are several
/// candidates, the nearest one in time matches. If both feeds have scheduled times, the scheduled times are compared,
/// because they do not depend on delays. Otherwise the expected times are compared. A timetable is complete, so a
/// vehicle in both feeds is nearest to its own departure. A false match is possible only if a departure is missing from
/// one feed. It is shown as a disagreement.
public enum DeparturePairing {
    /// A departure of the merged list.
    public struct Entry: Hashable, Sendable {
        /// The positions in the first and in the second feed's list. At least one is not `nil`.
        public var first: Int?
        public var second: Int?
        /// Whether the time of the first feed is shown.
        public var isFirstShown: Bool
        public var confidence: ExpectedCall.Confidence
        /// Seconds by which the second feed's time is later than the first's; `nil` if only one feed has the departure.
        public var difference: Int?
        public var agreement = FeedAgreement.alone
        public var preference = FeedPreference.equal

        /// Whether the times agree within ``agreementTolerance``. False if only one feed has the departure.
        public var isAgreed: Bool { agreement == .agreed || agreement == .confirmed }
    }

    /// The maximum difference between two times that agree, in seconds. Positions are a minute or two old, and the
    /// error of estimates is similar. If the difference is smaller, a rider who relies on the earlier time does not
    /// miss the vehicle.
    public static let agreementTolerance = 180
    /// The maximum difference in seconds between two times of one vehicle if one feed has no scheduled time for the
    /// vehicle. It is also the maximum delay relative to the other feed's scheduled time. On a route with a headway of
    /// ten minutes, a later time belongs to the next departure.
    public static let maximumTimeDifference = 600

    /// - Returns: the merged departures, sorted by time.
    public static func reconcile(_ first: [PairingCandidate], _ second: [PairingCandidate]) -> [Entry] {
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
        _ first: Int, _ one: PairingCandidate, _ second: Int, _ other: PairingCandidate
    ) -> Entry {
        let isFirstShown = rank(one) >= rank(other)
        let shown = isFirstShown ? one : other
        let agreement = agreement(one, other)
        return Entry(
            first: first, second: second, isFirstShown: isFirstShown,
            confidence: confidence(shown.confidence, agreement),
            difference: Int(clamping: lateness(other.departure, after: one.departure)), agreement: agreement,
            preference: isFirstShown ? preference(for: one, over: other) : preference(for: other, over: one))
    }

    private static func agreement(_ one: PairingCandidate, _ other: PairingCandidate) -> FeedAgreement {
        let difference = distance(one.departure, other.departure)
        guard one.isRunning == other.isRunning else {
            return one.source != .scheduled && other.source != .scheduled ? .contradictsStatus : .differs
        }
        if difference <= agreementTolerance {
            // Two scheduled times come from the same agency and do not confirm each other.
            return one.isCurrent || other.isCurrent ? .confirmed : .agreed
        }
        guard one.isCurrent, other.isCurrent, one.isRunning else { return .differs }
        // Two uncertain times can both be right.
        let uncertainty = Int(clamping: Int64(one.uncertainty ?? 0) + Int64(other.uncertainty ?? 0))
        if difference <= uncertainty { return .differs }
        return difference <= maximumTimeDifference ? .contradictsTime : .contradictsTimeWidely
    }

    private static func confidence(
        _ own: ExpectedCall.Confidence, _ agreement: FeedAgreement
    ) -> ExpectedCall.Confidence {
        switch agreement {
        case .alone, .agreed, .differs: own
        case .confirmed: raised(own)
        // At most one of the two feeds is right.
        case .contradictsStatus, .contradictsTime: min(own, .medium)
        case .contradictsTimeWidely: .low
        }
    }

    /// Ranks sources from worst to best: a scheduled time; the last prediction from a silent source; an estimate by
    /// this program; the last cancellation from a silent source, which a position does not contradict; a prediction.
    private static func rank(_ candidate: PairingCandidate) -> Int {
        switch (candidate.source, candidate.isLastKnown) {
        case (.scheduled, _): 0
        case (_, true): candidate.isRunning ? 1 : 3
        case (.estimated, false): 2
        case (.live, false): 4
        }
    }

    /// Returns why the data of one candidate is shown rather than that of another one of at most the same rank.
    private static func preference(
        for shown: PairingCandidate, over other: PairingCandidate
    ) -> FeedPreference {
        if rank(shown) == rank(other) { return .equal }
        if other.source == .scheduled { return .otherIsScheduled }
        if other.isLastKnown { return .otherIsSilent }
        return shown.isLastKnown ? .cancellationOverEstimate : .predictionOverEstimate
    }

    private static func raised(_ confidence: ExpectedCall.Confidence) -> ExpectedCall.Confidence {
        confidence == .low ? .medium : .high
    }

    // MARK: Matching

    /// Matches departures one to one: first those with scheduled times, then the nearest ones.
    private static func pairs(
        _ first: [PairingCandidate], _ second: [PairingCandidate]
    ) -> [(first: Int, second: Int)] {
        var candidates: [(isGuess: Int, distance: Int, first: Int, second: Int)] = []
        let positions = Dictionary(grouping: second.indices) { RouteAtStop(second[$0]) }
        for (one, left) in first.enumerated() {
            for other in positions[RouteAtStop(left)] ?? [] where isSame(left, second[other]) {
                let right = second[other]
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

    /// A route at a stop. Only departures with the same value can match.
    private struct RouteAtStop: Hashable {
        var stop: StopIndex
        var route: String

        init(_ candidate: PairingCandidate) {
            stop = candidate.stopIndex
            route = candidate.route
        }
    }

    /// Returns whether two departures of one route at one stop can be the same.
    private static func isSame(_ left: PairingCandidate, _ right: PairingCandidate) -> Bool {
        guard hasSameDestination(left, right) else { return false }
        if let plans = plans(left, right) { return distance(plans.0, plans.1) <= agreementTolerance }
        switch (left.isObserved, right.isObserved) {
        case (true, true): return distance(left.departure, right.departure) <= maximumTimeDifference
        case (false, false): return distance(left.departure, right.departure) <= agreementTolerance
        // A vehicle may be much later than its scheduled time, but hardly earlier.
        case (true, false): return isLate(left.departure, after: right.departure)
        case (false, true): return isLate(right.departure, after: left.departure)
        }
    }

    /// Returns the scheduled times if both feeds have one.
    private static func plans(_ left: PairingCandidate, _ right: PairingCandidate) -> (Instant, Instant)? {
        guard let one = left.planned, let other = right.planned else { return nil }
        return (one, other)
    }

    private static func isLate(_ seen: Instant, after plan: Instant) -> Bool {
        (-Int64(agreementTolerance)...Int64(maximumTimeDifference)).contains(lateness(seen, after: plan))
    }

    /// Returns the difference in seconds, clamped to the range of `Int64`.
    private static func lateness(_ left: Instant, after right: Instant) -> Int64 {
        let late = left.secondsSince1970.subtractingReportingOverflow(right.secondsSince1970)
        return late.overflow ? (left < right ? .min : .max) : late.partialValue
    }

    private static func distance(_ left: Instant, _ right: Instant) -> Int {
        Int(clamping: lateness(left, after: right).magnitude)
    }

    // MARK: Destinations

    /// Returns whether both departures can have the same destination.
    ///
    /// The headsigns are compared if both are known. Directions are not compared, because each feed numbers them
    /// differently (GTFS reference, trips.txt, `direction_id`: "not used in routing"). Headsigns match if each long
    /// word of the shorter headsign occurs in the other, because feeds abbreviate differently: "P-ta Garii" is "Piața
    /// Gării".
    private static func hasSameDestination(_ left: PairingCandidate, _ right: PairingCandidate) -> Bool {
        if let one = left.headsign, let other = right.headsign, !one.isEmpty, !other.isEmpty {
            if one == other { return true }
            let (words, others) = (longWords(one), longWords(other))
            let (fewer, more) = words.count < others.count ? (words, others) : (others, words)
            return !fewer.isEmpty && fewer.isSubset(of: more)
        }
        guard let one = left.direction, let other = right.direction else { return true }
        return one == other
    }

    /// Returns the words of three or more letters, which are not abbreviations.
    private static func longWords(_ headsign: String) -> Set<Substring> {
        Set(headsign.split(separator: " ").filter { $0.count >= 3 })
    }
}

extension DeparturePairing {
    /// Merges a departure that is in both feeds. The result has the scheduled trip of the timetable and the times of
    /// the better source.
    ///
    /// - Returns: the merged call, and whether its trip comes from the first feed.
    public static func combined(
        _ first: ExpectedCall, _ second: ExpectedCall, by entry: Entry
    ) -> (call: ExpectedCall, isFirst: Bool) {
        // If the better time has no scheduled trip, the scheduled trip of the other feed is used.
        let isFirst = entry.isFirstShown || !first.isExtra || second.isExtra
        return (combined(first, second, by: entry, keepingFirst: isFirst), isFirst)
    }

    /// Merges a departure that is in both feeds. The result has the trip of the selected feed and the times of the
    /// better source.
    public static func combined(
        _ first: ExpectedCall, _ second: ExpectedCall, by entry: Entry, keepingFirst: Bool
    ) -> ExpectedCall {
        var call = keepingFirst ? first : second
        if keepingFirst != entry.isFirstShown { call.takeRealtimeData(of: entry.isFirstShown ? first : second) }
        // A time that is uncertain or in the past does not become reliable because two feeds state it.
        let isDoubtful = call.isUncertain || call.status == .departed
        call.confidence = isDoubtful ? min(entry.confidence, .medium) : entry.confidence
        return call
    }

    /// Compares two calls that are known to be the same call of the same vehicle.
    public static func compare(_ first: ExpectedCall, _ second: ExpectedCall) -> Entry {
        entry(0, PairingCandidate(sameVehicle: first), 0, PairingCandidate(sameVehicle: second))
    }
}

extension PairingCandidate {
    /// The data of a call that needs no matching.
    fileprivate init(sameVehicle call: ExpectedCall) {
        self.init(
            stopIndex: call.stop, route: "", planned: call.scheduledArrival, departure: call.arrival,
            source: call.source, isRunning: call.isRunning, confidence: call.confidence,
            isLastKnown: call.isLastKnown, uncertainty: call.uncertainty)
    }
}

extension ExpectedCall {
    /// Copies the realtime data of the same departure in another feed, except the confidence. The trip and the stop do not change.
    public mutating func takeRealtimeData(of other: ExpectedCall) {
        if !other.isRunning || other.status == .departed {
            status = other.status
        } else if !isRunning || status == .departed {
            // The other feed's time is used, and so is its statement that the trip runs or has not left yet.
            status = duplicateStart == nil ? .scheduled : .duplicated
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
        // The stop where the trip ends has another index in this feed.
        earlyTerminus = nil
        endsHere = other.endsHere
        basis = other.basis
        statingCall = nil
        match = other.match
        remark = other.remark ?? remark
    }
}
