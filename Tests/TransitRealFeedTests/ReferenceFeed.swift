import Foundation

/// An independent reader of feeds, based on `unzip`, a dictionary per row and Foundation's calendar.
///
/// The reader is simple and slow on purpose, and computes only the departures from a stop on a date.
struct ReferenceFeed {
    struct Departure: Hashable, Comparable {
        var seconds: Int
        var trip: String

        static func < (left: Self, right: Self) -> Bool { (left.seconds, left.trip) < (right.seconds, right.trip) }
    }

    struct Call {
        var trip: String
        var stop: String
        var sequence: Int
        var departure: Int?
        var pickup: String
    }

    struct TimedCall {
        var sequence: Int
        var arrival: Int
        var departure: Int
    }

    struct Repetition {
        var start: Int
        var end: Int
        var headway: Int
    }

    let zone: TimeZone
    /// The service_id and route_id of each trip.
    let trips: [String: (service: String, route: String)]
    let calendar: [[String: String]]
    /// Keyed by service_id, then YYYYMMDD; the value is the exception_type.
    let exceptions: [String: [String: String]]
    let repetitions: [String: [Repetition]]
    /// The calls at the sampled stops only.
    private(set) var callsAtSampledStops: [Call] = []
    /// The first and the last call with times of each trip. Calls outside this range have no defined time.
    private(set) var timed: [String: (first: TimedCall, last: TimedCall)] = [:]
    /// Trips whose times decrease. The result of the reader under test is not checked for them.
    private(set) var tripsOutOfOrder: Set<String> = []
    let sampledStops: [String]

    /// Returns `nil` if the archive has no stop times or its agency has a time zone that Foundation does not recognize.
    init?(archive: URL, sampling count: Int) throws {
        let members = try Self.members(archive)
        func table(_ name: String) throws -> [[String: String]] {
            guard let member = members[name] else { return [] }
            var rows: [[String: String]] = []
            try Self.forEachRow(archive, member) { rows.append($0) }
            return rows
        }
        guard let name = try table("agency.txt").first?["agency_timezone"], let zone = TimeZone(identifier: name),
            let stopTimes = members["stop_times.txt"]
        else { return nil }
        self.zone = zone
        trips = Dictionary(
            try table("trips.txt").map { ($0["trip_id"] ?? "", ($0["service_id"] ?? "", $0["route_id"] ?? "")) },
            uniquingKeysWith: { first, _ in first })
        calendar = try table("calendar.txt")
        exceptions = Dictionary(grouping: try table("calendar_dates.txt"), by: { $0["service_id"] ?? "" })
            .mapValues { rows in
                Dictionary(
                    rows.map { ($0["date"] ?? "", $0["exception_type"] ?? "") }, uniquingKeysWith: { first, _ in first }
                )
            }
        repetitions = Dictionary(grouping: try table("frequencies.txt"), by: { $0["trip_id"] ?? "" })
            .mapValues { rows in
                rows.compactMap { row in
                    guard let start = Self.seconds(row["start_time"]), let end = Self.seconds(row["end_time"]),
                        let headway = Int(row["headway_secs"] ?? ""), headway > 0
                    else { return nil }
                    return Repetition(start: start, end: end, headway: headway)
                }
            }
        // Platforms that are evenly distributed over the table, the same in every run.
        let platforms = try table("stops.txt")
            .filter { ["", "0"].contains($0["location_type"] ?? "") }.compactMap { $0["stop_id"] }
        let step = max(1, platforms.count / max(1, count))
        sampledStops = stride(from: step / 2, to: platforms.count, by: step).prefix(count).map { platforms[$0] }
        try readStopTimes(archive, stopTimes)
    }

    private mutating func readStopTimes(_ archive: URL, _ member: String) throws {
        let sampled = Set(sampledStops)
        var calls: [String: [TimedCall]] = [:]
        try Self.forEachRow(archive, member) { row in
            // Rows without a stop are on-demand service.
            guard let trip = row["trip_id"], let stop = row["stop_id"], stop != "" else { return }
            let sequence = Int(row["stop_sequence"] ?? "") ?? 0
            let arrival = Self.seconds(row["arrival_time"])
            let departure = Self.seconds(row["departure_time"])
            if let known = departure ?? arrival {
                calls[trip, default: []].append(
                    TimedCall(sequence: sequence, arrival: arrival ?? known, departure: known))
            }
            guard sampled.contains(stop) else { return }
            callsAtSampledStops.append(
                Call(
                    trip: trip, stop: stop, sequence: sequence, departure: departure ?? arrival,
                    pickup: row["pickup_type"] ?? ""))
        }
        for (trip, unsorted) in calls {
            let calls = unsorted.sorted { $0.sequence < $1.sequence }
            guard let first = calls.first, let last = calls.last else { continue }
            timed[trip] = (first, last)
            if zip(calls, calls.dropFirst()).contains(where: { $0.departure > $1.arrival || $0.sequence == $1.sequence }
            )
                || calls.contains(where: { $0.arrival > $0.departure })
            {
                tripsOutOfOrder.insert(trip)
            }
        }
    }

