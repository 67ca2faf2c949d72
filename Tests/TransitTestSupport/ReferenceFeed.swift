public import Foundation
internal import TransitModel

/// A second, simple reader of feeds, with which tests compare the production reader and its departure boards.
///
/// It unpacks the tables with `unzip`, reads rows as dictionaries of strings, and computes dates with Foundation's
/// calendar. Of the project it uses only the distance between two coordinates. It is slow, and therefore reads only some
/// of the trips of a feed.
public struct ReferenceFeed {
    /// The trips to read.
    public enum Selection {
        /// One of this number of parts of about equal size, into which a hash of the identifiers divides the trips. With
        /// a value of 1, all trips are read.
        case part(of: UInt64)
        /// The trips that call at ``ReferenceFeed/sampledStops``, which are this number of platforms.
        case callingAtStops(count: Int)
    }

    /// A call with its times in seconds after noon minus twelve hours.
    public struct Call: Hashable {
        public var stop: String
        public var sequence: Int
        public var arrival: Int
        public var departure: Int
        /// Whether the times are given and exact.
        public var isExact: Bool
        public var canBoard: Bool

        public init(stop: String, sequence: Int, arrival: Int, departure: Int, isExact: Bool, canBoard: Bool) {
            (self.stop, self.sequence, self.arrival, self.departure) = (stop, sequence, arrival, departure)
            (self.isExact, self.canBoard) = (isExact, canBoard)
        }
    }

    /// A departure with its time in seconds since 1970.
    public struct Departure: Hashable, Comparable {
        public var seconds: Int
        public var trip: String

        public init(seconds: Int, trip: String) { (self.seconds, self.trip) = (seconds, trip) }

        public static func < (left: Self, right: Self) -> Bool {
            (left.seconds, left.trip) < (right.seconds, right.trip)
        }
    }

    /// The zone of the first agency, or `nil` if Foundation does not recognize it.
    public let zone: TimeZone?
    /// The calls of the usable trips among those selected, by `trip_id`.
    public private(set) var trips: [String: [Call]] = [:]
    /// The number of calls in ``trips``.
    public private(set) var stopTimeCount = 0
    /// The number of lines in stop_times.txt, without the header and blank lines.
    public private(set) var lineCount = 0
    /// Platforms that are evenly distributed over stops.txt, the same in every run. Empty if another selection is read.
    public private(set) var sampledStops: [String] = []

    private let services: ReferenceServices
    /// The `service_id` of each trip whose route and service are known.
    private let serviceOfTrip: [String: String]
    private let repetitions: [String: [Repetition]]
    /// The calls at ``sampledStops`` from which a rider can depart, with the first departure of their trip.
    private var departuresByStop: [String: [(trip: String, departure: Int, first: Int)]] = [:]

    private struct Repetition {
        var start: Int
        var end: Int
        var headway: Int
    }

    /// Reads a feed. Throws if `unzip` cannot be started.
    ///
    /// - Parameter path: The path of the zip archive.
    public init(path: String, reading selection: Selection) throws {
        let tables = try ReferenceTables(path: path)
        zone = try tables.rows("agency.txt", ["agency_timezone"]).first?["agency_timezone"]
            .flatMap { TimeZone(identifier: $0) }
        services = try ReferenceServices(tables)
        serviceOfTrip = try Self.knownTrips(tables, services.known)
        repetitions = Dictionary(
            grouping: try tables.rows("frequencies.txt", ["trip_id", "start_time", "end_time", "headway_secs"]),
            by: { $0["trip_id"] ?? "" }
        ).mapValues { $0.compactMap(Self.repetition) }
        let stops = try tables.rows(
            "stops.txt", ["stop_id", "stop_lat", "stop_lon", "parent_station", "location_type"])
        let positions = Self.positions(stops)
        let stopTimes = try tables.contents("stop_times.txt")
        let selected: ReferenceTables.Filter
        switch selection {
        case .part(let parts): selected = .init(column: "trip_id") { $0 % parts == 0 }
        case .callingAtStops(let count):
            let platforms = stops.filter { ["0", nil].contains($0["location_type"]) }.compactMap { $0["stop_id"] }
            let step = max(1, platforms.count / max(1, count))
            sampledStops = stride(from: step / 2, to: platforms.count, by: step).prefix(count).map { platforms[$0] }
            selected = Self.trips(callingAt: Set(sampledStops), stopTimes)
        }
        readStopTimes(stopTimes, selected, positions)
        for (trip, calls) in trips {
            for call in calls.dropLast() where call.canBoard && sampledStops.contains(call.stop) {
                departuresByStop[call.stop, default: []].append((trip, call.departure, calls[0].departure))
            }
        }
    }

