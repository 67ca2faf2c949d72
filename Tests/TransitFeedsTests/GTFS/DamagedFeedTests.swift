import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Feeds with random changes are either rejected or result in a valid timetable.
@Suite struct DamagedFeedTests {
    private static let tables = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt",
        "frequencies.txt", "shapes.txt", "transfers.txt", "translations.txt", "feed_info.txt",
    ]

    private static let rich = FeedBuilder.small
        .file("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times\nb2,07:00:00,09:00:00,600,1\n")
        .file(
            "shapes.txt",
            "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\na,53.1,10.1,1\na,53.2,10.2,2\nb,53.1,10.1,1\n"
        )
        .file("transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nharbor,market,2,60\n")
        .file(
            "translations.txt",
            "table_name,field_name,language,translation,record_id\nstops,stop_name,de,Hafen,harbor\n"
        )
        .file("feed_info.txt", "feed_publisher_name,feed_publisher_url,feed_lang\nCity,https://city.example,en\n")
        .adding("b1,,,park,4,,,1e30\nb1,09:00:00,09:00:00,harbor,5,,,1e300\n", to: "stop_times.txt")

    /// Texts that can break the parsing of numbers, times and quotes.
    private static let pieces = [
        "\"", ",", "\n", "\r", "-", "0", "9", "99999999999", ":", "e", "NaN", "1e999", "-1", "\u{0}", "\u{FEFF}", "",
        "é",
    ].map { Array($0.utf8) }

    private func damaged(_ seed: UInt64) -> FeedBuilder {
        var numbers = SeededGenerator(seed: seed)
        var feed = Self.rich
        for _ in 0..<Int.random(in: 1...6, using: &numbers) {
            guard let name = Self.tables.randomElement(using: &numbers),
                let piece = Self.pieces.randomElement(using: &numbers)
            else { continue }
            var bytes = Array(feed[name].utf8)
            guard !bytes.isEmpty else { continue }
            let start = Int.random(in: 0..<bytes.count, using: &numbers)
            let end = min(bytes.count, start + Int.random(in: 0...12, using: &numbers))
            bytes.replaceSubrange(start..<end, with: piece)
            feed = feed.file(name, bytes: bytes)
        }
        return feed
    }

    @Test(arguments: 0..<20) func damagedFeedIsRejectedOrValid(part: UInt64) {
        for seed in (part * 25)..<(part * 25 + 25) {
            let feed = damaged(seed)
            do {
                try check(GTFSReader(feed.source, options: GTFSFixture.options).read())
            } catch {
                check(error)
            }
        }
    }

    private func check(_ reading: GTFSReading) {
        expectOrder(reading.draft.patterns, reading.draft.trips)
        #expect(reading.draft.stops.allSatisfy { ($0.parent?.position ?? 0) < reading.draft.stops.count })
        let shapes = reading.draft.shapes
        for shape in 0..<shapes.count {
            #expect(ShapePacking.points(shapes.packed.bytes[shapes.packed.range(shape)]) != nil)
        }
    }

    private func check(_ error: FeedError) {
        switch error {
        case .refused(let reason, let report): #expect(!reason.isEmpty && report.worst == .fatal)
        case .table(let place, _): #expect(Self.tables.contains(place.file))
        default: Issue.record("unexpected: \(error)")
        }
    }
}
