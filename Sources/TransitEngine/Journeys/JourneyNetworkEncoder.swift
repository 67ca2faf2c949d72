internal import TransitModel

/// Writes the tables of a network in the form of its file, in which most numbers take one or two bytes.
struct JourneyNetworkEncoder {
    private let tables: JourneyNetworkBuilder.Tables
    private var routes: ContiguousArray<JourneyNetwork.Route> = []
    private var dwells: ContiguousArray<UInt16>
    private var trips: ContiguousArray<JourneyNetwork.Trip> = []
    private var frequencies: ContiguousArray<Int32> = []
    private var times: ContiguousArray<UInt8> = []
    private var footpaths: ContiguousArray<JourneyNetwork.PackedFootpath> = []
    private var footpathValues: ContiguousArray<JourneyNetwork.FootpathValue> = []
    private var rareFootpathValues: ContiguousArray<JourneyNetwork.RareFootpathValue> = []
    private var continuing: ContiguousArray<UInt64> = []
    private var continuationsOfTrips: ContiguousArray<UInt32> = []
    private var continuations: ContiguousArray<JourneyNetwork.Continuation> = []

    /// How the running times of a group of routes are written.
    private struct WrittenTimes {
        var firstTime: UInt32
        var base: Int32
        var unit: Int32
        var layout: JourneyNetwork.TimeLayout
        /// The seconds from each arrival to the departure; empty if the departures are written.
        var dwells: [UInt16]
    }

    init(_ tables: JourneyNetworkBuilder.Tables) {
        self.tables = tables
        dwells = ContiguousArray(repeating: 0, count: tables.calls.count)
        let written = tables.timeBlocks.map { write($0) }
        for route in 0..<tables.routes.count - 1 { write(route, written) }
        addEnd()
        writeFootpaths()
        writeContinuations()
    }

