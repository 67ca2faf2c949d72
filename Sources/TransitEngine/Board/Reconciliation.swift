public import TransitModel

/// What one feed says of a departure from a stop, reduced to what another feed of the same agency can be compared by.
public struct DepartureTestimony: Hashable, Sendable {
    /// The name by which riders know the route: identifiers differ from feed to feed.
    public var route: String
    /// As it is expected, else of the timetable.
    public var departure: Instant
    public var source: ExpectedCall.Source
    public var confidence: ExpectedCall.Confidence

    public init(
        route: String, departure: Instant, source: ExpectedCall.Source, confidence: ExpectedCall.Confidence
    ) {
        self.route = route
        self.departure = departure
        self.source = source
        self.confidence = confidence
    }
}

/// Makes one list of what two feeds say of the departures from one stop: the same vehicle is listed once, by the better
/// source, and more surely where both agree.
public enum Reconciliation {
    /// A departure of the list.
    public struct Entry: Hashable, Sendable {
        /// Its position in the first feed's list, and in the second's; at least one is there.
        public var first: Int?
        public var second: Int?
        /// Whose time counts.
        public var isFirstShown: Bool
        public var confidence: ExpectedCall.Confidence
    }

    /// Seconds within which two times agree.
    public static let agreement = 180
    /// Seconds that a vehicle may be later than the timetable and still be the one that is planned.
    public static let mostLate = 600

    /// - Returns: in the order of departure.
    public static func reconcile(_ first: [DepartureTestimony], _ second: [DepartureTestimony]) -> [Entry] {
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
        _ first: Int, _ one: DepartureTestimony, _ second: Int, _ other: DepartureTestimony
    ) -> Entry {
        let isFirstShown = rank(one.source) >= rank(other.source)
        let shown = isFirstShown ? one : other
        let distance = distance(one.departure, other.departure)
        return Entry(
            first: first, second: second, isFirstShown: isFirstShown,
            confidence: distance <= agreement ? raised(shown.confidence) : shown.confidence)
    }

    /// What is predicted counts more than what is computed here, and that more than a plan.
    private static func rank(_ source: ExpectedCall.Source) -> Int {
        switch source {
        case .scheduled: 0
        case .estimated: 1
        case .live: 2
        }
    }

    private static func raised(_ confidence: ExpectedCall.Confidence) -> ExpectedCall.Confidence {
        confidence == .low ? .medium : .high
    }

    // MARK: The same vehicle

    /// One to one, the nearest first.
    private static func pairs(
        _ first: [DepartureTestimony], _ second: [DepartureTestimony]
    ) -> [(first: Int, second: Int)] {
        var candidates: [(distance: Int, first: Int, second: Int)] = []
        for (one, left) in first.enumerated() {
            for (other, right) in second.enumerated() where isSame(left, right) {
                candidates.append((distance(left.departure, right.departure), one, other))
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

    private static func isSame(_ left: DepartureTestimony, _ right: DepartureTestimony) -> Bool {
        guard left.route == right.route else { return false }
        switch (left.source == .scheduled, right.source == .scheduled) {
        case (true, false): return isSame(right, left)
        case (false, true):
            // A plan knows of no delay: what is seen may be much later than it, and hardly earlier.
            let late = left.departure.secondsSince1970.subtractingReportingOverflow(right.departure.secondsSince1970)
            return !late.overflow && (-Int64(agreement)...Int64(mostLate)).contains(late.partialValue)
        case (true, true), (false, false): return distance(left.departure, right.departure) <= agreement
        }
    }

    private static func distance(_ left: Instant, _ right: Instant) -> Int {
        let difference = left.secondsSince1970.subtractingReportingOverflow(right.secondsSince1970)
        return difference.overflow ? .max : Int(clamping: difference.partialValue.magnitude)
    }
}