    private static func repetition(_ row: ReferenceTables.Row) -> Repetition? {
        guard let start = seconds(row["start_time"]), let end = seconds(row["end_time"]),
            let headway = Int(row["headway_secs"] ?? ""), headway > 0
        else { return nil }
        return Repetition(start: start, end: end, headway: headway)
    }

    private static func positions(_ rows: [ReferenceTables.Row]) -> [String: Coordinate?] {
        var positions: [String: Coordinate?] = [:]
        var parents: [String: String] = [:]
        for row in rows {
            guard let id = row["stop_id"], positions[id] == nil else { continue }
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

    private static func knownTrips(_ tables: ReferenceTables, _ services: Set<String>) throws -> [String: String] {
        let routes = Set(try tables.rows("routes.txt", ["route_id"]).map { $0["route_id"] ?? "" })
        var trips: [String: String] = [:]
        for row in try tables.rows("trips.txt", ["trip_id", "route_id", "service_id"]) {
            guard let id = row["trip_id"], trips[id] == nil, routes.contains(row["route_id"] ?? ""),
                let service = row["service_id"], services.contains(service)
            else { continue }
            trips[id] = service
        }
        return trips
    }

    private static func trips(callingAt stops: Set<String>, _ stopTimes: [UInt8]) -> ReferenceTables.Filter {
        let hashes = Set(stops.map(ReferenceTables.hash))
        var trips: Set<UInt64> = []
        ReferenceTables.forEachRow(
            stopTimes, ["trip_id", "stop_id"], .init(column: "stop_id", accepts: hashes.contains)
        ) { row in
            if let trip = row["trip_id"], stops.contains(row["stop_id"] ?? "") {
                trips.insert(ReferenceTables.hash(trip))
            }
        }
        return .init(column: "trip_id", accepts: trips.contains)
    }

    private mutating func readStopTimes(
        _ stopTimes: [UInt8], _ selected: ReferenceTables.Filter, _ positions: [String: Coordinate?]
    ) {
        var rows: [String: [ReferenceTables.Row]] = [:]
        lineCount = ReferenceTables.forEachRow(stopTimes, Self.columns, selected) { row in
            guard let trip = row["trip_id"], serviceOfTrip[trip] != nil, let stop = row["stop_id"],
                positions[stop] != nil,
                row["start_pickup_drop_off_window"] == nil, row["end_pickup_drop_off_window"] == nil,
                let sequence = row["stop_sequence"].flatMap({ Int($0) }), sequence >= 0
            else { return }
            rows[trip, default: []].append(row)
        }
        for (trip, rows) in rows {
            guard let calls = Self.calls(rows, positions) else { continue }
            trips[trip] = calls
            stopTimeCount += calls.count
        }
    }

    private static let columns: Set<String> = [
        "trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time", "timepoint", "shape_dist_traveled",
        "pickup_type", "start_pickup_drop_off_window", "end_pickup_drop_off_window",
    ]

    // MARK: - Departures

    /// Returns the departures from one of ``sampledStops`` in the 24 hours from local midnight of a date.
    public func departures(at stop: String, on date: DateComponents) -> [Departure] {
        guard let zone else { return [] }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        guard let midnight = calendar.date(from: date) else { return [] }
        let low = Int(midnight.timeIntervalSince1970)
        var found: [Departure] = []
        // The latest time in the recorded feeds is 33:30:00, and the three preceding dates cover 72 hours.
        for back in -1...3 {
            guard let day = calendar.date(byAdding: .day, value: -back, to: midnight) else { continue }
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: day)
            guard
                let noon = calendar.date(
                    from: DateComponents(year: parts.year, month: parts.month, day: parts.day, hour: 12))
            else { continue }
            let start = Int(noon.timeIntervalSince1970) - 12 * 3600
            for (trip, departure, first) in departuresByStop[stop] ?? []
            where services.runs(serviceOfTrip[trip] ?? "", on: parts) {
                let times =
                    repetitions[trip]?.flatMap { row in
                        stride(from: row.start, to: row.end, by: row.headway).map { $0 + departure - first }
                    } ?? [departure]
                for time in times where (low..<low + 86_400).contains(start + time) {
                    found.append(Departure(seconds: start + time, trip: trip))
                }
            }
        }
        return found.sorted()
    }

    // MARK: - Rules for stop times

    private static func calls(_ rows: [ReferenceTables.Row], _ stops: [String: Coordinate?]) -> [Call]? {
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
        addDayAfterMidnight(&times)
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
                departure: times[position]?.departure ?? -1, isExact: given[position] && row["timepoint"] != "0",
                canBoard: row["pickup_type"] != "1")
        }
    }

    /// If the only decrease of the times is at midnight and leaves a gap of at most three hours, the rest of the trip is
    /// on the next day.
    private static func addDayAfterMidnight(_ times: inout [(arrival: Int, departure: Int)?]) {
        let order = times.indices.filter { times[$0] != nil }.flatMap { [($0, true), ($0, false)] }
        let seconds = order.compactMap { position, isArrival in
            isArrival ? times[position]?.arrival : times[position]?.departure
        }
        let decreases = seconds.indices.dropFirst().filter { seconds[$0] < seconds[$0 - 1] }
        guard decreases.count == 1, let first = decreases.first,
            (0...3 * 3600).contains(seconds[first] + 86_400 - seconds[first - 1]),
            seconds[first...].allSatisfy({ $0 < seconds[first - 1] })
        else { return }
        for (position, isArrival) in order[first...] {
            if isArrival { times[position]?.arrival += 86_400 } else { times[position]?.departure += 86_400 }
        }
    }

    private static func interpolate(
        _ times: inout [(arrival: Int, departure: Int)?], _ rows: [ReferenceTables.Row], _ stops: [String: Coordinate?]
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

    private static func byDistance(_ gap: ClosedRange<Int>, _ rows: [ReferenceTables.Row]) -> [Double]? {
        let distances = gap.map { position in
            rows[position]["shape_dist_traveled"].flatMap { Float($0) } ?? (position == 0 ? 0 : nil)
        }
        guard distances.allSatisfy({ $0 != nil }) else { return nil }
        let along = distances.map { Double($0 ?? 0) - Double((distances[0] ?? 0)) }
        guard zip(along, along.dropFirst()).allSatisfy({ $0 <= $1 }), along[along.count - 1] > 0 else { return nil }
        return along
    }

    private static func byPosition(
        _ gap: ClosedRange<Int>, _ rows: [ReferenceTables.Row], _ stops: [String: Coordinate?]
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
}

/// The dates of the services of a ``ReferenceFeed``.
private struct ReferenceServices {
    private let calendar: [ReferenceTables.Row]
    /// Keyed by service_id, then YYYYMMDD; the value is the exception_type.
    private let exceptions: [String: [String: String]]
    /// The services with a weekly schedule or an exception.
    let known: Set<String>

    init(_ tables: ReferenceTables) throws {
        let columns: Set<String> = ["service_id", "start_date", "end_date"]
        calendar = try tables.rows("calendar.txt", columns.union(Self.days))
        let dates = try tables.rows("calendar_dates.txt", ["service_id", "date", "exception_type"])
        exceptions = Dictionary(grouping: dates, by: { $0["service_id"] ?? "" }).mapValues { rows in
            Dictionary(
                rows.map { ($0["date"] ?? "", $0["exception_type"] ?? "") }, uniquingKeysWith: { first, _ in first })
        }
        known = Set(
            calendar.filter { $0["start_date"] != nil && $0["end_date"] != nil }.map { $0["service_id"] ?? "" }
        ).union(dates.filter { ["1", "2"].contains($0["exception_type"]) }.map { $0["service_id"] ?? "" })
    }

    private static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    func runs(_ service: String, on date: DateComponents) -> Bool {
        let text = String(format: "%04d%02d%02d", date.year ?? 0, date.month ?? 0, date.day ?? 0)
        switch exceptions[service]?[text] {
        case "1": return true
        case "2": return false
        default: break
        }
        let day = Self.days[(date.weekday ?? 1) - 1]
        return calendar.contains {
            $0["service_id"] == service && $0[day] == "1" && ($0["start_date"] ?? "9") <= text
                && text <= ($0["end_date"] ?? "0")
        }
    }
}
