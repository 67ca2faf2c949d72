internal import TransitModel

/// Packs the relative times of a trip (its profile) into about two bytes per call.
///
/// The bytes contain for each call the seconds since the previous departure, the dwell time in seconds, and whether the
/// times are approximate or interpolated. Times never decrease along a trip at this point, so all packed values are
/// nonnegative. Only the first arrival is before the start of the trip. It precedes the start by the dwell time at the
/// first stop.
enum RunningTimesPacking {
    private enum Mark {
        static let approximate: UInt64 = 1
        static let interpolated: UInt64 = 2
        static let waits: UInt64 = 4
    }

    /// Packs `times`, none of which may be missing. The profile begins with the number of its pattern, because a timing
    /// group belongs to one pattern.
    static func pack(_ times: [StopTime], pattern: UInt32, into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        Varint.append(UInt64(pattern), to: &bytes)
        var previous = times.first?.arrival?.seconds ?? 0
        for time in times {
            guard let arrival = time.arrival?.seconds, let departure = time.departure?.seconds else { continue }
            let marks =
                (time.isExact ? 0 : Mark.approximate) | (time.isInterpolated ? Mark.interpolated : 0)
                | (departure == arrival ? 0 : Mark.waits)
            Varint.append(UInt64(UInt32(bitPattern: arrival &- previous)) << 3 | marks, to: &bytes)
            if departure != arrival { Varint.append(UInt64(UInt32(bitPattern: departure &- arrival)), to: &bytes) }
            previous = departure
        }
    }

    static func pattern(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var reader = Varint.Reader(bytes)
        return UInt32(truncatingIfNeeded: reader.next())
    }

    static func unpack(_ bytes: UnsafeBufferPointer<UInt8>) -> [CallTimes] {
        var times: [CallTimes] = []
        forEach(bytes) { arrival, departure, marks in
            times.append(CallTimes(arrival: arrival, departure: departure, isExact: marks & Mark.approximate == 0))
        }
        return times
    }

    /// Restores the times of a trip that starts at `start` into `stopTimes`. Interpolated times are omitted.
    static func restore(_ bytes: UnsafeBufferPointer<UInt8>, start: Int32, into stopTimes: inout [StopTime]) {
        var position = 0
        forEach(bytes) { arrival, departure, marks in
            stopTimes[position].isExact = marks & Mark.approximate == 0
            if marks & Mark.interpolated == 0 {
                stopTimes[position].arrival = ServiceTime(seconds: start + arrival)
                stopTimes[position].departure = ServiceTime(seconds: start + departure)
            }
            position += 1
        }
    }

    /// Calls `body` for each call, with times in seconds from the start of the trip. The start is the first departure.
    private static func forEach(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (_ arrival: Int32, _ departure: Int32, _ marks: UInt64) -> Void
    ) {
        var reader = Varint.Reader(bytes)
        _ = reader.next()
        var previous: Int32?
        while !reader.isAtEnd {
            let packed = reader.next()
            let wait = packed & Mark.waits == 0 ? 0 : Int32(truncatingIfNeeded: reader.next())
            let arrival = previous.map { $0 + Int32(truncatingIfNeeded: packed >> 3) } ?? -wait
            body(arrival, arrival + wait, packed & 3)
            previous = arrival + wait
        }
    }
}
