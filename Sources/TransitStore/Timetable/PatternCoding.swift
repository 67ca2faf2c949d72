internal import TransitModel

/// The blob of one pattern: its calls, then its lanes, each in the shortest of a few forms that its flags name.
///
/// Most patterns have regular stop sequences and no stop headsigns; most lanes have no dwell and whole minutes. Those
/// take one byte a call for the stop and one for the running time.
enum PatternCoding {
    struct PatternFlags: OptionSet {
        let rawValue: UInt8
        static let hasDirection = Self(rawValue: 1)
        static let isDirectionOne = Self(rawValue: 2)
        /// Sequences do not count up by one.
        static let hasSequences = Self(rawValue: 4)
        static let hasPickups = Self(rawValue: 8)
        static let hasHeadsigns = Self(rawValue: 16)
    }

    struct LaneFlags: OptionSet {
        let rawValue: UInt8
        /// Some arrival differs from its departure.
        static let hasDwell = Self(rawValue: 1)
        /// Some times are not exact; a bit for each call follows the times.
        static let hasInexact = Self(rawValue: 2)
        /// The times, the starts, are whole minutes and kept as such.
        static let timesInMinutes = Self(rawValue: 4)
        static let startsInMinutes = Self(rawValue: 8)
        static let hasManyServices = Self(rawValue: 16)
        static let hasFrequencies = Self(rawValue: 32)
    }

    /// Times beyond this, either way, are not written and not believed.
    static let longest = ServiceTime.maximum
}

// MARK: Writing

extension PatternCoding {
    static func write(_ pattern: Pattern, sizes: TableSizes, to writer: inout ByteWriter) throws(StoreError) {
        if let defect = defect(of: pattern, sizes: sizes) {
            throw .draft("pattern \(pattern.index.rawValue) \(defect)")
        }
        let flags = flags(of: pattern)
        writer.put(byte: flags.rawValue)
        writer.put(pattern.route.rawValue)
        writer.put(pattern.calls.count)
        writer.put(pattern.lanes.count)
        write(pattern.calls, flags, to: &writer)
        var nextTrip: UInt32 = 0
        for lane in pattern.lanes {
            if let defect = defect(of: lane, calls: pattern.calls.count, sizes: sizes) {
                throw .draft("a lane of pattern \(pattern.index.rawValue) \(defect)")
            }
            write(lane, after: nextTrip, to: &writer)
            nextTrip = lane.firstTrip.rawValue + UInt32(lane.starts.count)
        }
        writer.seal()
    }

    private static func flags(of pattern: Pattern) -> PatternFlags {
        var flags: PatternFlags = []
        if pattern.direction != nil { flags.insert(.hasDirection) }
        if pattern.direction == .one { flags.insert(.isDirectionOne) }
        var expected = pattern.calls.first?.sequence ?? 0
        for call in pattern.calls {
            if call.sequence != expected { flags.insert(.hasSequences) }
            if call.pickup != .regular || call.dropOff != .regular { flags.insert(.hasPickups) }
            if call.headsign != nil { flags.insert(.hasHeadsigns) }
            expected &+= 1
        }
        return flags
    }

    private static func write(_ calls: [PatternCall], _ flags: PatternFlags, to writer: inout ByteWriter) {
        var stop: UInt32 = 0
        for call in calls {
            writer.putSigned(Int32(bitPattern: call.stop.rawValue &- stop))
            stop = call.stop.rawValue
        }
        if !flags.contains(.hasSequences) {
            writer.put(calls.first?.sequence ?? 0)
        } else {
            var sequence: UInt32 = 0
            for call in calls {
                writer.putSigned(Int32(bitPattern: call.sequence &- sequence))
                sequence = call.sequence
            }
        }
        if flags.contains(.hasPickups) {
            for call in calls { writer.put(byte: call.pickup.rawValue | call.dropOff.rawValue << 2) }
        }
        if flags.contains(.hasHeadsigns) {
            for call in calls { writer.put(call.headsign) }
        }
    }

