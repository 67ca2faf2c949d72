internal import Glibc
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitTestSupport

internal import struct TransitSimulation.SeededGenerator

/// Imports mutated GTFS archives. Mutations change the zip's bytes, or the rows and fields of its tables.
///
/// An accepted feed is written as a timetable file and read back, because an accepted feed must be usable.
package struct ArchiveFuzz: FuzzTarget {
    package static let name = "archive"
    package static let defaultCount = 5_000

    private let path: String
    private let feed: FeedBuilder

    package init() throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/transit-fuzz-\(getpid())-\(UInt32.random(in: .min ... .max)).sqlite"
        feed = Self.sample
    }

    package mutating func run(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try importAndReadBack(archive(of: feed, &random))
    }

    /// Returns a small archive after a zero, or its tables as text after a one. In an archive, a changed byte is seldom more
    /// than a wrong checksum; a change of the text reaches the readers of the tables.
    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        guard random.once(in: 2) else { return [1] + Self.text(of: Self.mutated(Self.smallSample, &random)) }
        return [0] + archive(of: Self.smallSample, &random)
    }

    package mutating func read(_ bytes: [UInt8]) throws {
        let content = Array(bytes.dropFirst())
        try importAndReadBack(bytes.first == 0 ? content : Self.feed(of: content).zip(isStored: true))
    }

    private func archive(of feed: FeedBuilder, _ random: inout SeededGenerator) -> [UInt8] {
        var feed = feed
        if !random.once(in: 3) { for _ in 0..<random.number(1...8) { Self.mutate(&feed, &random) } }
        var zip = feed.zip(isStored: random.once(in: 2))
        if random.once(in: 2) { Self.mutate(&zip, &random) }
        return zip
    }

    private func importAndReadBack(_ zip: [UInt8]) throws {
        let reading: GTFSReading
        // Rejecting an unreadable archive with an error is not a failure.
        do { reading = try importArchive(zip) } catch { return }
        defer { unlink(path) }
        do { try write(reading) } catch {
            throw FuzzFailure("cannot write the accepted feed and read it back: \(error)")
        }
    }

    private func importArchive(_ zip: [UInt8]) throws(FeedError) -> GTFSReading {
        let today = ServiceDate(iso8601: "2026-03-04") ?? ServiceDate(daysSince1970: 0)
        let options = GTFSReader.Options(
            limits: ArchiveLimits(totalSize: 64 << 20), today: today, zoneOffset: { _ in 3600 },
            isKnownZone: { $0.hasPrefix("Europe/") })
        return try GTFSReader(MemoryByteSource(zip), options: options).read()
    }

    private func write(_ reading: GTFSReading) throws {
        unlink(path)
        let origin = TimetableSummary.Origin(url: "fuzz", fetched: Instant(secondsSince1970: 0))
        _ = try TimetableFile.write(
            reading.draft, origin: origin, contentDigest: reading.contentDigest, report: reading.report, to: path)
        let file = try TimetableFile(path: path)
        guard file.summary.counts.trips == reading.draft.trips.count else {
            throw FuzzFailure(
                "the file has \(file.summary.counts.trips) trips instead of \(reading.draft.trips.count)")
        }
        for route in file.routes.indices {
            for pattern in try file.patterns(of: RouteIndex(route)) { try check(pattern, file) }
        }
        for stop in 0..<file.summary.counts.stops { _ = try file.stop(StopIndex(stop)) }
        guard try file.pathways().pathways == reading.draft.pathways.pathways else {
            throw FuzzFailure("the pathways that are read back differ")
        }
        if !reading.draft.pathways.pathways.isEmpty { _ = try DerivedJourneyNetwork(file) }
    }

    /// Checks that everything that a pattern refers to exists, and that times do not decrease along it.
    private func check(_ pattern: Pattern, _ file: TimetableFile) throws {
        for call in pattern.calls where call.stop.position >= file.summary.counts.stops {
            throw FuzzFailure(
                "a call refers to stop \(call.stop.position), but there are \(file.summary.counts.stops) stops")
        }
        for timingGroup in pattern.timingGroups {
            let times = timingGroup.times.flatMap { [$0.arrival, $0.departure] }
            guard zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else {
                throw FuzzFailure("times decrease: \(times.prefix(20))")
            }
            for position in timingGroup.starts.indices { _ = try file.trip(timingGroup.trip(position)) }
        }
    }

    // MARK: Mutations of tables

    private static let tables = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt",
        "frequencies.txt", "shapes.txt", "transfers.txt", "pathways.txt", "translations.txt",
        "feed_info.txt",
    ]

    /// Boundary values of fields, and values beyond them.
    private static let values = [
        "", "0", "-1", "1", "2", "4294967295", "4294967296", "9223372036854775807", "1e308", "NaN", "inf", "720:00:00",
        "719:59:59", "24:00:00", "00:00:00", "99991231", "00010101", "20260229", "\"", "\"\"\"", "a,b", "harbor", "b1",
        "Europe/Berlin", "\u{0}", "\u{FEFF}", "\u{202E}", "🚋", " ", "90", "-180", "0.0000001", "weekday", "bus24",
    ]

    private static func mutate(_ feed: inout FeedBuilder, _ random: inout SeededGenerator) {
        let name = random.pick(tables)
        var lines = feed[name].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        switch random.number(0...7) {
        case 0: feed = feed.without(name)
        case 1: feed = feed.file(name, feed[random.pick(tables)])
        case 2: if let line = pick(lines, &random) { feed = feed.adding(line + "\n", to: name) }
        case 3:
            if let line = pick(lines, &random) {
                feed = feed.adding(String(repeating: line + "\n", count: random.number(2...300)), to: name)
            }
        case 4:
            if lines.count > 2 { lines.swapAt(1, random.number(1...lines.count - 1)) }
            feed = feed.file(name, lines.joined(separator: random.pick(["\n", "\r\n", "\r", "\n\n"])))
        default:
            guard !lines.isEmpty else { return }
            let row = random.number(0...lines.count - 1)
            var fields = lines[row].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard !fields.isEmpty else { return }
            fields[random.number(0...fields.count - 1)] = random.pick(values)
            lines[row] = fields.joined(separator: ",")
            feed = feed.file(name, lines.joined(separator: "\n"))
        }
    }

    private static func pick(_ lines: [String], _ random: inout SeededGenerator) -> String? {
        lines.isEmpty ? nil : random.pick(lines)
    }

    private static func mutated(_ feed: FeedBuilder, _ random: inout SeededGenerator) -> FeedBuilder {
        var feed = feed
        for _ in 0..<random.number(0...3) { mutate(&feed, &random) }
        return feed
    }

    // MARK: Tables as text

    /// Returns each table after a line with `=` and its name.
    private static func text(of feed: FeedBuilder) -> [UInt8] {
        feed.names.flatMap { Array("=\($0)\n".utf8) + Array(feed[$0].utf8) }
    }

    /// Returns the feed with the tables of a text.
    private static func feed(of text: [UInt8]) -> FeedBuilder {
        var feed = FeedBuilder()
        var name = ""
        var table: [UInt8] = []
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.first == UInt8(ascii: "=") {
                feed = feed.file(name, bytes: table)
                name = String(decoding: line.dropFirst().prefix(100), as: UTF8.self)
                table = []
            } else {
                table += line + [0x0A]
            }
        }
        return feed.file(name, bytes: table)
    }

    // MARK: Mutations of the zip

    private static func mutate(_ zip: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<random.number(1...6) where !zip.isEmpty {
            let place = random.number(0...zip.count - 1)
            switch random.number(0...5) {
            case 0: zip.removeLast(random.number(0...min(zip.count, 64)))
            case 1:
                zip.insert(contentsOf: zip[place...].prefix(random.number(1...64)), at: random.number(0...zip.count))
            case 2: zip.removeSubrange(place..<min(zip.count, place + random.number(1...16)))
            case 3:
                // A header field, such as a size, an offset or a count.
                for byte in place..<min(zip.count, place + random.pick([2, 4, 8])) {
                    zip[byte] = random.pick([0, 0xFF])
                }
            case 4:
                // The central directory is at the end.
                let late = zip.count - 1 - random.number(0...min(zip.count - 1, 1200))
                zip[late] = UInt8(random.number(0...255))
            default: zip[place] ^= 1 << UInt8(random.number(0...7))
            }
        }
    }

    // MARK: The original archive

    private static let sample = FeedBuilder.small
        .file(
            "frequencies.txt",
            """
            trip_id,start_time,end_time,headway_secs,exact_times
            b2,10:00:00,12:00:00,600,0
            b2,12:00:00,14:00:00,900,1

            """
        )
        .file(
            "shapes.txt",
            """
            shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
            s1,53.5400,9.9800,1,0
            s1,53.5450,9.9900,2,900
            s1,53.5530,10.0060,3,2400

            """
        )
        .file(
            "transfers.txt",
            """
            from_stop_id,to_stop_id,transfer_type,min_transfer_time
            central:1,central:2,2,120
            harbor,market,1,

            """
        )
        .adding("gate,,Gate,53.5530,10.0065,2,central,\nhall,,,,,3,central,\n", to: "stops.txt")
        .file(
            "pathways.txt",
            """
            pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count,max_slope,min_width
            1,gate,hall,1,1,25.5,,,0.05,1.2
            2,hall,central:1,2,1,,,-20,,
            3,hall,central:2,4,0,,45,,,

            """
        )
        .file(
            "translations.txt",
            """
            table_name,field_name,language,translation,record_id,record_sub_id,field_value
            stops,stop_name,de,Hafen,harbor,,
            trips,trip_headsign,de,Stadtpark,,,City Park

            """
        )
        .file(
            "feed_info.txt",
            """
            feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version
            City Lines,https://city.example,en,20260101,20261231,1

            """)

    /// A feed with few rows, because coverage-guided fuzzing changes short inputs faster.
    private static let smallSample = FeedBuilder.small
        .file(
            "stops.txt",
            """
            stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
            harbor,100,Harbor,53.54,9.98,0,,
            market,,Market,53.545,9.99,1,,
            m1,,Market,53.545,9.99,0,market,1
            mg,,Gate,53.546,9.99,2,market,

            """
        )
        .file(
            "trips.txt",
            """
            route_id,service_id,trip_id,trip_headsign,direction_id
            bus24,weekday,b1,Central,0
            tram1,weekend,b2,,1

            """
        )
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            b1,23:50:00,23:50:00,harbor,1
            b1,24:08:00,24:09:00,m1,2
            b2,08:20:00,08:20:00,m1,1
            b2,,08:29:00,harbor,2

            """
        )
        .file("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times\nb2,10:00:00,12:00:00,600,0\n")
        .file("transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nm1,harbor,2,120\n")
        .file(
            "pathways.txt",
            "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time\n1,m1,mg,1,1,50,40\n"
        )
        .file(
            "translations.txt",
            "table_name,field_name,language,translation,record_id\nstops,stop_name,de,Hafen,harbor\n")
}
