internal import TransitModel

/// The blob of one pattern: the bytes in which the model keeps it, sealed. Reading it is checking it.
enum PatternCoding {
    /// Times beyond this, either way, are not written and not believed.
    private static let longest = Int(ServiceTime.maximum)

    static func write(_ pattern: Pattern, sizes: TableSizes, to writer: inout ByteWriter) throws(StoreError) {
        if let defect = defect(of: pattern, sizes: sizes) {
            throw .draft("pattern \(pattern.index.rawValue) \(defect)")
        }
        writer.put(bytes: pattern.packed)
        writer.seal()
    }

    /// Takes a blob over and checks every number in it against the tables that it points to.
    static func read(
        _ blob: UnsafeRawBufferPointer, index: PatternIndex, sizes: TableSizes
    ) throws(MalformedDataError) -> Pattern {
        let reader = try ByteReader(sealed: blob)
        guard let pattern = Pattern(index: index, packed: [UInt8](reader.rest)) else {
            throw MalformedDataError("is not a packed pattern")
        }
        if let defect = defect(of: pattern, sizes: sizes) { throw MalformedDataError(defect) }
        return pattern
    }

    /// What makes a pattern impossible to write and to believe, as the end of a sentence.
    private static func defect(of pattern: Pattern, sizes: TableSizes) -> String? {
        if pattern.route.position >= sizes.routes { return "names an unknown route" }
        if !pattern.column(.stops).isWithin(0..<sizes.stops) { return "names an unknown stop" }
        if !pattern.column(.headsigns).isWithin(0..<sizes.texts + 1) { return "names an unknown text" }
        if !pattern.column(.services).isWithin(0..<sizes.services) { return "names an unknown service" }
        if !hasKnownTrips(pattern, sizes) { return "has trips that are not in the table" }
        return hasSoundTimes(pattern) ? nil : "has an impossible time"
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

    private static func hasSoundTimes(_ pattern: Pattern) -> Bool {
        let (spans, reach) = (0..<longest + 1, -longest..<longest + 1)
        return pattern.column(.earliest).isWithin(reach) && pattern.column(.delays).isWithin(spans)
            && pattern.column(.dwellTimes).isWithin(reach) && pattern.column(.starts).isWithin(spans)
            && pattern.column(.frequencyStarts).isWithin(spans) && pattern.column(.frequencyEnds).isWithin(spans)
            && pattern.column(.headways).isWithin(1..<longest + 1)
    }
}
