internal import TransitModel

/// Converts the rows for a stop into departures of the buses that passengers can board there.
struct HongKongStopDepartures {
    private let query: HongKongArrivalsQuery
    /// The network's calls at the stop, by variant. A variant with several stop sequences has the calls of all of them.
    private let known: [HongKongVariant: [KnownCall]]
    private let knownRoutes: Set<String>
    private let received: Instant

    /// How long a bus is still considered due after its time has passed, in seconds. Times are inexact by that much,
    /// and a late bus stays listed until it is detected at the next stop.
    static let grace = 60

    private struct KnownCall: Hashable {
        var sequence: UInt32
        var isLast: Bool
        /// 0 for the first visit of the trip to the stop, 1 for the second.
        var visit: Int
    }

    init(_ query: HongKongArrivalsQuery, _ variants: [RouteVariant], received: Instant) {
        self.query = query
        self.received = received
        var known: [HongKongVariant: [KnownCall]] = [:]
        for variant in variants where !variant.calls.isEmpty {
            guard let parsed = HongKongVariant(variant.trip) else { continue }
            let calls = variant.calls.sorted { $0.sequence < $1.sequence }.enumerated()
            known[parsed, default: []] += calls.map {
                KnownCall(sequence: $1.sequence, isLast: $1.isLast, visit: $0)
            }
        }
        self.known = known.mapValues(Self.merged)
        knownRoutes = Set(known.keys.map(\.route))
    }

    /// Merges the calls of several stop sequences of one variant, in order, without duplicate numbers. If one sequence
    /// ends where another continues, passengers can board.
    private static func merged(_ calls: [KnownCall]) -> [KnownCall] {
        var merged: [UInt32: KnownCall] = [:]
        for call in calls where merged[call.sequence].map({ $0.isLast && !call.isLast }) ?? true {
            merged[call.sequence] = call
        }
        return merged.values.sorted { $0.sequence < $1.sequence }
    }

    /// - Parameter generated: The time at which the response was generated, for rows without a timestamp.
    func entities(_ rows: [HongKongArrivalRow], generated: Instant) -> [RealtimeEntity] {
        let matched = matched(rows)
        let buses = Self.withoutRepetitions(matched.filter { isDue($0.row) })
        let notices = matched.filter { $0.row.time == nil && $0.row.remark.text != nil }
        return buses.enumerated().map { entity($1, number: $0, generated: generated) } + self.notices(notices)
    }

    private func isDue(_ row: HongKongArrivalRow) -> Bool {
        row.time.map { $0.secondsSince1970 >= received.secondsSince1970 &- Int64(Self.grace) } ?? false
    }
}

// MARK: - Matching rows with calls

extension HongKongStopDepartures {
    /// A row with its call in the network.
    private struct MatchedRow {
        var row: HongKongArrivalRow
        /// 0 for the variant's first call at the stop, 1 for the second.
        var visit: Int
        /// `nil` if neither the network nor the row contains the number.
        var sequence: UInt32?
    }

    /// Returns the rows of variants that call at the stop and continue from it.
    ///
    /// A response contains rows of both directions if they share the stop or if the route is circular. Rows of a
    /// direction that does not call at the stop are left out.
    private func matched(_ rows: [HongKongArrivalRow]) -> [MatchedRow] {
        var order: [HongKongVariant] = []
        var groups: [HongKongVariant: [HongKongArrivalRow]] = [:]
        for row in rows {
            if groups[row.variant] == nil { order.append(row.variant) }
            groups[row.variant, default: []].append(row)
        }
        return order.flatMap { variant in matched(groups[variant] ?? [], of: variant) }
    }

    private func matched(_ rows: [HongKongArrivalRow], of variant: HongKongVariant) -> [MatchedRow] {
        guard let calls = calls(of: variant) else { return [] }
        let numbers = Set(rows.compactMap(\.sequence)).sorted()
        guard !calls.isEmpty else {
            return rows.map { row in
                MatchedRow(row: row, visit: row.sequence.flatMap(numbers.firstIndex) ?? 0, sequence: row.sequence)
            }
        }
        // `seq` does not always match the network, so each call gets the rows with the nearest number.
        return calls.enumerated().flatMap { position, call -> [MatchedRow] in
            guard !call.isLast else { return [] }
            let nearest = Self.nearest(to: call.sequence, in: numbers)
            return rows.filter { row in
                row.sequence == nil ? position == 0 : row.sequence == nearest && isOwn(nearest, position, calls)
            }.map { MatchedRow(row: $0, visit: call.visit, sequence: call.sequence) }
        }
    }

