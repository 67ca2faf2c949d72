internal import TransitModel

/// Packs the calls of a pattern into bytes, four or five per call.
///
/// The bytes contain the route, the direction, and for each call the stop, the increment of `stop_sequence`, pickup,
/// drop-off and headsign. Two trips share a pattern if and only if these bytes are equal.
enum CallPacking {
    static func pack(_ calls: [StopTime], route: RouteIndex, direction: Direction?, into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        Varint.append(UInt64(route.rawValue), to: &bytes)
        bytes.append(direction.map { $0.rawValue + 1 } ?? 0)
        var sequence: UInt32 = 0
        for call in calls {
            Varint.append(UInt64(call.stop.rawValue), to: &bytes)
            let flags =
                UInt64(call.pickup.rawValue) << 3 | UInt64(call.dropOff.rawValue) << 1 | (call.headsign == nil ? 0 : 1)
            Varint.append(UInt64(call.sequence &- sequence) << 5 | flags, to: &bytes)
            if let headsign = call.headsign { Varint.append(UInt64(headsign.rawValue), to: &bytes) }
            sequence = call.sequence
        }
    }

    /// Returns the sort keys of a packed pattern. A missing direction sorts as 0.
    static func routeAndDirection(_ bytes: UnsafeBufferPointer<UInt8>) -> (route: UInt32, direction: UInt8) {
        var reader = Varint.Reader(bytes)
        return (UInt32(truncatingIfNeeded: reader.next()), UInt8(truncatingIfNeeded: reader.next()))
    }

    static func unpack(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (route: RouteIndex, direction: Direction?, calls: [PatternCall]) {
        var reader = Varint.Reader(bytes)
        let route = RouteIndex(UInt32(truncatingIfNeeded: reader.next()))
        let direction = UInt8(truncatingIfNeeded: reader.next())
        var calls: [PatternCall] = []
        var sequence: UInt32 = 0
        while !reader.isAtEnd {
            let stop = StopIndex(UInt32(truncatingIfNeeded: reader.next()))
            let step = reader.next()
            sequence &+= UInt32(truncatingIfNeeded: step >> 5)
            let headsign = step & 1 == 0 ? nil : TextIndex(UInt32(truncatingIfNeeded: reader.next()))
            calls.append(
                PatternCall(
                    stop: stop, sequence: sequence,
                    pickup: PickupDropOff(rawValue: UInt8(truncatingIfNeeded: step >> 3) & 3) ?? .regular,
                    dropOff: PickupDropOff(rawValue: UInt8(truncatingIfNeeded: step >> 1) & 3) ?? .regular,
                    headsign: headsign))
        }
        return (route, direction == 0 ? nil : Direction(rawValue: direction - 1), calls)
    }
}
