internal import TransitModel

/// Makes of the rows for a stop the buses that one can get on there.
struct HongKongStopDepartures {
    private let question: HongKongArrivalsQuery
    /// The calls at the stop that the network has, by variant; for a variant with several stop sequences, the calls of
    /// all.
    private let known: [HongKongVariant: [KnownCall]]
    private let knownRoutes: Set<String>
    private let received: Instant

    /// Seconds for which a bus whose time has come is still believed to be due: the times are off by that much, and one that
    /// is late is listed until it is seen at the next stop.
    static let grace = 60

    private struct KnownCall: Hashable {
        var sequence: UInt32
        var isLast: Bool
        /// 0 for the first visit of the trip to the stop, 1 for the second.
        var visit: Int
    }

    init(_ question: HongKongArrivalsQuery, _ variants: [RouteVariant], received: Instant) {
        self.question = question
        self.received = received
        var known: [HongKongVariant: [KnownCall]] = [:]
        for variant in variants where !variant.calls.isEmpty {
            guard let way = HongKongVariant(variant.trip) else { continue }
            let calls = variant.calls.sorted { $0.sequence < $1.sequence }.enumerated()
            known[way, default: []] += calls.map {
                KnownCall(sequence: $1.sequence, isLast: $1.isLast, visit: $0)
            }
        }
        self.known = known.mapValues(Self.merged)
        knownRoutes = Set(known.keys.map(\.route))
    }

    /// Merges the calls of several stop sequences of one variant, in order, without duplicate numbers. Where one
    /// sequence ends and another continues, passengers can board.
    private static func merged(_ calls: [KnownCall]) -> [KnownCall] {
        var merged: [UInt32: KnownCall] = [:]
        for call in calls where merged[call.sequence].map({ $0.isLast && !call.isLast }) ?? true {
            merged[call.sequence] = call
        }
        return merged.values.sorted { $0.sequence < $1.sequence }
    }

    /// - Parameter made: when the answer was made, for rows that do not say it.
    func entities(_ rows: [HongKongArrivalRow], made: Instant) -> [RealtimeEntity] {
        let placed = placed(rows)
        let buses = Self.withoutRepetitions(placed.filter { isDue($0.row) })
        let notices = placed.filter { $0.row.time == nil && $0.row.remark.text != nil }
        return buses.enumerated().map { entity($1, number: $0, made: made) } + self.notices(notices)
    }

    private func isDue(_ row: HongKongArrivalRow) -> Bool {
        row.time.map { $0.secondsSince1970 >= received.secondsSince1970 &- Int64(Self.grace) } ?? false
    }
}

// MARK: - Which call is meant

extension HongKongStopDepartures {
    /// A row with the call that it is about.
    private struct Placed {
        var row: HongKongArrivalRow
        /// 0 for the first time that the way comes by, 1 for the second.
        var visit: Int
        /// `nil` when neither the network nor the row tells it.
        var sequence: UInt32?
    }

    /// The rows of ways that call here and go on from here.
    ///
    /// An answer holds rows of both directions wherever the two share a stop or a route is circular; those of a direction
    /// which does not call here are left out.
    private func placed(_ rows: [HongKongArrivalRow]) -> [Placed] {
        var order: [HongKongVariant] = []
        var groups: [HongKongVariant: [HongKongArrivalRow]] = [:]
        for row in rows {
            if groups[row.variant] == nil { order.append(row.variant) }
            groups[row.variant, default: []].append(row)
        }
        return order.flatMap { variant in placed(groups[variant] ?? [], of: variant) }
    }

    private func placed(_ rows: [HongKongArrivalRow], of variant: HongKongVariant) -> [Placed] {
        guard let calls = calls(of: variant) else { return [] }
        let told = Set(rows.compactMap(\.sequence)).sorted()
        guard !calls.isEmpty else {
            return rows.map { row in
                Placed(row: row, visit: row.sequence.flatMap(told.firstIndex) ?? 0, sequence: row.sequence)
            }
        }
        // Numbers do not always agree with the network: a call has the rows with the nearest number.
        return calls.enumerated().flatMap { position, call -> [Placed] in
            guard !call.isLast else { return [] }
            let nearest = Self.nearest(to: call.sequence, in: told)
            return rows.filter { row in
                row.sequence == nil ? position == 0 : row.sequence == nearest && isOwn(nearest, position, calls)
            }.map { Placed(row: $0, visit: call.visit, sequence: call.sequence) }
        }
    }