    /// Whether no other call is nearer to `sequence`. Otherwise, a bus would be listed twice.
    private func isOwn(_ sequence: UInt32?, _ position: Int, _ calls: [KnownCall]) -> Bool {
        guard let sequence else { return true }
        let nearest = calls.indices.min {
            Self.distance(calls[$0].sequence, sequence) < Self.distance(calls[$1].sequence, sequence)
        }
        return nearest == position
    }

    private static func nearest(to sequence: UInt32, in numbers: [UInt32]) -> UInt32? {
        numbers.min { distance($0, sequence) < distance($1, sequence) }
    }

    private static func distance(_ left: UInt32, _ right: UInt32) -> UInt32 {
        left > right ? left - right : right - left
    }

    /// Returns `nil` if the variant does not call at the stop, and an empty array if its calls are unknown.
    private func calls(of variant: HongKongVariant) -> [KnownCall]? {
        if let calls = known[variant] { return calls }
        guard knownRoutes.contains(variant.route) else { return [] }
        // A service type that is not in the network is assumed to have the same calls as another one in its direction.
        let others = known.filter { $0.key.direction == variant.direction }
            .filter { $0.key.route == variant.route }
            .sorted { $0.key.serviceType < $1.key.serviceType }
        return others.first?.value
    }
}

// MARK: - Duplicate buses

extension HongKongStopDepartures {
    /// Removes duplicate buses, because KMB lists a bus under every service type that it may serve. For each time, the
    /// service type with the most buses is used, so two buses that arrive together are both listed.
    private static func withoutRepetitions(_ matched: [MatchedRow]) -> [MatchedRow] {
        struct Bus: Hashable {
            var route: String
            var direction: Direction
            var visit: Int
            var time: Instant?
        }
        func bus(_ matched: MatchedRow) -> Bus {
            Bus(
                route: matched.row.variant.route, direction: matched.row.variant.direction, visit: matched.visit,
                time: matched.row.time)
        }
        var distinct: [Bus: [MatchedRow]] = [:]
        for (bus, same) in Dictionary(grouping: matched, by: bus) {
            let byType = Dictionary(grouping: same, by: \.row.variant.serviceType)
            distinct[bus] =
                byType.max { left, right in
                    (left.value.count, right.key) < (right.value.count, left.key)
                }?.value
        }
        return distinct.values.flatMap { $0 }.sorted {
            ($0.row.time?.secondsSince1970 ?? 0, $0.row.variant.tripID.rawValue, $0.visit)
                < ($1.row.time?.secondsSince1970 ?? 0, $1.row.variant.tripID.rawValue, $1.visit)
        }
    }
}

// MARK: - Entities

extension HongKongStopDepartures {
    private func entity(_ bus: MatchedRow, number: Int, generated: Instant) -> RealtimeEntity {
        let variant = bus.row.variant
        let name = "\(query.name)/\(number + 1)"
        // The operators do not identify buses. The identifier consists of the variant and the position in this
        // response.
        let trip = TripDescriptor(
            tripID: TripID("\(variant.tripID)@\(query.stop)/\(number + 1)"), routeID: variant.routeID,
            direction: variant.direction, relationship: .added)
        let update = StopTimeUpdate(
            sequence: bus.sequence, stopID: query.stop, arrival: StopTimeEvent(time: bus.row.time),
            departure: StopTimeEvent(time: departure(bus.row)))
        return .tripUpdate(
            TripUpdate(
                id: EntityID(name), trip: trip, updates: [update], timestamp: bus.row.timestamp ?? generated,
                properties: TripProperties(headsign: bus.row.destination.text),
                basis: bus.row.isPlanned ? .planned : .predicted,
                // The basis already indicates a planned departure.
                remark: bus.row.isPlanned ? nil : bus.row.remark.translated))
    }

    /// A bus whose time has just passed is due: it departs within the grace period.
    private func departure(_ row: HongKongArrivalRow) -> Instant? {
        guard let time = row.time, time < received else { return row.time }
        return Instant(secondsSince1970: time.secondsSince1970 &+ Int64(Self.grace))
    }

    /// Returns remarks without a time, such as “ETA service suspended”, as one alert for each route and direction.
    private func notices(_ matched: [MatchedRow]) -> [RealtimeEntity] {
        struct Notice: Hashable {
            var route: RouteID
            var direction: Direction
            var remark: HongKongName
        }
        var seen: Set<Notice> = []
        return matched.compactMap { matched in
            let variant = matched.row.variant
            let notice = Notice(route: variant.routeID, direction: variant.direction, remark: matched.row.remark)
            guard seen.insert(notice).inserted else { return nil }
            return .alert(
                Alert(
                    id: EntityID("\(query.name)/notice-\(seen.count)"),
                    informed: [
                        InformedEntity(routeID: variant.routeID, direction: variant.direction, stopID: query.stop)
                    ],
                    severity: .info, header: matched.row.remark.translated))
        }
    }
}
