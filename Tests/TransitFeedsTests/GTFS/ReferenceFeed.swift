import TransitFeeds
import TransitModel

/// A second, simple reader of stop times for comparison. It shares only the unpacking code with the production reader,
/// and works on rows of strings.
struct ReferenceFeed {
    typealias Row = [String: String]

    struct Call: Hashable {
        var stop: String
        var sequence: Int
        var arrival: Int
        var departure: Int
        var isExact: Bool
    }

    /// The calls of all usable trips, by `trip_id`.
    private(set) var trips: [String: [Call]] = [:]
    private(set) var stopTimeCount = 0
    /// The number of lines in stop_times.txt, without the header and blank lines.
    private(set) var lineCount = 0

    /// Divides the trips by a hash of their identifiers into `sampling` parts of about equal size, and reads one part.
    /// With a value of 1, reads all trips.
    init(_ archive: ZipArchive, sampling: UInt64) throws {
        let stops = try Self.positions(archive)
        let known = try Self.knownTrips(archive)
        var rows: [String: [Row]] = [:]
        let sampled = Sample(column: "trip_id", parts: sampling)
        lineCount = try Self.forEachRow(archive, "stop_times.txt", Self.columns, sampled) { row in
            guard let trip = row["trip_id"], known.contains(trip), let stop = row["stop_id"], stops[stop] != nil,
                row["start_pickup_drop_off_window"] == nil, row["end_pickup_drop_off_window"] == nil,
                let sequence = row["stop_sequence"].flatMap({ Int($0) }), sequence >= 0
            else { return }
            rows[trip, default: []].append(row)
        }
        for (trip, rows) in rows {
            guard let calls = Self.calls(rows, stops) else { continue }
            trips[trip] = calls
            stopTimeCount += calls.count
        }
    }

    private static let columns: Set<String> = [
        "trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time", "timepoint", "shape_dist_traveled",
        "start_pickup_drop_off_window", "end_pickup_drop_off_window",
    ]

    // MARK: - Rules

    private static func positions(_ archive: ZipArchive) throws -> [String: Coordinate?] {
        var positions: [String: Coordinate?] = [:]
        var parents: [String: String] = [:]
        try forEachRow(archive, "stops.txt", ["stop_id", "stop_lat", "stop_lon", "parent_station"]) { row in
            guard let id = row["stop_id"], positions[id] == nil else { return }
            let latitude = row["stop_lat"].flatMap { Double($0) } ?? .nan
            let longitude = row["stop_lon"].flatMap { Double($0) } ?? .nan
            positions[id] = .some(Coordinate(latitude: latitude, longitude: longitude))
            parents[id] = row["parent_station"]
        }
        for (child, parent) in parents where positions[child] == .some(nil) {
            positions[child] = .some(positions[parent] ?? nil)
        }
        return positions
    }

    private static func knownTrips(_ archive: ZipArchive) throws -> Set<String> {
        var routes: Set<String> = []
        try forEachRow(archive, "routes.txt", ["route_id"]) { routes.insert($0["route_id"] ?? "") }
        var services: Set<String> = []
        try forEachRow(archive, "calendar.txt", ["service_id", "start_date", "end_date"]) { row in
            if row["start_date"] != nil, row["end_date"] != nil { services.insert(row["service_id"] ?? "") }
        }
        try forEachRow(archive, "calendar_dates.txt", ["service_id", "exception_type"]) { row in
            if ["1", "2"].contains(row["exception_type"]) { services.insert(row["service_id"] ?? "") }
        }
        var trips: Set<String> = []
        try forEachRow(archive, "trips.txt", ["trip_id", "route_id", "service_id"]) { row in
            if let id = row["trip_id"], routes.contains(row["route_id"] ?? ""),
                services.contains(row["service_id"] ?? "")
            {
                trips.insert(id)
            }
        }
        return trips
    }

    private static func calls(_ rows: [Row], _ stops: [String: Coordinate?]) -> [Call]? {
        var seen: Set<Int> = []
        var ordered = rows.map { (Int($0["stop_sequence"] ?? "") ?? 0, $0) }.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
            .filter { seen.insert($0.0).inserted }
        var times: [(arrival: Int, departure: Int)?] = ordered.map { _, row in
            let arrival = seconds(row["arrival_time"])
            let departure = seconds(row["departure_time"])
            guard let one = arrival ?? departure else { return nil }
            return (arrival ?? one, departure ?? one)
        }
        var latest = Int.min
        for position in times.indices {
            guard let time = times[position] else { continue }
            if time.arrival >= latest, time.departure >= time.arrival {
                latest = time.departure
            } else {
                times[position] = nil
            }
        }
        // The times of calls before the first call with a time and after the last call with a time are unknown.
        guard let first = times.firstIndex(where: { $0 != nil }), let last = times.lastIndex(where: { $0 != nil }),
            first < last
        else { return nil }
        ordered = Array(ordered[first...last])
        times = Array(times[first...last])
        let given = times.map { $0 != nil }
        interpolate(&times, ordered.map(\.1), stops)
        return ordered.indices.map { position in
            let (sequence, row) = ordered[position]
            return Call(
                stop: row["stop_id"] ?? "", sequence: sequence, arrival: times[position]?.arrival ?? -1,
                departure: times[position]?.departure ?? -1, isExact: given[position] && row["timepoint"] != "0")
        }
    }

