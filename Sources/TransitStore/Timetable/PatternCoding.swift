internal import TransitModel

/// The blob of one pattern: its packed bytes and a checksum. Reading a pattern requires only validation, no decoding.
enum PatternCoding {
    /// The maximum absolute value of a time. Larger values are neither written nor accepted.
    private static let maximumTime = Int(ServiceTime.maximum)

    static func write(_ pattern: Pattern, sizes: TableSizes, to writer: inout ByteWriter) throws(StoreError) {
        if let defect = defect(of: pattern, sizes: sizes) {
            throw .draft("pattern \(pattern.index.rawValue) \(defect)")
        }
        writer.put(bytes: pattern.packed)
        writer.seal()
    }

    /// Decodes a blob and checks all indices in it against the sizes of the tables.
    static func read(
        _ blob: UnsafeRawBufferPointer, index: PatternIndex, sizes: TableSizes
    ) throws(MalformedDataError) -> Pattern {
        let reader = try ByteReader(sealed: blob)
        guard let pattern = Pattern(index: index, packed: [UInt8](reader.rest)) else {
            throw MalformedDataError("is not a valid packed pattern")
        }
        if let defect = defect(of: pattern, sizes: sizes) { throw MalformedDataError(defect) }
        return pattern
    }

    /// Returns the reason why a pattern is invalid, as the predicate of a sentence, or `nil` if it is valid.
    private static func defect(of pattern: Pattern, sizes: TableSizes) -> String? {
        if pattern.route.position >= sizes.routes { return "refers to an unknown route" }
        if !pattern.column(.stops).isWithin(0..<sizes.stops) { return "refers to an unknown stop" }
        if !pattern.column(.headsigns).isWithin(0..<sizes.texts + 1) { return "refers to an unknown text" }
        if !pattern.column(.services).isWithin(0..<sizes.services) { return "refers to an unknown service" }
        if !hasKnownTrips(pattern, sizes) { return "refers to an unknown trip" }
        return hasValidTimes(pattern) ? nil : "has a time out of range"
    }

    private static func hasKnownTrips(_ pattern: Pattern, _ sizes: TableSizes) -> Bool {
        let (offsets, ends) = (pattern.column(.trips), pattern.column(.timingGroupEnds))
        var begin = 0
        for timingGroup in offsets.indices {
            let (offset, end) = (Int(offsets[timingGroup]), Int(ends[timingGroup]))
            guard offset + begin >= 0, offset + end <= sizes.trips else { return false }
            begin = end
        }
        return true
    }

    private static func hasValidTimes(_ pattern: Pattern) -> Bool {
        let (nonNegative, signed) = (0..<maximumTime + 1, -maximumTime..<maximumTime + 1)
        return pattern.column(.minimumDepartures).isWithin(signed)
            && pattern.column(.departureOffsets).isWithin(nonNegative)
            && pattern.column(.dwellTimes).isWithin(signed) && pattern.column(.starts).isWithin(nonNegative)
            && pattern.column(.frequencyStarts).isWithin(nonNegative)
            && pattern.column(.frequencyEnds).isWithin(nonNegative)
            && pattern.column(.headways).isWithin(1..<maximumTime + 1)
    }
}
