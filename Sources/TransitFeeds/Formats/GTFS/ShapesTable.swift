internal import TransitModel

enum ShapeColumn: Int, TableColumn {
    case id, latitude, longitude, sequence, distance

    static let file = "shapes.txt"
    static let names = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled"]
    static let ignoredNames: [String] = []
    static let required: [ShapeColumn] = [.id, .latitude, .longitude, .sequence]
}

/// Reads shapes.txt: the paths of vehicles.
struct ShapesTable {
    private var ids = ByteInterner()
    private var builder = ShapeBuilder()
    /// The previous row with a distance.
    private var previous: (shape: UInt32, sequence: UInt32, distance: Double)?

    /// Reads the shapes.
    ///
    /// - Parameter isWanted: Returns whether a shape is kept.
    init(
        _ files: FeedFiles, isWanted: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in true }
    ) throws(FeedError) {
        var current: UInt32?
        // Rows of one shape are mostly consecutive, so the latest decision is kept.
        var unwanted: [UInt8] = []
        try files.read(ShapeColumn.self) { row throws(FeedError) in
            guard files.context.has(row, ShapeColumn.id) else { return }
            if !unwanted.isEmpty, row[ShapeColumn.id].elementsEqual(unwanted) { return }
            let isCurrent = current.map { ids.matches($0, row[ShapeColumn.id]) } ?? false
            if !isCurrent, !isWanted(row[ShapeColumn.id]) {
                unwanted = Array(row[ShapeColumn.id])
                return
            }
            guard let point = point(row, files.context) else { return }
            let shape: UInt32
            if isCurrent, let current {
                shape = current
            } else {
                shape = ids.intern(row[ShapeColumn.id]).number
                current = shape
            }
            guard builder.append(point, to: shape) else {
                files.context.reject(
                    row, ShapeColumn.id, "too_many_shape_points", .error,
                    "The shape has more than \(ShapeBuilder.maximumPoints) points; the row is skipped")
                return
            }
            checkDistance(row, shape, point.sequence, files.context)
        }
        builder.finish()
        // The first example also represents the points that were only counted.
        var count = builder.duplicateCount - builder.duplicates.count + 1
        for (shape, sequence, line) in builder.duplicates {
            defer { count = 1 }
            files.context.add(
                "duplicate_key", .error, at: .init(file: ShapeColumn.file, line: line), count: count,
                "The shape “\(FieldValue.excerpt(ids.text(shape)))” already has a point \(sequence); the row is skipped"
            )
        }
    }

    func index(of id: UnsafeBufferPointer<UInt8>) -> ShapeIndex? { ids.find(id).map { ShapeIndex($0) } }

    @inline(__always)
    func matches(_ shape: ShapeIndex, _ id: UnsafeBufferPointer<UInt8>) -> Bool { ids.matches(shape.rawValue, id) }

    consuming func columns() -> ShapeColumns {
        var columns = ShapeColumns()
        columns.ids = ids.column()
        columns.packed = builder.packed
        return columns
    }

    /// Reports a distance that decreases along a shape. This violates the GTFS reference, shapes.txt. The distances in
    /// shapes.txt are not used for anything else.
    private mutating func checkDistance(
        _ row: borrowing CSVRow, _ shape: UInt32, _ sequence: UInt32, _ context: ReadingContext
    ) {
        guard let distance = FieldValue.decimal(row[ShapeColumn.distance]) else { return }
        if let previous, previous.shape == shape, previous.sequence < sequence, distance < previous.distance {
            context.reject(
                row, ShapeColumn.distance, "decreasing_shape_distance", .warning,
                "shape_dist_traveled is less than at the previous point")
        }
        previous = (shape, sequence, distance)
    }

    private func point(_ row: borrowing CSVRow, _ context: ReadingContext) -> ShapeBuilder.Point? {
        guard context.has(row, ShapeColumn.sequence), context.has(row, ShapeColumn.latitude),
            let sequence = context.integer(row, ShapeColumn.sequence, in: 0...Int(UInt32.max)),
            let place = context.coordinate(row, ShapeColumn.latitude, ShapeColumn.longitude)
        else { return nil }
        return ShapeBuilder.Point(sequence: UInt32(sequence), line: UInt32(clamping: row.line), place: place)
    }
}