    private static func interpolate(
        _ times: inout [(arrival: Int, departure: Int)?], _ rows: [Row], _ stops: [String: Coordinate?]
    ) {
        var low = 0
        for high in 1..<times.count {
            guard let end = times[high]?.arrival, let start = times[low]?.departure else { continue }
            let gap = low...high
            let shares = byDistance(gap, rows) ?? byPosition(gap, rows, stops) ?? gap.map { Double($0 - low) }
            for position in gap where times[position] == nil {
                let share = shares[position - low] / shares[shares.count - 1]
                let time = start + Int((Double(end - start) * share).rounded())
                times[position] = (time, time)
            }
            low = high
        }
    }

    private static func byDistance(_ gap: ClosedRange<Int>, _ rows: [Row]) -> [Double]? {
        let distances = gap.map { position in
            rows[position]["shape_dist_traveled"].flatMap { Float($0) } ?? (position == 0 ? 0 : nil)
        }
        guard distances.allSatisfy({ $0 != nil }) else { return nil }
        let along = distances.map { Double($0 ?? 0) - Double((distances[0] ?? 0)) }
        guard zip(along, along.dropFirst()).allSatisfy({ $0 <= $1 }), along[along.count - 1] > 0 else { return nil }
        return along
    }

    private static func byPosition(
        _ gap: ClosedRange<Int>, _ rows: [Row], _ stops: [String: Coordinate?]
    ) -> [Double]? {
        var along: [Double] = []
        var previous: Coordinate?
        for position in gap {
            guard let here = stops[rows[position]["stop_id"] ?? ""] ?? nil else { return nil }
            along.append((along.last ?? 0) + (previous?.distance(to: here) ?? 0))
            previous = here
        }
        return along[along.count - 1] > 0 ? along : nil
    }

    private static func seconds(_ text: String?) -> Int? {
        let parts = text?.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) } ?? []
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    // MARK: - CSV

    /// Selects the rows for which the hash of the field in `column` is a multiple of `parts`.
    private struct Sample {
        var column: String
        var parts: UInt64
    }

    /// Passes the selected rows as dictionaries without empty fields. Returns the total number of rows.
    @discardableResult
    private static func forEachRow(
        _ archive: ZipArchive, _ name: String, _ wanted: Set<String>, _ sample: Sample? = nil, _ body: (Row) -> Void
    ) throws -> Int {
        guard let member = archive.table(name) else { return 0 }
        var bytes: [UInt8] = []
        try archive.inflate(member) { bytes.append(contentsOf: $0) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let firstLine = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        let header = fields(firstLine).map { wanted.contains($0) ? $0 : nil }
        let column = sample.flatMap { sample in header.firstIndex { $0 == sample.column } } ?? -1
        var count = -1
        forEachLine(bytes, hashing: column) { line, hash in
            count += 1
            guard count > 0, hash % (sample?.parts ?? 1) == 0 else { return }
            var row: Row = [:]
            for (column, text) in zip(header, fields(bytes[line])) {
                if let column, !text.isEmpty { row[column] = text }
            }
            if !row.isEmpty { body(row) }
        }
        return count
    }

    /// Splits the text into lines. Line ends inside quotes do not count. `hash` is the hash of the field at index
    /// `column`.
    private static func forEachLine(
        _ bytes: [UInt8], hashing column: Int, _ body: (_ line: Range<Int>, _ hash: UInt64) -> Void
    ) {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            var isQuoted = false
            var field = 0
            var hash: UInt64 = 0
            for position in 0...bytes.count {
                let byte = position < bytes.count ? bytes[position] : 0x0A
                if byte == 0x22 { isQuoted.toggle() }
                if !isQuoted, byte == 0x0A || byte == 0x0D {
                    if position > start { body(start..<position, hash) }
                    start = position + 1
                    field = 0
                    hash = 0
                } else if !isQuoted, byte == 0x2C {
                    field += 1
                } else if field == column, byte > 0x22 {
                    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                }
            }
        }
    }

    private static func fields(_ line: ArraySlice<UInt8>) -> [String] {
        if !line.contains(0x22) {
            return line.split(separator: 0x2C, omittingEmptySubsequences: false).map { text($0) }
        }
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line {
            if byte == 0x22 {
                isQuoted.toggle()
            } else if byte == 0x2C, !isQuoted {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
        }
        return fields.map { text($0[...]) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
