internal import TransitModel

enum StopTimeColumn: Int, TableColumn {
    case trip, arrival, departure, stop, sequence, headsign, pickup, dropOff, distance, timepoint
    case location, locationGroup, windowStart, windowEnd

    static let file = "stop_times.txt"
    static let names = [
        "trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "stop_headsign", "pickup_type",
        "drop_off_type", "shape_dist_traveled", "timepoint", "location_id", "location_group_id",
        "start_pickup_drop_off_window", "end_pickup_drop_off_window",
    ]
    static let ignoredNames = [
        "continuous_pickup", "continuous_drop_off", "pickup_booking_rule_id", "drop_off_booking_rule_id",
    ]
    static let required: [StopTimeColumn] = [.trip, .arrival, .departure, .stop, .sequence]
}

/// Reads stop_times.txt and adds the stop times to a ``TimetableBuilder``.
///
/// This is the largest table and takes nearly all of the import time. A row usually has the same trip as the previous
/// row, and the stop that most recently followed the previous stop. Both guesses are tried before a lookup.
struct StopTimesTable {
    /// The maximum `shape_dist_traveled`: several times the circumference of the Earth in millimeters.
    private static let maximumDistance = 1e12

    private let stops: StopsTable
    private let skippedTrips: ByteInterner
    private let context: ReadingContext
    /// Receives the problems of complete trips.
    private let tripContext: ReadingContext
    private var trip: SourceTripNumber?
    private var nextTrip = SourceTripNumber(0)
    private var stop = StopIndex(UInt32(0))
    /// The stop that most recently followed each stop.
    private var successors: [StopIndex]
    private var headsign: UInt32 = 0
    /// Whether any row calls at each stop, by stop.
    private(set) var isUsed: [Bool]
    /// The identifier of the latest trip that is not kept.
    private var outsideTrip: [UInt8] = []

    /// - Parameter tripContext: Receives the problems of complete trips; `nil` for the context of the files.
    init(
        _ files: FeedFiles, _ stops: StopsTable, skippedTrips: ByteInterner, tripContext: ReadingContext? = nil,
        into builder: inout TimetableBuilder
    ) throws(FeedError) {
        self.stops = stops
        self.skippedTrips = skippedTrips
        context = files.context
        self.tripContext = tripContext ?? files.context
        successors = Array(repeating: StopIndex(UInt32(0)), count: stops.count)
        isUsed = Array(repeating: false, count: stops.count)
        try files.read(StopTimeColumn.self) { row throws(FeedError) in
            append(row, to: &builder)
            if !builder.problems.isEmpty { report(&builder) }
        }
    }

    private mutating func append(_ row: borrowing CSVRow, to builder: inout TimetableBuilder) {
        guard let trip = trip(row, builder), builder.needsRow(of: trip), let stop = stop(row),
            let sequence = sequence(row)
        else { return }
        var stopTime = StopTime(
            stop: stop, sequence: sequence, arrival: context.time(row, StopTimeColumn.arrival),
            departure: context.time(row, StopTimeColumn.departure), line: UInt32(clamping: row.line))
        stopTime.pickup = choice(row, .pickup)
        stopTime.dropOff = choice(row, .dropOff)
        stopTime.distance = distance(row)
        stopTime.headsign = headsign(row, &builder)
        stopTime.isExact = isExact(row, hasTime: stopTime.arrival != nil || stopTime.departure != nil)
        builder.append(stopTime, to: trip)
    }

    // MARK: - References

    private mutating func trip(_ row: borrowing CSVRow, _ builder: borrowing TimetableBuilder) -> SourceTripNumber? {
        let id = row[StopTimeColumn.trip]
        if let trip, builder.trip(trip, hasID: id) { return trip }
        if builder.trip(nextTrip, hasID: id) {
            trip = nextTrip
        } else if let found = builder.trip(id) {
            trip = found
        } else {
            if !isOutside(id, builder) { reportTrip(row) }
            return nil
        }
        if let trip { nextTrip = SourceTripNumber(trip.rawValue &+ 1) }
        return trip
    }

    /// Returns whether a trip of the source is not kept. Most rows have the same trip as the previous row.
    private mutating func isOutside(
        _ id: UnsafeBufferPointer<UInt8>, _ builder: borrowing TimetableBuilder
    ) -> Bool {
        if !id.isEmpty, id.elementsEqual(outsideTrip) { return true }
        guard builder.isOutside(id) else { return false }
        outsideTrip.removeAll(keepingCapacity: true)
        outsideTrip.append(contentsOf: id)
        return true
    }

