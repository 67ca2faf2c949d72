internal import TransitModel

/// Packs the points of shapes into the format of `ShapePacking` while they are read. The rows can be in any order.
///
/// Usually the points of a shape are consecutive and ascending. In that case, they are packed when the next shape
/// begins. If more points of a packed shape follow later, those points are stored until the end and then merged.
struct ShapeBuilder: Sendable {
    struct Point: Sendable {
        var sequence: UInt32
        /// The line in shapes.txt, for messages.
        var line: UInt32
        var place: Coordinate
    }

    /// The packed points by shape, complete after ``finish()``.
    private(set) var packed = TextColumn()
    /// The first few points whose sequence number already occurred in their shape. Such points are skipped.
    /// ``duplicateCount`` is the number of all such points.
    private(set) var duplicates: [(shape: UInt32, sequence: UInt32, line: Int)] = []
    private(set) var duplicateCount = 0
    /// The maximum number of points in one shape: 10,000 kilometers with a point every 50 m.
    static let maximumPoints: UInt32 = 200_000
    private static let maximumExamples = 5
    /// The number of accepted points by shape, at most ``maximumPoints``.
    private var pointCounts: [UInt32] = []

    private var current: UInt32?
    /// The points of ``current`` that are not packed yet.
    private var pending: [Point] = []
    /// The increments of `shape_pt_sequence` of all packed points, by shape. The increments are used only to merge
    /// later points.
    private var sequences = TextColumn()
    /// The later points of shapes that were already packed.
    private var deferred: [UInt32: [Point]] = [:]
    private var scratch: [UInt8] = []

    /// Adds a point to a shape. Returns false if the shape has the maximum number of points. Shapes are numbered from 0
    /// in the order of their first point.
    mutating func append(_ point: Point, to shape: UInt32) -> Bool {
        if pointCounts.count <= Int(shape) { pointCounts.append(0) }
        guard pointCounts[Int(shape)] < Self.maximumPoints else { return false }
        pointCounts[Int(shape)] += 1
        if shape != current {
            flush()
            current = shape
        }
        pending.append(point)
        return true
    }

    mutating func finish() {
        flush()
        if !deferred.isEmpty { merge() }
        sequences = TextColumn()
        deferred = [:]
    }

    private mutating func flush() {
        guard let shape = current else { return }
        if Int(shape) < packed.count {
            deferred[shape, default: []].append(contentsOf: pending)
        } else {
            pack(shape)
        }
        pending.removeAll(keepingCapacity: true)
        current = nil
    }

    /// Sorts ``pending`` and packs it as the next shape.
    private mutating func pack(_ shape: UInt32) {
        sortPending(shape)
        var writer = ShapePacking.Writer()
        scratch.removeAll(keepingCapacity: true)
        var previous: UInt32 = 0
        for point in pending {
            writer.append(point.place)
            Varint.append(UInt64(point.sequence &- previous), to: &scratch)
            previous = point.sequence
        }
        packed.append(contentsOf: writer.bytes)
        sequences.append(contentsOf: scratch)
    }

    private mutating func sortPending(_ shape: UInt32) {
        guard !zip(pending, pending.dropFirst()).allSatisfy({ $0.sequence < $1.sequence }) else { return }
        pending.sort { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
        var unique: [Point] = []
        for point in pending {
            if unique.last?.sequence == point.sequence {
                duplicateCount += 1
                if duplicates.count < Self.maximumExamples {
                    duplicates.append((shape, point.sequence, Int(point.line)))
                }
            } else {
                unique.append(point)
            }
        }
        pending = unique
    }

    private mutating func merge() {
        let (first, firstSequences) = (packed, sequences)
        packed = TextColumn()
        sequences = TextColumn()
        for shape in 0..<UInt32(first.count) {
            pending = Self.points(first, firstSequences, Int(shape)) + (deferred[shape] ?? [])
            pack(shape)
        }
        pending = []
    }

    private static func points(_ packed: TextColumn, _ sequences: TextColumn, _ shape: Int) -> [Point] {
        let places = ShapePacking.points(packed.bytes[packed.range(shape)]) ?? []
        return sequences.bytes[sequences.range(shape)].withUnsafeBufferPointer { bytes in
            var reader = Varint.Reader(bytes)
            var sequence: UInt32 = 0
            return places.map { place in
                sequence &+= UInt32(truncatingIfNeeded: reader.next())
                return Point(sequence: sequence, line: 0, place: place)
            }
        }
    }
}
