internal import TransitModel

enum FrequencyColumn: Int, TableColumn {
    case trip, start, end, headway, exact

    static let file = "frequencies.txt"
    static let names = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]
    static let ignoredNames: [String] = []
    static let required: [FrequencyColumn] = [.trip, .start, .end, .headway]
}

/// Reads frequencies.txt and adds its rows to a ``TimetableBuilder``.
enum FrequenciesTable {
    static func read(
        _ files: FeedFiles, skippedTrips: ByteInterner, into builder: inout TimetableBuilder
    ) throws(FeedError) {
        try files.read(FrequencyColumn.self) { row throws(FeedError) in
            if let frequency = frequency(row, skippedTrips, builder, files.context) { builder.append(frequency) }
        }
    }

    private static func frequency(
        _ row: borrowing CSVRow, _ skippedTrips: ByteInterner, _ builder: borrowing TimetableBuilder,
        _ context: ReadingContext
    ) -> SourceFrequency? {
        guard let trip = trip(row, skippedTrips, builder, context), context.has(row, FrequencyColumn.start),
            let start = context.time(row, FrequencyColumn.start), context.has(row, FrequencyColumn.end),
            let end = context.time(row, FrequencyColumn.end), context.has(row, FrequencyColumn.headway),
            let headway = context.integer(row, FrequencyColumn.headway, in: 1...Int(ServiceTime.maximum))
        else { return nil }
        guard start < end else {
            context.reject(
                row, FrequencyColumn.end,
                start == end ? "start_and_end_range_equal" : "start_and_end_range_out_of_order", .error,
                "end_time is not after start_time; the row is skipped")
            return nil
        }
        return SourceFrequency(
            trip: trip, start: start, end: end, headway: Int32(headway), isExact: isExact(row, context),
            line: UInt32(clamping: row.line))
    }

    private static func trip(
        _ row: borrowing CSVRow, _ skippedTrips: ByteInterner, _ builder: borrowing TimetableBuilder,
        _ context: ReadingContext
    ) -> SourceTripNumber? {
        guard context.has(row, FrequencyColumn.trip) else { return nil }
        if let trip = builder.keptTrip(row[FrequencyColumn.trip]) { return trip }
        if builder.isOutside(row[FrequencyColumn.trip]) { return nil }
        if skippedTrips.find(row[FrequencyColumn.trip]) != nil {
            context.reject(
                row, FrequencyColumn.trip, "row_of_skipped_trip", .info,
                "The row is skipped because its trip was skipped")
        } else {
            context.rejectReference(row, FrequencyColumn.trip, to: TripColumn.file, "the row is skipped")
        }
        return nil
    }

    private static func isExact(_ row: borrowing CSVRow, _ context: ReadingContext) -> Bool {
        let value = row[FrequencyColumn.exact]
        if value.isEmpty || value.count == 1 && value[0] == 0x30 { return false }
        if value.count == 1, value[0] == 0x31 { return true }
        context.rejectValue(row, FrequencyColumn.exact, "unexpected_enum_value", "is neither 0 nor 1")
        return false
    }
}