    /// Whether no other call is nearer to that number: a bus that comes by once is not listed twice.
    private func isOwn(_ sequence: UInt32?, _ position: Int, _ calls: [KnownCall]) -> Bool {
        guard let sequence else { return true }
        let nearest = calls.indices.min {
            Self.distance(calls[$0].sequence, sequence) < Self.distance(calls[$1].sequence, sequence)
        }
        return nearest == position
    }

    private static func nearest(to sequence: UInt32, in told: [UInt32]) -> UInt32? {
        told.min { distance($0, sequence) < distance($1, sequence) }
    }

    private static func distance(_ left: UInt32, _ right: UInt32) -> UInt32 {
        left > right ? left - right : right - left
    }

    /// `nil`: the way does not call here. Empty: nothing is known.
    private func calls(of variant: HongKongVariant) -> [KnownCall]? {
        if let calls = known[variant] { return calls }
        guard knownRoutes.contains(variant.route) else { return [] }
        // A service type that the network does not have calls where the others of its direction do.
        let others = known.filter { $0.key.direction == variant.direction }
            .filter { $0.key.route == variant.route }
            .sorted { $0.key.serviceType < $1.key.serviceType }
        return others.first?.value
    }
}

// MARK: - The same bus twice

extension HongKongStopDepartures {
    /// KMB lists a bus under every service type that it may serve. Of buses at one moment as many stay as the service type
    /// with the most of them has: two that really come together are listed together.
    private static func withoutRepetitions(_ placed: [Placed]) -> [Placed] {
        struct Bus: Hashable {
            var route: String
            var direction: Direction
            var visit: Int
            var time: Instant?
        }
        func bus(_ placed: Placed) -> Bus {
            Bus(
                route: placed.row.variant.route, direction: placed.row.variant.direction, visit: placed.visit,
                time: placed.row.time)
        }
        var kept: [Bus: [Placed]] = [:]
        for (bus, same) in Dictionary(grouping: placed, by: bus) {
            let byType = Dictionary(grouping: same, by: \.row.variant.serviceType)
            kept[bus] =
                byType.max { left, right in
                    (left.value.count, right.key) < (right.value.count, left.key)
                }?.value
        }
        return kept.values.flatMap { $0 }.sorted {
            ($0.row.time?.secondsSince1970 ?? 0, $0.row.variant.tripID.rawValue, $0.visit)
                < ($1.row.time?.secondsSince1970 ?? 0, $1.row.variant.tripID.rawValue, $1.visit)
        }
    }
}

// MARK: - Entities

extension HongKongStopDepartures {
    private func entity(_ bus: Placed, number: Int, made: Instant) -> RealtimeEntity {
        let variant = bus.row.variant
        let name = "\(question.name)/\(number + 1)"
        // The operators number no buses: the name tells the way, then the place in this answer.
        let trip = TripDescriptor(
            tripID: TripID("\(variant.tripID)@\(question.stop)/\(number + 1)"), routeID: variant.routeID,
            direction: variant.direction, relationship: .added)
        let update = StopTimeUpdate(
            sequence: bus.sequence, stopID: question.stop, arrival: StopTimeEvent(time: bus.row.time),
            departure: StopTimeEvent(time: departure(bus.row)))
        return .tripUpdate(
            TripUpdate(
                id: EntityID(name), trip: trip, updates: [update], timestamp: bus.row.measured ?? made,
                properties: TripProperties(headsign: bus.row.destination.text),
                basis: bus.row.isPlanned ? .planned : .predicted,
                // That it is planned is said by the mark.
                remark: bus.row.isPlanned ? nil : bus.row.remark.translated))
    }

    /// A bus whose time has just come is due: it leaves within the time that it is given.
    private func departure(_ row: HongKongArrivalRow) -> Instant? {
        guard let time = row.time, time < received else { return row.time }
        return Instant(secondsSince1970: time.secondsSince1970 &+ Int64(Self.grace))
    }

    /// Remarks without a time, such as “ETA service suspended”: said once for each route and direction, as an alert.
    private func notices(_ placed: [Placed]) -> [RealtimeEntity] {
        struct Notice: Hashable {
            var route: RouteID
            var direction: Direction
            var remark: HongKongName
        }
        var seen: Set<Notice> = []
        return placed.compactMap { placed in
            let variant = placed.row.variant
            let notice = Notice(route: variant.routeID, direction: variant.direction, remark: placed.row.remark)
            guard seen.insert(notice).inserted else { return nil }
            return .alert(
                Alert(
                    id: EntityID("\(question.name)/notice-\(seen.count)"),
                    informed: [
                        InformedEntity(routeID: variant.routeID, direction: variant.direction, stopID: question.stop)
                    ],
                    severity: .info, header: placed.row.remark.translated))
        }
    }
}
