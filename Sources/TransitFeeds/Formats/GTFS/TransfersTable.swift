internal import TransitModel

enum TransferColumn: Int, TableColumn {
    case fromStop, toStop, fromRoute, toRoute, fromTrip, toTrip, kind, minimumTime

    static let file = "transfers.txt"
    static let names = [
        "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id", "transfer_type",
        "min_transfer_time",
    ]
    static let ignoredNames: [String] = []
    static let required: [TransferColumn] = []
}

/// Reads transfers.txt. A row with an unknown stop, route or trip is skipped, because without the reference, the
/// transfer would apply more broadly than the publisher intended.
struct TransfersTable {
    private(set) var transfers: [Transfer] = []

    init(
        _ files: FeedFiles, _ stops: StopsTable, _ routes: RoutesTable, _ builder: borrowing TimetableBuilder
    ) throws(FeedError) {
        let context = files.context
        var seen = ByteInterner()
        var key: [UInt8] = []
        try files.read(TransferColumn.self) { row throws(FeedError) in
            guard let transfer = Self.transfer(row, stops, routes, builder, context) else { return }
            Self.writeKey(row, to: &key)
            guard seen.intern(key).isNew else { return context.rejectDuplicate(row, TransferColumn.fromStop) }
            transfers.append(transfer)
        }
    }

    private static func transfer(
        _ row: borrowing CSVRow, _ stops: StopsTable, _ routes: RoutesTable, _ builder: borrowing TimetableBuilder,
        _ context: ReadingContext
    ) -> Transfer? {
        let kind = context.choice(row, TransferColumn.kind, absent: Transfer.Kind.recommended)
        guard hasRequired(row, kind, context) else { return nil }
        var isResolved = true
        func index<Index>(
            _ column: TransferColumn, _ file: String, isLeftOut: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in false },
            _ find: (UnsafeBufferPointer<UInt8>) -> Index?
        ) -> Index? {
            let id = row[column]
            guard !id.isEmpty else { return nil }
            if let index = find(id) { return index }
            if !isLeftOut(id) { context.rejectReference(row, column, to: file, "the row is skipped") }
            isResolved = false
            return nil
        }
        func trip(_ column: TransferColumn) -> TripID? {
            let id = row[column]
            if builder.isOutside(id) {
                isResolved = false
                return nil
            }
            return index(column, TripColumn.file) { builder.trip($0).map { TripID(builder.id(of: $0)) } }
        }
        let transfer = Transfer(
            fromStop: index(.fromStop, StopColumn.file, isLeftOut: stops.contains) { stops.index(of: $0) },
            toStop: index(.toStop, StopColumn.file, isLeftOut: stops.contains) { stops.index(of: $0) },
            fromRoute: index(.fromRoute, RouteColumn.file, isLeftOut: routes.contains) { routes.index(of: $0) },
            toRoute: index(.toRoute, RouteColumn.file, isLeftOut: routes.contains) { routes.index(of: $0) },
            fromTrip: trip(.fromTrip),
            toTrip: trip(.toTrip), kind: kind,
            minimumTime: context.integer(row, TransferColumn.minimumTime, in: 0...Int(ServiceTime.maximum)))
        return isResolved ? transfer : nil
    }

    /// Returns whether the row has both stops, or both trips for linked trips (`transfer_type` 4 and 5).
    private static func hasRequired(
        _ row: borrowing CSVRow, _ kind: Transfer.Kind, _ context: ReadingContext
    ) -> Bool {
        switch kind {
        case .inSeat, .inSeatNotAllowed:
            context.has(row, TransferColumn.fromTrip) && context.has(row, TransferColumn.toTrip)
        default: context.has(row, TransferColumn.fromStop) && context.has(row, TransferColumn.toStop)
        }
    }

    private static func writeKey(_ row: borrowing CSVRow, to key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        for column in [TransferColumn.fromStop, .toStop, .fromRoute, .toRoute, .fromTrip, .toTrip] {
            let field = row[column]
            Varint.append(UInt64(field.count), to: &key)
            key.append(contentsOf: field)
        }
    }
}