    // MARK: Query

    /// Returns the departures from a stop in the 24 hours from local midnight of a date, without calls that have no
    /// times.
    func departures(at stop: String, on date: DateComponents) -> [Departure] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        guard let midnight = calendar.date(from: date) else { return [] }
        let low = Int(midnight.timeIntervalSince1970)
        let calls = callsAtSampledStops.filter { call in
            guard let known = timed[call.trip], call.stop == stop, call.pickup != "1" else { return false }
            return !tripsOutOfOrder.contains(call.trip)
                && (known.first.sequence..<known.last.sequence).contains(call.sequence)
        }
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
            for call in calls where runs(trips[call.trip]?.service ?? "", on: parts) {
                for time in times(of: call) where (low..<low + 86_400).contains(start + time) {
                    found.append(Departure(seconds: start + time, trip: call.trip))
                }
            }
        }
        return found.sorted()
    }

    private func times(of call: Call) -> [Int] {
        guard let departure = call.departure else { return [] }
        guard let rows = repetitions[call.trip], let first = timed[call.trip]?.first.departure else {
            return [departure]
        }
        return rows.flatMap { row in
            stride(from: row.start, to: row.end, by: row.headway).map { $0 + departure - first }
        }
    }

    func runs(_ service: String, on date: DateComponents) -> Bool {
        let text = String(format: "%04d%02d%02d", date.year ?? 0, date.month ?? 0, date.day ?? 0)
        switch exceptions[service]?[text] {
        case "1": return true
        case "2": return false
        default: break
        }
        let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        let day = days[(date.weekday ?? 1) - 1]
        return calendar.contains {
            $0["service_id"] == service && $0[day] == "1" && ($0["start_date"] ?? "9") <= text
                && text <= ($0["end_date"] ?? "0")
        }
    }

    // MARK: Reading

    static func seconds(_ text: String?) -> Int? {
        guard let parts = text?.split(separator: ":").map({ Int($0) }), parts.count == 3, let hours = parts[0],
            let minutes = parts[1], let seconds = parts[2]
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    /// Paths of the tables by file name, at the top level or in a folder.
    private static func members(_ archive: URL) throws -> [String: String] {
        let listing = String(decoding: try run("-Z1", archive.path), as: UTF8.self)
        let paths = listing.split(separator: "\n").map(String.init).filter {
            $0.hasSuffix(".txt") && !$0.contains("__MACOSX")
        }
        return Dictionary(
            paths.map { ($0.split(separator: "/").last.map(String.init) ?? $0, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func run(_ option: String, _ arguments: String...) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unzip")
        process.arguments = [option] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    /// Calls `body` for each row, as a dictionary with trimmed values.
    private static func forEachRow(_ archive: URL, _ member: String, _ body: ([String: String]) -> Void) throws {
        var bytes = [UInt8](try run("-p", archive.path, member))
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        var header: [String] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var quoted = false
        func endField() {
            fields.append(String(decoding: field, as: UTF8.self).trimmingCharacters(in: .whitespaces))
            field.removeAll(keepingCapacity: true)
        }
        func endRow() {
            endField()
            if header.isEmpty {
                header = fields
            } else if fields.count > 1 || fields[0] != "" {
                body(Dictionary(zip(header, fields), uniquingKeysWith: { first, _ in first }))
            }
            fields.removeAll(keepingCapacity: true)
        }
        for byte in bytes {
            switch byte {
            case 0x22: quoted.toggle()
            case 0x2C where !quoted: endField()
            case 0x0A where !quoted: endRow()
            case 0x0D where !quoted: continue
            default: field.append(byte)
            }
        }
        if !field.isEmpty || !fields.isEmpty { endRow() }
    }
}
