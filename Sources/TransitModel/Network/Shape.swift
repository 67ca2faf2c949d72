/// The path that a vehicle travels: the rows of shapes.txt with one `shape_id`, in sequence order.
public struct Shape: Hashable, Sendable {
    public var id: ShapeID
    public var points: [Coordinate]

    public init(id: ShapeID, points: [Coordinate]) {
        self.id = id
        self.points = points
    }
}

/// The shapes in shapes.txt as columns. Each shape is encoded by ``ShapePacking``.
public struct ShapeColumns: Sendable {
    public var ids = TextColumn()
    public var packed = TextColumn()
    public init() {}
    public var count: Int { ids.count }
}

/// A compact encoding of the points of a shape.
///
/// Each point is stored as the difference in latitude, then in longitude, from the previous point, in units of 1e-5
/// degree (1.1 m). The differences are zigzag-encoded variable-length integers, seven bits per byte, low bits first. A
/// point takes 2 to 4 bytes instead of about 40 in shapes.txt.
public enum ShapePacking {
    /// Units per degree.
    public static let scale = 100_000.0

    /// Packs the points of one shape.
    public struct Writer: Sendable {
        public private(set) var bytes: [UInt8] = []
        private var latitude: Int32 = 0
        private var longitude: Int32 = 0

        public init() {}

        public mutating func append(_ point: Coordinate) {
            let next = (Int32((point.latitude * scale).rounded()), Int32((point.longitude * scale).rounded()))
            put(next.0 &- latitude)
            put(next.1 &- longitude)
            (latitude, longitude) = next
        }

        private mutating func put(_ delta: Int32) {
            var value = UInt32(bitPattern: (delta << 1) ^ (delta >> 31))
            while value >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
                value >>= 7
            }
            bytes.append(UInt8(value))
        }
    }

    /// Unpacks the points. Returns `nil` if the bytes are malformed or incomplete.
    public static func points(_ bytes: some Sequence<UInt8>) -> [Coordinate]? {
        var points: [Coordinate] = []
        var iterator = bytes.makeIterator()
        var latitude: Int32 = 0
        var longitude: Int32 = 0
        while let first = iterator.next() {
            guard let north = delta(first, &iterator), let next = iterator.next(), let east = delta(next, &iterator)
            else {
                return nil
            }
            latitude &+= north
            longitude &+= east
            guard let point = Coordinate(latitude: Double(latitude) / scale, longitude: Double(longitude) / scale)
            else {
                return nil
            }
            points.append(point)
        }
        return points
    }

    private static func delta(_ first: UInt8, _ rest: inout some IteratorProtocol<UInt8>) -> Int32? {
        var value = UInt32(first & 0x7F)
        var shift: UInt32 = 7
        var byte = first
        while byte & 0x80 != 0 {
            guard shift < 35, let next = rest.next() else { return nil }
            byte = next
            value |= UInt32(byte & 0x7F) << shift
            shift += 7
        }
        return Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }
}