    private static func write(_ lane: Lane, after nextTrip: UInt32, to writer: inout ByteWriter) {
        let flags = flags(of: lane)
        writer.put(byte: flags.rawValue)
        writer.putSigned(Int32(bitPattern: lane.firstTrip.rawValue &- nextTrip))
        writer.put(lane.starts.count)
        writeTimes(lane.times, flags, to: &writer)
        let unit: Int32 = flags.contains(.startsInMinutes) ? 60 : 1
        var start: Int32 = 0
        for next in lane.starts {
            writer.put(UInt32(next - start) / UInt32(unit))
            start = next
        }
        if flags.contains(.hasManyServices) {
            for service in lane.services { writer.put(service.rawValue) }
        } else if let service = lane.services.first {
            writer.put(service.rawValue)
        }
        if flags.contains(.hasFrequencies) { write(lane.frequencies, to: &writer) }
    }

    private static func flags(of lane: Lane) -> LaneFlags {
        var flags: LaneFlags = [.timesInMinutes, .startsInMinutes]
        for time in lane.times {
            if time.arrival != time.departure { flags.insert(.hasDwell) }
            if !time.isExact { flags.insert(.hasInexact) }
            if time.arrival % 60 != 0 || time.departure % 60 != 0 { flags.remove(.timesInMinutes) }
        }
        if lane.starts.contains(where: { $0 % 60 != 0 }) { flags.remove(.startsInMinutes) }
        if lane.services.contains(where: { $0 != lane.services[0] }) { flags.insert(.hasManyServices) }
        if !lane.frequencies.isEmpty { flags.insert(.hasFrequencies) }
        return flags
    }

    private static func writeTimes(_ times: [CallTimes], _ flags: LaneFlags, to writer: inout ByteWriter) {
        let unit: Int32 = flags.contains(.timesInMinutes) ? 60 : 1
        var departure: Int32 = 0
        for time in times {
            writer.putSigned((time.arrival - departure) / unit)
            if flags.contains(.hasDwell) { writer.putSigned((time.departure - time.arrival) / unit) }
            departure = time.departure
        }
        guard flags.contains(.hasInexact) else { return }
        for first in stride(from: 0, to: times.count, by: 8) {
            var bits: UInt8 = 0
            for position in first..<min(first + 8, times.count) where !times[position].isExact {
                bits |= 1 << UInt8(position - first)
            }
            writer.put(byte: bits)
        }
    }

    private static func write(_ frequencies: [Frequency], to writer: inout ByteWriter) {
        writer.put(frequencies.count)
        for row in frequencies {
            writer.put(row.trip << 1 | (row.isExact ? 1 : 0))
            writer.putSigned(row.start)
            writer.putSigned(row.end)
            writer.put(UInt32(row.headway))
        }
    }

    /// What makes a pattern impossible to write, its lanes aside, as the end of a sentence.
    private static func defect(of pattern: Pattern, sizes: TableSizes) -> String? {
        if pattern.route.position >= sizes.routes { return "names an unknown route" }
        if pattern.calls.contains(where: { $0.stop.position >= sizes.stops }) { return "names an unknown stop" }
        let headsigns = pattern.calls.lazy.compactMap(\.headsign)
        return headsigns.contains { $0.position >= sizes.texts } ? "names an unknown text" : nil
    }

    /// The same for a lane.
    private static func defect(of lane: Lane, calls: Int, sizes: TableSizes) -> String? {
        if lane.times.count != calls { return "has times for another number of calls" }
        if lane.services.count != lane.starts.count { return "has another number of services than trips" }
        if lane.firstTrip.position + lane.starts.count > sizes.trips { return "has trips that are not in the table" }
        if lane.services.contains(where: { $0.position >= sizes.services }) { return "names an unknown service" }
        let reach = -longest...longest
        if lane.times.contains(where: { !reach.contains($0.arrival) || !reach.contains($0.departure) }) {
            return "has a time that is too long"
        }
        var previous: Int32 = 0
        for start in lane.starts {
            guard start >= previous, start <= longest else { return "has a start that is out of order or too late" }
            previous = start
        }
        return lane.frequencies.allSatisfy { isSound($0, trips: lane.starts.count) }
            ? nil : "has an impossible frequency"
    }

    static func isSound(_ row: Frequency, trips: Int) -> Bool {
        row.trip < trips && row.trip < 1 << 31 && row.headway > 0 && row.headway <= longest
            && (0...longest).contains(row.start) && (0...longest).contains(row.end)
    }
}
