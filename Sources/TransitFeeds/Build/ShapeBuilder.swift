internal import TransitModel

/// Packs the points of shapes while they are read, in any order of rows, into the form of `ShapePacking`.
///
/// Points of one shape mostly stand together and ascend: they are packed when the next shape begins. Points of a shape
/// that comes back are kept until the end and then merged.
struct ShapeBuilder: Sendable {
    struct Point: Sendable {
        var sequence: UInt32
        /// In the source, for messages.
        var line: UInt32
        var place: Coordinate
    }

    /// By shape; complete after ``finish()``.
    private(set) var packed = TextColumn()
    /// Points whose sequence number already occurred in their shape. They are skipped; all are counted, and a few are
    /// kept.
    private(set) var duplicates: [(shape: UInt32, sequence: UInt32, line: Int)] = []
    private(set) var duplicateCount = 0
    /// The maximum number of points in one shape: 10,000 kilometers with a point every 50 m.
    static let maximumPoints: UInt32 = 200_000
    private static let maximumExamples = 5
    /// The number of accepted points by shape, at most ``maximumPoints``.
    private var pointCounts: [UInt32] = []

    private var current: UInt32?
    private var run: [Point] = []
    /// `shape_pt_sequence` of every packed point by shape, as steps: needed only when a shape comes back.
    private var sequences = TextColumn()
    private var returned: [UInt32: [Point]] = [:]
    private var scratch: [UInt8] = []

    /// Shapes are numbered from 0 in the order of their first point. Returns false if the shape is full.
    mutating func append(_ point: Point, to shape: UInt32) -> Bool {
        if pointCounts.count <= Int(shape) { pointCounts.append(0) }
        guard pointCounts[Int(shape)] < Self.maximumPoints else { return false }
        pointCounts[Int(shape)] += 1
        if shape != current {
            flush()
            current = shape
        }
        run.append(point)
        return true
    }

    mutating func finish() {
        flush()
        if !returned.isEmpty { merge() }
        sequences = TextColumn()
        returned = [:]
    }

    private mutating func flush() {
        guard let shape = current else { return }
        if Int(shape) < packed.count {
            returned[shape, default: []].append(contentsOf: run)
        } else {
            pack(shape)
        }
        run.removeAll(keepingCapacity: true)
        current = nil
    }

    /// Sorts ``run`` and adds it as the next shape.
    private mutating func pack(_ shape: UInt32) {
        sortRun(shape)
        var writer = ShapePacking.Writer()
        scratch.removeAll(keepingCapacity: true)
        var previous: UInt32 = 0
        for point in run {
            writer.append(point.place)
            Varint.append(UInt64(point.sequence &- previous), to: &scratch)
            previous = point.sequence
        }
        packed.append(contentsOf: writer.bytes)
        sequences.append(contentsOf: scratch)
    }

    private mutating func sortRun(_ shape: UInt32) {
        guard !zip(run, run.dropFirst()).allSatisfy({ $0.sequence < $1.sequence }) else { return }
        run.sort { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
        var kept: [Point] = []
        for point in run {
            if kept.last?.sequence == point.sequence {
                duplicateCount += 1
                if duplicates.count < Self.maximumExamples {
                    duplicates.append((shape, point.sequence, Int(point.line)))
                }
            } else {
                kept.append(point)
            }
        }
        run = kept
    }

    private mutating func merge() {
        let (first, firstSequences) = (packed, sequences)
        packed = TextColumn()
        sequences = TextColumn()
        for shape in 0..<UInt32(first.count) {
            run = Self.points(first, firstSequences, Int(shape)) + (returned[shape] ?? [])
            pack(shape)
        }
        run = []
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