    private func reportTrip(_ row: borrowing CSVRow) {
        guard context.has(row, StopTimeColumn.trip) else { return }
        if skippedTrips.find(row[StopTimeColumn.trip]) != nil {
            context.reject(
                row, StopTimeColumn.trip, "row_of_skipped_trip", .info,
                "The row is skipped because its trip was skipped")
        } else {
            context.rejectReference(row, StopTimeColumn.trip, to: TripColumn.file, "the row is skipped")
        }
    }

    private mutating func stop(_ row: borrowing CSVRow) -> StopIndex? {
        guard row[StopTimeColumn.windowStart].isEmpty, row[StopTimeColumn.windowEnd].isEmpty else {
            reportFlex(row)
            return nil
        }
        let id = row[StopTimeColumn.stop]
        let guess = successors[stop.position]
        if !stops.matches(guess, id) {
            guard let found = stops.index(of: id) else {
                reportStop(row)
                return nil
            }
            successors[stop.position] = found
            stop = found
        } else {
            stop = guess
        }
        if !isUsed[stop.position] { markUsed(row) }
        return stop
    }

    private mutating func markUsed(_ row: borrowing CSVRow) {
        isUsed[stop.position] = true
        let kind = stops.kind(stop)
        guard kind != .platform else { return }
        context.reject(
            row, StopTimeColumn.stop, "location_with_unexpected_stop_time", .warning,
            "A trip calls at “\(FieldValue.excerpt(stops.id(stop)))”, which is not a stop but a "
                + "\(kind)")
    }

    private func reportStop(_ row: borrowing CSVRow) {
        if !row[StopTimeColumn.stop].isEmpty {
            context.rejectReference(row, StopTimeColumn.stop, to: StopColumn.file, "the row is skipped")
        } else if row[StopTimeColumn.location].isEmpty, row[StopTimeColumn.locationGroup].isEmpty {
            _ = context.has(row, StopTimeColumn.stop)
        } else {
            reportFlex(row)
        }
    }

    /// Reports demand-responsive service in zones or time windows (GTFS-Flex), which has no departures.
    private func reportFlex(_ row: borrowing CSVRow) {
        context.reject(
            row, StopTimeColumn.windowStart, "flexible_service_not_supported", .warning,
            "Demand-responsive service in a zone or time window is not supported; the row is skipped")
    }

    // MARK: - Values

    private func sequence(_ row: borrowing CSVRow) -> UInt32? {
        guard context.has(row, StopTimeColumn.sequence),
            let sequence = context.integer(row, StopTimeColumn.sequence, in: 0...Int(UInt32.max))
        else { return nil }
        return UInt32(sequence)
    }

    @inline(__always)
    private func choice(_ row: borrowing CSVRow, _ column: StopTimeColumn) -> PickupDropOff {
        let value = row[column]
        if value.count == 1, value[0] == 0x30 { return .regular }
        return value.isEmpty ? .regular : context.choice(row, column, absent: .regular)
    }

    private func distance(_ row: borrowing CSVRow) -> Float? {
        let value = row[StopTimeColumn.distance]
        guard !value.isEmpty else { return nil }
        guard let distance = FieldValue.decimal(value) else {
            context.rejectValue(row, StopTimeColumn.distance, "invalid_float", "is not a number")
            return nil
        }
        guard distance >= 0, distance <= Self.maximumDistance else {
            context.rejectValue(row, StopTimeColumn.distance, "number_out_of_range", "is out of range")
            return nil
        }
        return Float(distance)
    }

    private mutating func headsign(_ row: borrowing CSVRow, _ builder: inout TimetableBuilder) -> TextIndex? {
        let text = row[StopTimeColumn.headsign]
        guard !text.isEmpty else { return nil }
        if !builder.texts.matches(headsign, text) { headsign = builder.texts.intern(text).number }
        return TextIndex(headsign)
    }

    /// Returns whether the times are exact. Times are approximate only if `timepoint` is 0.
    private func isExact(_ row: borrowing CSVRow, hasTime: Bool) -> Bool {
        let value = row[StopTimeColumn.timepoint]
        guard value.count == 1 else {
            if !value.isEmpty {
                context.rejectValue(row, StopTimeColumn.timepoint, "unexpected_enum_value", "is neither 0 nor 1")
            }
            return true
        }
        switch value[0] {
        case 0x30: return false
        case 0x31:
            if !hasTime {
                context.reject(
                    row, StopTimeColumn.timepoint, "stop_time_timepoint_without_times", .warning,
                    "timepoint is 1, but no time is given; the time is interpolated")
            }
            return true
        default:
            context.rejectValue(row, StopTimeColumn.timepoint, "unexpected_enum_value", "is neither 0 nor 1")
            return true
        }
    }

    private func report(_ builder: inout TimetableBuilder) {
        for problems in builder.problems.entries { tripContext.add(problems) { builder.id(of: $0) } }
        builder.problems = BuildProblemTally()
    }
}
