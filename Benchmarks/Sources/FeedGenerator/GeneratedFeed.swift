/// A feed as the text of its tables.
struct GeneratedFeed {
    let size: FeedSize
    let streets: StreetGrid
    let lines: [GeneratedLine]
    private var random: FeedRandom
    private var trips = TableText(
        header: "route_id,service_id,trip_id,trip_headsign,direction_id,block_id,shape_id,wheelchair_accessible")
    private var stopTimes = TableText(
        header: "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,"
            + "shape_dist_traveled,timepoint")
    private var shapes = TableText(header: "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled")
    private(set) var stopTimeCount = 0
    private(set) var tripCount = 0
    /// Rows of an earlier trip that are not written yet, for routes with interleaved rows.
    private var delayedRows: [UInt8] = []

    init(_ size: FeedSize) {
        self.size = size
        var random = FeedRandom(seed: UInt64(size.routes) &* 0x5DEE_CE66)
        let crossings = size.columns * size.rows
        streets = StreetGrid(columns: size.columns, rows: size.rows, random: &random)
        let hubs = (0..<max(3, crossings / 150)).map { _ in random.pick(0...crossings - 1) }
        var lines: [GeneratedLine] = []
        for number in 1...size.routes {
            lines.append(GeneratedLine(number: number, size: size, streets: streets, hubs: hubs, random: &random))
        }
        self.lines = lines
        self.random = random
    }

    /// The tables and their names, in the order in the archive.
    mutating func tables() -> [(name: String, text: TableText)] {
        for line in lines {
            for (number, way) in line.patterns.enumerated() { addPattern(way, number, of: line) }
            stopTimes.append(delayedRows)
            delayedRows = []
        }
        return [
            ("agency.txt", agencies), ("calendar.txt", calendar), ("calendar_dates.txt", calendarDates),
            ("feed_info.txt", feedInfo), ("routes.txt", routes), ("shapes.txt", shapes),
            ("stop_times.txt", stopTimes), ("stops.txt", stops), ("trips.txt", trips),
        ]
    }

    private mutating func addPattern(_ way: GeneratedLine.LinePattern, _ number: Int, of line: GeneratedLine) {
        let shape = "\(line.routeID)_\(number)"
        let distances = addShape(shape, through: way.stops)
        let tails = way.stops.indices.map { tail($0, way, distances, line) }
        let headsign = Decimals.field(streets.name(of: way.stops.last! / 2))
        for day in ServiceDayType.allCases where !(way.isShort && (day == .saturday || day == .sunday)) {
            let service = serviceID(day, agency: line.agency)
            for band in day.bands(night: line.isNight) where !way.isShort || band.headway == 100 {
                var start = band.start + random.pick(0...line.headway - 1) * 60
                let shared = offsets(way, line, running: band.running, variant: 0)
                while start < band.end {
                    let own = line.ownTimes ? random.pick(0...11) : 0
                    let times = own == 0 ? shared : offsets(way, line, running: band.running, variant: own)
                    let id = tripID(day, start)
                    trips.line(
                        "\(line.routeID),\(service),\(id),\(headsign),\(way.direction),\(line.number * 40 + tripCount % 31),"
                            + "\(shape),\(tripCount % 9 == 0 ? 2 : 1)")
                    addRows(id, start, times, tails, line)
                    start += line.headway * band.headway / 100 * 60
                }
            }
        }
    }

    /// For example `14718-WKDY-0712`.
    private mutating func tripID(_ day: ServiceDayType, _ start: Int) -> String {
        tripCount += 1
        return "\(tripCount)-\(day.rawValue)-" + Decimals.padded(start / 3600 * 100 + start / 60 % 60, to: 4)
    }

    /// The arrival and departure of each call, in seconds after the start; `nil` for calls without published times.
    private func offsets(_ way: GeneratedLine.LinePattern, _ line: GeneratedLine, running: Int, variant: Int) -> [(
        arrival: Int, departure: Int
    )?] {
        var clock = 0
        var times: [(arrival: Int, departure: Int)?] = [(0, 0)]
        for (leg, seconds) in way.legs.enumerated() {
            clock += seconds * (running + (variant == 0 ? 0 : (leg * variant) % 13 - 4)) / 100
            let arrival = line.wholeMinutes ? (clock + 30) / 60 * 60 : clock
            let isLast = leg == way.legs.count - 1
            let dwell = !isLast && way.stops[leg + 1] % 23 == 0 ? (line.wholeMinutes ? 60 : 30) : 0
            let isTimed = !line.onlyTimepoints || isLast || (leg + 1) % 4 == 0
            times.append(isTimed ? (arrival, arrival + dwell) : nil)
            clock += dwell
        }
        return times
    }

    /// The fields of a row that do not depend on the trip.
    private func tail(_ position: Int, _ way: GeneratedLine.LinePattern, _ distances: [Int], _ line: GeneratedLine)
        -> [UInt8]
    {
        let (isFirst, isLast) = (position == 0, position == way.stops.count - 1)
        let isTimepoint = isFirst || isLast || position % 4 == 0
        let text =
            ",\(stopID(way.stops[position])),\(position + 1),,\(isLast ? 1 : 0),\(isFirst ? 1 : 0),"
            + "\(Decimals.text(distances[position], 4)),\(isTimepoint ? 1 : 0)\n"
        return Array(text.utf8)
    }

    private mutating func addRows(
        _ id: String, _ start: Int, _ times: [(arrival: Int, departure: Int)?], _ tails: [[UInt8]],
        _ line: GeneratedLine
    ) {
        stopTimeCount += times.count
        var rows = TableText(header: "")
        var half = 0
        for position in times.indices {
            if position == times.count / 2 { half = rows.bytes.count }
            rows.append(id)
            rows.append(0x2C)
            if let time = times[position] { rows.append(time: start + time.arrival) }
            rows.append(0x2C)
            if let time = times[position] { rows.append(time: start + time.departure) }
            rows.append(tails[position])
        }
        if line.mixedRows {
            stopTimes.append(Array(rows.bytes[1..<half]))
            stopTimes.append(delayedRows)
            delayedRows = Array(rows.bytes[half...])
        } else {
            stopTimes.append(Array(rows.bytes[1...]))
        }
    }

    /// Adds a shape of about 500 points. Returns the distance of each stop along the shape, in tenths of a meter.
    private mutating func addShape(_ id: String, through stops: [Int]) -> [Int] {
        let between = max(1, 500 / stops.count)
        var (sequence, distance) = (0, 0)
        var distances = [0]
        for (from, to) in zip(stops, stops.dropFirst()) {
            let (a, b) = (streets.position(of: from / 2), streets.position(of: to / 2))
            for part in 0..<between {
                let north = a.north + (b.north - a.north) * part / between + (part == 0 ? 0 : random.pick(-60...60))
                let east = a.east + (b.east - a.east) * part / between + (part == 0 ? 0 : random.pick(-90...90))
                addPoint(id, north, east, sequence, distance)
                sequence += 1
                distance += 3_300 / between + random.pick(0...20)
            }
            distances.append(distance)
        }
        let end = streets.position(of: stops.last! / 2)
        addPoint(id, end.north, end.east, sequence, distance)
        return distances
    }

    private mutating func addPoint(_ id: String, _ north: Int, _ east: Int, _ sequence: Int, _ distance: Int) {
        shapes.line(
            "\(id),\(Decimals.text(north, 6)),\(Decimals.text(east, 6)),\(sequence),\(Decimals.text(distance, 4))")
    }
}
