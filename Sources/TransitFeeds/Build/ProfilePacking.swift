internal import TransitModel

/// The running times of a trip as bytes: for each call the seconds since the departure before it and the seconds it
/// waits, with what is known of their worth. About two bytes a call.
///
/// Times never decrease along a trip when they come here, so nothing negative is written; only the first arrival lies
/// before the start, by the wait at the first stop.
enum ProfilePacking {
    private enum Mark {
        static let approximate: UInt64 = 1
        static let interpolated: UInt64 = 2
        static let waits: UInt64 = 4
    }

    /// `times` must be complete. The profile begins with the number of its pattern, because a lane belongs to one.
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

    /// Puts the times of a trip that starts at `start` back into `stopTimes`; interpolated ones become absent again.
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

    /// Seconds from the trip's start, which is its first departure.
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
