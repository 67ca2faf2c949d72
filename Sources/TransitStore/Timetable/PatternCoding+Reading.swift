internal import TransitModel

extension PatternCoding {
    /// Unpacks a blob and checks every number in it against the tables that it points to.
    static func read(
        _ blob: UnsafeRawBufferPointer, index: PatternIndex, sizes: TableSizes
    ) throws(Malformed) -> Pattern {
        var reader = try ByteReader(sealed: blob)
        let flags = PatternFlags(rawValue: try reader.byte())
        let route = try reader.number()
        guard route < sizes.routes else { throw Malformed("names an unknown route") }
        let callCount = try reader.count()
        let laneCount = try reader.count()
        let calls = try readCalls(callCount, flags, sizes, &reader)
        var lanes: [Lane] = []
        lanes.reserveCapacity(laneCount)
        var nextTrip: UInt32 = 0
        for _ in 0..<laneCount {
            let lane = try readLane(calls: callCount, after: nextTrip, sizes, &reader)
            nextTrip = lane.firstTrip.rawValue + UInt32(lane.starts.count)
            lanes.append(lane)
        }
        try reader.finish()
        let direction: Direction? =
            flags.contains(.hasDirection) ? (flags.contains(.isDirectionOne) ? .one : .zero) : nil
        return Pattern(index: index, route: RouteIndex(route), direction: direction, calls: calls, lanes: lanes)
    }

    private static func readCalls(
        _ count: Int, _ flags: PatternFlags, _ sizes: TableSizes, _ reader: inout ByteReader
    ) throws(Malformed) -> [PatternCall] {
        var calls: [PatternCall] = []
        calls.reserveCapacity(count)
        var stop: UInt32 = 0
        for _ in 0..<count {
            stop &+= UInt32(bitPattern: try reader.signed())
            guard stop < sizes.stops else { throw Malformed("names an unknown stop") }
            calls.append(PatternCall(stop: StopIndex(stop), sequence: 0))
        }
        try readSequences(flags, into: &calls, &reader)
        if flags.contains(.hasPickups) { try readPickups(into: &calls, &reader) }
        if flags.contains(.hasHeadsigns) {
            for position in calls.indices {
                calls[position].headsign = try reader.optionalIndex(below: sizes.texts)
            }
        }
        return calls
    }

    private static func readSequences(
        _ flags: PatternFlags, into calls: inout [PatternCall], _ reader: inout ByteReader
    ) throws(Malformed) {
        if flags.contains(.hasSequences) {
            var sequence: UInt32 = 0
            for position in calls.indices {
                sequence &+= UInt32(bitPattern: try reader.signed())
                calls[position].sequence = sequence
            }
        } else {
            let first = try reader.number()
            for position in calls.indices { calls[position].sequence = first &+ UInt32(position) }
        }
    }

    private static func readPickups(into calls: inout [PatternCall], _ reader: inout ByteReader) throws(Malformed) {
        for position in calls.indices {
            let byte = try reader.byte()
            guard let pickup = PickupDropOff(rawValue: byte & 3), let dropOff = PickupDropOff(rawValue: byte >> 2)
            else { throw Malformed("has an unknown pick-up type") }
            calls[position].pickup = pickup
            calls[position].dropOff = dropOff
        }
    }

    private static func readLane(
        calls: Int, after nextTrip: UInt32, _ sizes: TableSizes, _ reader: inout ByteReader
    ) throws(Malformed) -> Lane {
        let flags = LaneFlags(rawValue: try reader.byte())
        let first = nextTrip &+ UInt32(bitPattern: try reader.signed())
        let count = try reader.count()
        guard Int(first) + count <= sizes.trips else { throw Malformed("names an unknown trip") }
        return Lane(
            times: try readTimes(calls, flags, &reader),
            firstTrip: TripIndex(first),
            starts: try readStarts(count, flags, &reader),
            services: try readServices(count, flags, sizes, &reader),
            frequencies: flags.contains(.hasFrequencies) ? try readFrequencies(trips: count, &reader) : [])
    }

    private static func readTimes(
        _ count: Int, _ flags: LaneFlags, _ reader: inout ByteReader
    ) throws(Malformed) -> [CallTimes] {
        let unit: Int32 = flags.contains(.timesInMinutes) ? 60 : 1
        let hasDwell = flags.contains(.hasDwell)
        var times: [CallTimes] = []
        times.reserveCapacity(count)
        var departure: Int32 = 0
        for _ in 0..<count {
            let arrival = try time(departure &+ (try reader.signed()) &* unit)
            departure = hasDwell ? try time(arrival &+ (try reader.signed()) &* unit) : arrival
            times.append(CallTimes(arrival: arrival, departure: departure))
        }
        guard flags.contains(.hasInexact) else { return times }
        let bits = try reader.slice((count + 7) / 8)
        for position in times.indices {
            times[position].isExact = bits[position / 8] & (1 << UInt8(position % 8)) == 0
        }
        return times
    }

    private static func time(_ seconds: Int32) throws(Malformed) -> Int32 {
        guard seconds >= -longest, seconds <= longest else { throw Malformed("has a time that is too long") }
        return seconds
    }

    private static func readStarts(
        _ count: Int, _ flags: LaneFlags, _ reader: inout ByteReader
    ) throws(Malformed) -> [Int32] {
        let unit: UInt32 = flags.contains(.startsInMinutes) ? 60 : 1
        var starts: [Int32] = []
        starts.reserveCapacity(count)
        var start: Int32 = 0
        for _ in 0..<count {
            let step = try reader.number()
            guard step <= UInt32(longest) else { throw Malformed("has a start that is too late") }
            start += Int32(step * unit)
            guard start <= longest else { throw Malformed("has a start that is too late") }
            starts.append(start)
        }
        return starts
    }

    private static func readServices(
        _ count: Int, _ flags: LaneFlags, _ sizes: TableSizes, _ reader: inout ByteReader
    ) throws(Malformed) -> [ServiceIndex] {
        guard count > 0 else { return [] }
        guard flags.contains(.hasManyServices) else {
            return [ServiceIndex](repeating: try service(sizes, &reader), count: count)
        }
        var services: [ServiceIndex] = []
        services.reserveCapacity(count)
        for _ in 0..<count { services.append(try service(sizes, &reader)) }
        return services
    }

    private static func service(_ sizes: TableSizes, _ reader: inout ByteReader) throws(Malformed) -> ServiceIndex {
        let service = try reader.number()
        guard service < sizes.services else { throw Malformed("names an unknown service") }
        return ServiceIndex(service)
    }

    private static func readFrequencies(
        trips: Int, _ reader: inout ByteReader
    ) throws(Malformed) -> [Frequency] {
        var frequencies: [Frequency] = []
        for _ in 0..<(try reader.count(ofSize: 4)) {
            let trip = try reader.number()
            let row = Frequency(
                trip: trip >> 1, start: try reader.signed(), end: try reader.signed(),
                headway: Int32(truncatingIfNeeded: try reader.number()), isExact: trip & 1 != 0)
            guard isSound(row, trips: trips) else { throw Malformed("has an impossible frequency") }
            frequencies.append(row)
        }
        return frequencies
    }
}
