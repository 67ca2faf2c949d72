internal import TransitModel

/// The trips of one feed as which a trip continues in the same vehicle.
struct ReferenceBlocks {
    private let feed: CheckedFeed
    /// The trips to which riders can stay according to transfers.txt, and those to which they cannot.
    private var stated: [TripIndex: [TripIndex]] = [:]
    private var forbidden: [TripIndex: Set<TripIndex>] = [:]

    /// The longest stay between two trips in seconds.
    private static let longestStay: Int64 = 3600

    /// A trip in service time.
    struct Entry {
        var trip: TripIndex
        var service: ServiceIndex
        var firstStop: Int
        var lastStop: Int
        var start: Int64
        var end: Int64
    }

    /// The trips that can follow each trip on the same date, if they run.
    private(set) var next: [TripIndex: [TripIndex]] = [:]

    init(_ feed: CheckedFeed) {
        self.feed = feed
        for row in feed.transfers {
            guard let from = row.fromTrip, let to = row.toTrip else { continue }
            if row.transfer.kind == .inSeat, from != to { stated[from, default: []].append(to) }
            if row.transfer.kind == .inSeatNotAllowed { forbidden[from, default: []].insert(to) }
        }
        let entries = entries()
        addStated(entries)
        guard feed.blocks.contains(where: { $0 != nil }) else { return }
        let hasStated = Set(next.keys)
        let blocks = Dictionary(grouping: entries.values.filter { feed.blocks[$0.trip.position] != nil }) {
            feed.blocks[$0.trip.position]
        }
        for block in blocks.values {
            let block = block.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
            for (position, one) in block.enumerated() where !hasStated.contains(one.trip) {
                next[one.trip] = nextTrips(of: one, among: block[(position + 1)...])
            }
        }
    }

    /// The trips that frequencies.txt does not repeat.
    private func entries() -> [TripIndex: Entry] {
        var entries: [TripIndex: Entry] = [:]
        for pattern in feed.patterns where pattern.callCount > 1 {
            for group in pattern.timingGroups {
                let repeated = Set(group.frequencies.map { Int($0.trip) })
                for position in group.starts.indices where !repeated.contains(position) {
                    let start = Int64(group.starts[position])
                    entries[group.trip(position)] = Entry(
                        trip: group.trip(position), service: group.services[position],
                        firstStop: pattern.calls[0].stop.position,
                        lastStop: pattern.calls[pattern.callCount - 1].stop.position,
                        start: start + Int64(group.times[0].departure),
                        end: start + Int64(group.times[pattern.callCount - 1].arrival))
                }
            }
        }
        return entries
    }

    private mutating func addStated(_ entries: [TripIndex: Entry]) {
        for (trip, others) in stated {
            guard let one = entries[trip] else { continue }
            let possible = others.filter { entries[$0].map { $0.start >= one.end } ?? false }
            if !possible.isEmpty { next[trip] = possible }
        }
    }

    /// Returns the trips of a block that begin where a trip ends, up to the first that runs on the same days. That one
    /// precedes others that begin at the same time.
    private func nextTrips(of one: Entry, among later: ArraySlice<Entry>) -> [TripIndex] {
        var found: [TripIndex] = []
        let order = later.filter { $0.start >= one.end }.sorted {
            ($0.start, $0.service == one.service ? 0 : 1) < ($1.start, $1.service == one.service ? 0 : 1)
        }
        for other in order {
            guard other.start <= one.end + Self.longestStay else { break }
            guard isSamePlace(one.lastStop, other.firstStop) else { continue }
            if forbidden[one.trip]?.contains(other.trip) != true { found.append(other.trip) }
            if other.service == one.service { break }
        }
        return found
    }

    private func isSamePlace(_ one: Int, _ other: Int) -> Bool {
        if one == other { return true }
        let here = feed.stops[one]
        let there = feed.stops[other]
        if let parent = here.parent, parent == there.parent { return true }
        guard let from = here.coordinate, let to = there.coordinate else { return false }
        return from.distance(to: to) <= 500
    }
}
