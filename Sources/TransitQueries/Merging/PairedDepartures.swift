internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The departures from some stops in a time window, in both feeds of a pair. A departure that is in both feeds is
/// merged.
///
/// What is known about a departure must not depend on the query that returns it. Every query therefore merges its
/// departures here. The window is extended on both sides by ``margin``, so that it contains all departures with which
/// those of the query could be confused.
struct PairedDepartures {
    /// The departures in order of time, including those that have left.
    let departures: [MergedDeparture]
    /// The positions in ``departures``, by the departure of either feed.
    private let positions: [MergedDeparture.ID: Int]

    /// The number of seconds before and after the window for which departures are compared. Four times the greatest
    /// difference between two times of one vehicle: whether a departure has a partner depends on those before and after
    /// it, which depend on their neighbors.
    static let margin = 4 * DeparturePairing.maximumTimeDifference
    /// The number of seconds around each scheduled time for which both feeds are searched. The scheduled times of one
    /// departure differ by at most ``DeparturePairing/agreementTolerance``. On a route with a headway that short, the
    /// partner of a departure also depends on the departures before and after it.
    fileprivate static let planReach = 3 * DeparturePairing.agreementTolerance
    /// The maximum number of departures of one feed in a window.
    private static let maximumCount = 1000

    /// - Parameters:
    ///   - main: The board of the main feed.
    ///   - supplement: The board of the same stops in the supplementary feed.
    ///   - end: The end of the window; `nil` for the horizon of boards.
    init(
        _ main: FeedBoard, _ supplement: FeedBoard, of pair: FeedPair, from start: Instant, until end: Instant?,
        _ context: QueryContext
    ) throws(StoreError) {
        // Beyond the horizon, a board has no departures.
        let last = end ?? pair.main.context.horizon(at: start, days: DepartureBoard.defaultHorizonDays)
        let window = PairingWindow(
            start: start.advanced(by: -Self.margin), end: last.advanced(by: Self.margin), count: Self.maximumCount)
        var first = PairingInput(main, window, context)
        var second = PairingInput(supplement, window, context)
        // A very late or very early departure may be scheduled near the ends of the window or outside of it. The other
        // feed may expect the same departure at any time.
        let ranges = PairingWindow.around(first.plans + second.plans, and: window, by: Self.planReach)
        first.addPlanned(in: ranges, context)
        second.addPlanned(in: ranges, context)
        try first.addCandidates(of: pair)
        try second.addCandidates(of: pair)

        let feeds = pair.conditions(context)
        var departures: [MergedDeparture] = []
        for entry in DeparturePairing.reconcile(first.candidates, second.candidates) {
            let one = entry.first.map { first.comparable[$0] }
            let other = entry.second.map { second.comparable[$0] }
            guard one?.isInWindow == true || other?.isInWindow == true else { continue }
            switch (one, other) {
            case (let one?, let other?): departures.append(MergedDeparture(one.call, other.call, of: feeds, by: entry))
            case (let one?, nil): departures.append(MergedDeparture(feeds.main, one.call))
            case (nil, let other?): departures.append(MergedDeparture(feeds.supplement, other.call))
            case (nil, nil): break
            }
        }
        departures += first.others.map { MergedDeparture(feeds.main, $0) }
        departures += second.others.map { MergedDeparture(feeds.supplement, $0) }
        // The standard library's sort keeps the order of equal elements.
        departures.sort { $0.call.departure < $1.call.departure }
        var positions: [MergedDeparture.ID: Int] = [:]
        for (position, merged) in departures.enumerated() {
            positions[merged.id] = position
            guard let other = merged.confirmation else { continue }
            positions[MergedDeparture.ID(other.call, of: other.timetable)] = position
        }
        (self.departures, self.positions) = (departures, positions)
    }

    /// Returns the merged departure to which a call of either feed belongs.
    func departure(_ call: ExpectedCall, of timetable: Timetable) -> MergedDeparture? {
        positions[MergedDeparture.ID(call, of: timetable)].map { departures[$0] }
    }
}

/// A time window in which the departures of two feeds are compared.
private struct PairingWindow {
    var start: Instant
    var end: Instant
    /// The maximum number of departures of one feed.
    var count: Int

    /// Returns the windows that contain a window and all moments, each extended on both sides. They do not overlap.
    static func around(_ moments: [Instant], and window: PairingWindow, by seconds: Int) -> [PairingWindow] {
        let all = moments.map { PairingWindow(start: $0, end: $0, count: window.count) } + [window]
        var merged: [PairingWindow] = []
        for one in all.sorted(by: { $0.start < $1.start }) {
            let (start, end) = (one.start.advanced(by: -seconds), one.end.advanced(by: seconds))
            if let last = merged.last, start <= last.end {
                merged[merged.count - 1].end = max(last.end, end)
            } else {
                merged.append(PairingWindow(start: start, end: end, count: window.count))
            }
        }
        return merged
    }
}

/// The departures of one feed: those that can be compared with the other feed, and the others.
private struct PairingInput {
    struct Item {
        var call: ExpectedCall
        /// Whether the expected time is in the window. Other departures are only compared.
        var isInWindow: Bool
    }

    private let board: FeedBoard
    private var items: [Item] = []
    private var known: Set<ExpectedCall.ID> = []
    private(set) var comparable: [Item] = []
    /// The match candidates of ``comparable``.
    private(set) var candidates: [PairingCandidate] = []
    private(set) var others: [ExpectedCall] = []

    init(_ board: FeedBoard, _ window: PairingWindow, _ context: QueryContext) {
        self.board = board
        for call in board.departures(from: window.start, until: window.end, count: window.count, context) {
            add(call, isInWindow: true)
        }
    }

    private mutating func add(_ call: ExpectedCall, isInWindow: Bool) {
        guard known.insert(call.id).inserted else { return }
        items.append(Item(call: call, isInWindow: isInWindow))
    }

    /// The scheduled times of all departures.
    var plans: [Instant] { items.compactMap(\.call.scheduledDeparture) }

    /// Adds the departures that are scheduled in some windows, whenever they are expected.
    mutating func addPlanned(in ranges: [PairingWindow], _ context: QueryContext) {
        guard board.timetable.hasTimes else { return }
        for range in ranges {
            let half = range.start.seconds(to: range.end) / 2
            let middle = range.start.advanced(by: half)
            for call in board.planned(around: middle, within: half + 1, count: range.count, context) {
                add(call, isInWindow: false)
            }
        }
    }

    mutating func addCandidates(of pair: FeedPair) throws(StoreError) {
        for item in items {
            if let candidate = try pair.matchCandidate(of: item.call, in: board.timetable) {
                comparable.append(item)
                candidates.append(candidate)
            } else if item.isInWindow {
                others.append(item.call)
            }
        }
    }
}

/// Limits for the comparison of two feeds.
enum MergeLimits {
    /// The maximum number of scheduled departures of all routes within a few minutes.
    static let maximumPlanned = 64
    /// The maximum number of queries per feed. If the feeds share many departures, the first query returns too few.
    static let maximumRounds = 5
}