    /// Returns the bytes of the network.
    func bytes(_ source: JourneyNetwork.Source, _ checksum: (UnsafeRawBufferPointer) -> UInt32) -> [UInt8] {
        let rows = JourneyNetwork.Table.allCases.map { withBytes(of: $0) { $0.count } / $0.stride }
        var (bytes, size) = JourneyNetworkHeader.encode(source, rows: rows, checksum: 0)
        bytes.reserveCapacity(size)
        for table in JourneyNetwork.Table.allCases {
            withBytes(of: table) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: repeatElement(0, count: (8 - bytes.count % 8) % 8))
        }
        let sum = bytes.withUnsafeBytes {
            checksum(UnsafeRawBufferPointer(rebasing: $0[JourneyNetworkHeader.checkedFrom...]))
        }
        let header = JourneyNetworkHeader.encode(source, rows: rows, checksum: sum).bytes
        bytes.replaceSubrange(0..<header.count, with: header)
        return bytes
    }

    private func withBytes<Result>(
        of table: JourneyNetwork.Table, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch table {
        case .nodesOfStops: tables.nodesOfStops.withUnsafeBytes(body)
        case .stopsOfNodes: tables.stopsOfNodes.withUnsafeBytes(body)
        case .visitsOfNodes: tables.visitsOfNodes.withUnsafeBytes(body)
        case .visits: tables.visits.withUnsafeBytes(body)
        case .footpathsOfNodes: tables.footpathsOfNodes.withUnsafeBytes(body)
        case .footpaths: footpaths.withUnsafeBytes(body)
        case .footpathValues: footpathValues.withUnsafeBytes(body)
        case .rareFootpathValues: rareFootpathValues.withUnsafeBytes(body)
        case .routes: routes.withUnsafeBytes(body)
        case .routesOfPatterns: tables.routesOfPatterns.withUnsafeBytes(body)
        case .calls: tables.calls.withUnsafeBytes(body)
        case .dwells: dwells.withUnsafeBytes(body)
        case .fastest: tables.fastest.withUnsafeBytes(body)
        case .trips: trips.withUnsafeBytes(body)
        case .frequencies: frequencies.withUnsafeBytes(body)
        case .times: times.withUnsafeBytes(body)
        case .continuing: continuing.withUnsafeBytes(body)
        case .continuationsOfTrips: continuationsOfTrips.withUnsafeBytes(body)
        case .continuations: continuations.withUnsafeBytes(body)
        case .omissions: tables.omissions.withUnsafeBytes(body)
        }
    }

    // MARK: Running times

    private mutating func write(_ block: JourneyNetworkBuilder.TimeBlock) -> WrittenTimes {
        let count = block.callCount
        let groups = stride(from: block.firstTime, to: block.firstTime + block.groups * count, by: count)
        let dwells = block.isWholePattern ? constantDwells(groups, count) : nil
        var values: ContiguousArray<Int32> = []
        values.reserveCapacity(block.groups * count * (dwells == nil ? 2 : 1))
        for group in groups {
            for call in 0..<count { values.append(arrival(group, call)) }
            if dwells == nil { for call in 0..<count { values.append(departure(group, call, count)) } }
        }
        let base = values.min() ?? 0
        var unit: UInt32 = 0
        var largest: Int64 = 0
        for value in values {
            let difference = Int64(value) - Int64(base)
            unit = Self.commonDivisor(unit, UInt32(difference))
            largest = max(largest, difference)
        }
        unit = max(1, unit)
        largest /= Int64(unit)
        // Values of 4 bytes are signed and may be any time.
        let width = largest <= 0xFF ? 1 : largest <= 0xFFFF ? 2 : 4
        times.append(contentsOf: repeatElement(0, count: (4 - times.count % 4) % 4))
        let firstTime = UInt32(times.count / 4)
        for value in values {
            let stored = width == 4 ? value : Int32((Int64(value) - Int64(base)) / Int64(unit))
            withUnsafeBytes(of: stored.littleEndian) { times.append(contentsOf: $0.prefix(width)) }
        }
        return WrittenTimes(
            firstTime: firstTime, base: width == 4 ? 0 : base, unit: width == 4 ? 1 : Int32(clamping: unit),
            layout: .init(width: width, hasDepartures: dwells == nil), dwells: dwells ?? [])
    }

    // No rider uses the first arrival or the last departure.
    private func arrival(_ group: Int, _ call: Int) -> Int32 {
        call == 0 ? tables.times[group].departure : tables.times[group + call].arrival
    }

    private func departure(_ group: Int, _ call: Int, _ count: Int) -> Int32 {
        call + 1 == count ? tables.times[group + call].arrival : tables.times[group + call].departure
    }

    /// Returns the seconds from the arrival at each call to the departure; `nil` if they differ between timing groups.
    private func constantDwells(_ groups: StrideTo<Int>, _ count: Int) -> [UInt16]? {
        var dwells: [UInt16] = []
        for call in 0..<count {
            var known: UInt16?
            for group in groups {
                let seconds = Int64(departure(group, call, count)) - Int64(arrival(group, call))
                guard let dwell = UInt16(exactly: seconds), known == nil || known == dwell else { return nil }
                known = dwell
            }
            dwells.append(known ?? 0)
        }
        return dwells
    }

    private static func commonDivisor(_ one: UInt32, _ other: UInt32) -> UInt32 {
        var (one, other) = (one, other)
        while other != 0 { (one, other) = (other, one % other) }
        return one
    }

    // MARK: Routes and trips

    private mutating func write(_ number: Int, _ written: [WrittenTimes]) {
        let route = tables.routes[number]
        let range = route.firstTrip..<tables.routes[number + 1].firstTrip
        let (block, times) = (tables.timeBlocks[route.timeBlock], written[route.timeBlock])
        let drafts = tables.trips[range]
        let start = drafts.lazy.map(\.start).min() ?? 0
        var unit: UInt32 = 0
        for trip in drafts { unit = Self.commonDivisor(unit, UInt32(Int64(trip.start) - Int64(start))) }
        unit = max(1, unit)
        let firstReference = drafts.lazy.map(\.trip).min() ?? 0
        let hasRepetitions = drafts.contains { $0.frequency >= 0 }
        routes.append(
            JourneyNetwork.Route(
                pattern: route.pattern, route: route.route, firstCall: UInt32(route.firstCall),
                callCount: UInt32(route.callCount), firstTrip: UInt32(route.firstTrip), start: start,
                startUnit: Int32(clamping: unit), firstReference: firstReference,
                firstFrequency: hasRepetitions ? UInt32(frequencies.count) : .max,
                firstTimingGroup: UInt32(block.firstGroup), firstTime: times.firstTime, timeBase: times.base,
                timeUnit: times.unit, layout: times.layout))
        for (call, dwell) in times.dwells.enumerated() { dwells[route.firstCall + call] = dwell }
        for trip in drafts {
            // The builder keeps the differences within a route in range.
            trips.append(
                JourneyNetwork.Trip(
                    start: UInt16((Int64(trip.start) - Int64(start)) / Int64(unit)),
                    reference: UInt16(trip.trip - firstReference), service: trip.service,
                    timingGroup: trip.timingGroup - block.firstGroup))
            if hasRepetitions { frequencies.append(trip.frequency) }
        }
    }

    private mutating func addEnd() {
        routes.append(
            JourneyNetwork.Route(
                pattern: .max, route: .max, firstCall: UInt32(tables.calls.count), callCount: 0,
                firstTrip: UInt32(trips.count), start: 0, startUnit: 1, firstReference: 0, firstFrequency: .max,
                firstTimingGroup: 0, firstTime: UInt32(times.count / 4), timeBase: 0, timeUnit: 1,
                layout: .init(width: 1, hasDepartures: false)))
    }

    // MARK: Changes

    private mutating func writeFootpaths() {
        var counts: [JourneyNetwork.FootpathValue: Int] = [:]
        for footpath in tables.footpaths { counts[JourneyNetwork.FootpathValue(footpath), default: 0] += 1 }
        let sorted = counts.sorted {
            ($1.value, $0.key) < ($0.value, $1.key)
        }
        var numbers: [JourneyNetwork.FootpathValue: Int] = [:]
        for (value, _) in sorted.prefix(JourneyNetwork.PackedFootpath.maximumValues) {
            numbers[value] = footpathValues.count
            footpathValues.append(value)
        }
        for (position, footpath) in tables.footpaths.enumerated() {
            let value = JourneyNetwork.FootpathValue(footpath)
            let number = numbers[value] ?? JourneyNetwork.PackedFootpath.rare
            footpaths.append(JourneyNetwork.PackedFootpath(node: footpath.node, value: number))
            if number == JourneyNetwork.PackedFootpath.rare {
                rareFootpathValues.append(.init(footpath: UInt32(position), value: value))
            }
        }
    }

    private mutating func writeContinuations() {
        guard !tables.continuations.isEmpty else { return }
        let words = (trips.count + 63) / 64
        continuing = ContiguousArray(repeating: 0, count: words)
        continuationsOfTrips.reserveCapacity(words)
        for (number, continuation) in tables.continuations.enumerated() {
            while continuationsOfTrips.count <= continuation.trip >> 6 { continuationsOfTrips.append(UInt32(number)) }
            continuing[continuation.trip >> 6] |= 1 << UInt64(continuation.trip & 63)
            let isLast =
                number + 1 == tables.continuations.count
                || tables.continuations[number + 1].trip != continuation.trip
            continuations.append(.init(next: continuation.next, isLast: isLast))
        }
        while continuationsOfTrips.count < words { continuationsOfTrips.append(UInt32(continuations.count)) }
    }
}

extension JourneyNetwork.FootpathValue {
    fileprivate init(_ footpath: JourneyNetwork.Footpath) {
        self.init(kind: footpath.kind, value: footpath.value, stepFree: footpath.stepFree)
    }
}
