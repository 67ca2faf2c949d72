internal import TransitModel

/// Finds the trips that continue as another trip in the same vehicle: the next trip of a block, and transfers of type 4
/// (GTFS reference, trips.txt, `block_id`, and transfers.txt, `transfer_type`).
///
/// Transfers of type 5 forbid to stay on board. A transfer that names the trips precedes the block.
struct ContinuationBuilder {
    private let input: JourneyNetworkInput
    private let tables: JourneyNetworkBuilder.Tables
    private let members: StationMembers

    /// The longest stay in a vehicle between two trips of a block, in seconds. After a longer one, riders would rather
    /// count as waiting.
    static let maximumStay = 3600
    /// The greatest distance between the end of a trip and the begin of the next one in the same vehicle, in meters.
    private static let maximumGap = 500.0
    /// The number of trips that can follow a trip, depending on the service date.
    private static let maximumNext = 8

    /// A trip instance of the network.
    private struct Entry {
        /// The position in the table of trips.
        var trip: Int
        var start: Int64
        var end: Int64
        var service: Int
        var firstStop: Int
        var lastStop: Int
    }

    init(_ input: JourneyNetworkInput, _ tables: JourneyNetworkBuilder.Tables) {
        self.input = input
        self.tables = tables
        members = StationMembers(input)
    }

    func continuations() -> ContiguousArray<JourneyNetworkBuilder.Continuation> {
        let stated = input.transfers.filter { !$0.isFootpathRule && $0.fromTrip != nil && $0.toTrip != nil }
        let namedTrips = Set(stated.flatMap { [$0.fromTrip, $0.toTrip].compactMap { $0?.position } })
        guard !stated.isEmpty || input.blocks.contains(where: { $0 != nil }) else { return [] }
        var blocks: [TextIndex: [Entry]] = [:]
        var named: [Int: [Entry]] = [:]
        for route in 0..<tables.routes.count - 1 {
            for trip in tables.routes[route].firstTrip..<tables.routes[route + 1].firstTrip {
                // Which vehicle serves which repetition of a trip is not known.
                if tables.trips[trip].frequency >= 0 { continue }
                let number = Int(tables.trips[trip].trip)
                let block = input.blocks.indices.contains(number) ? input.blocks[number] : nil
                guard block != nil || namedTrips.contains(number) else { continue }
                let entry = entry(trip, of: route)
                if namedTrips.contains(number) { named[number, default: []].append(entry) }
                if let block { blocks[block, default: []].append(entry) }
            }
        }
        var forbidden: Set<[Int]> = []
        var found: [JourneyNetworkBuilder.Continuation] = []
        for rule in stated {
            guard let from = rule.fromTrip?.position, let to = rule.toTrip?.position else { continue }
            guard rule.transfer.kind == .inSeat else {
                forbidden.insert([from, to])
                continue
            }
            guard from != to, let one = named[from], let other = named[to], one.count == 1, other.count == 1,
                other[0].start >= one[0].end
            else { continue }
            found.append(JourneyNetworkBuilder.Continuation(trip: one[0].trip, next: other[0].trip))
        }
        let statedTrips = Set(found.map(\.trip))
        for entries in blocks.values {
            let entries = entries.sorted { ($0.start, $0.end, $0.trip) < ($1.start, $1.end, $1.trip) }
            for position in entries.indices where !statedTrips.contains(entries[position].trip) {
                addNext(after: position, in: entries, forbidden, to: &found)
            }
        }
        var order: [(Int, JourneyNetworkBuilder.Continuation)] = Array(found.enumerated())
        order.sort { ($0.1.trip, $0.0) < ($1.1.trip, $1.0) }
        return ContiguousArray(order.map(\.1))
    }

    private func entry(_ trip: Int, of route: Int) -> Entry {
        let one = tables.routes[route]
        let (start, end) = tables.ends(of: trip, in: one)
        return Entry(
            trip: trip, start: start, end: end, service: tables.trips[trip].service, firstStop: stop(one.firstCall),
            lastStop: stop(one.firstCall + one.callCount - 1))
    }

    private func stop(_ call: Int) -> Int { Int(tables.stopsOfNodes[tables.calls[call].node]) }

    /// Adds the trips of a block that can follow a trip: those that begin where it ends, in order, up to the first one
    /// that runs whenever the trip does. Of trips that begin at the same time, that one comes first, because a block often
    /// has the same trips in many services.
    private func addNext(
        after position: Int, in entries: [Entry], _ forbidden: Set<[Int]>,
        to found: inout [JourneyNetworkBuilder.Continuation]
    ) {
        let one = entries[position]
        var others: [Entry] = []
        var last: Entry?
        for other in entries[(position + 1)...] {
            guard other.start <= last?.start ?? (one.end + Int64(Self.maximumStay)) else { break }
            guard other.start >= one.end, isSamePlace(one.lastStop, other.firstStop) else { continue }
            if last == nil, other.service == one.service { last = other } else { others.append(other) }
        }
        others = others.filter { $0.start < last?.start ?? .max && !isForbidden(one, $0, forbidden) }
        let next =
            others.prefix(Self.maximumNext) + [last].compactMap(\.self).filter { !isForbidden(one, $0, forbidden) }
        found += next.map { JourneyNetworkBuilder.Continuation(trip: one.trip, next: $0.trip) }
    }

    private func isForbidden(_ one: Entry, _ other: Entry, _ forbidden: Set<[Int]>) -> Bool {
        forbidden.contains([Int(tables.trips[one.trip].trip), Int(tables.trips[other.trip].trip)])
    }

    private func isSamePlace(_ one: Int, _ other: Int) -> Bool {
        if members.station(of: one) == members.station(of: other) { return true }
        guard let here = input.stops[one].coordinate, let there = input.stops[other].coordinate else { return false }
        return here.distance(to: there) <= Self.maximumGap
    }
}
