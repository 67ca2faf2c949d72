import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// The rows that a part of a feed (`FeedSubset`) has, for feeds in unusual order and with mistakes.
@Suite struct FeedSubsetTests {
    private static let market = FeedSubset(
        places: [.coordinate(Coordinate(latitude: 53.545, longitude: 9.99)!)], radius: 200)

    private func read(_ feed: FeedBuilder, keeping subset: FeedSubset?) throws -> GTFSReading {
        var options = GTFSReader.Options(today: try #require(ServiceDate(iso8601: "2026-03-27"))) { _ in true }
        options.subset = subset
        return try GTFSReader(feed.source, options: options).read()
    }

    /// The calls of each trip, such as `harbor 0`, with the departure in seconds after the first one.
    private func calls(_ draft: TimetableDraft) -> [String: [String]] {
        var calls: [String: [String]] = [:]
        draft.patterns.forEachPattern { pattern in
            for (number, group) in pattern.timingGroups.enumerated() {
                for position in group.starts.indices {
                    let times = pattern.times(ofTimingGroup: number)
                    calls[draft.trips.ids[group.trip(position).position]] = pattern.calls.indices.map { call in
                        "\(draft.stops[pattern.calls[call].stop.position].id) \(times[call].departure)"
                    }
                }
            }
        }
        return calls
    }

    /// The rows at the kept stop come last, when the other rows of the trips have been discarded.
    @Test func scatteredRowsAreReadAgain() throws {
        let lines = FeedBuilder.small["stop_times.txt"].split(separator: "\n").map(String.init)
        let rows = lines.dropFirst()
        let scattered =
            [lines[0]] + rows.filter { !$0.contains("market") } + rows.filter { $0.contains("market") } + [
                "b1,wrong,08:15:00,harbor,9", "b1,08:30:00,08:30:00,nowhere,10",
            ]
        let feed = FeedBuilder.small.file("stop_times.txt", scattered.joined(separator: "\n") + "\n")
        let whole = try read(feed, keeping: nil)
        let part = try read(feed, keeping: Self.market)
        let expected = calls(whole.draft).filter { $0.key.hasPrefix("b") }
        #expect(expected.count == 4)
        #expect(calls(part.draft) == expected)
        #expect(part.draft.stopTimeCount == expected.values.map(\.count).reduce(0, +))
        // Each mistake is reported once, although its row is read twice.
        func counts(_ report: ValidationReport) -> [String: Int] {
            Dictionary(
                report.findings.filter { $0.examples.first?.place.file == "stop_times.txt" }.map {
                    ($0.rule, $0.count)
                },
                uniquingKeysWith: +)
        }
        #expect(!counts(whole.report).isEmpty)
        #expect(counts(part.report) == counts(whole.report))
    }

    /// A station has one board, so one platform within the radius keeps all of it.
    @Test func stationIsKeptWhole() throws {
        let subset = FeedSubset(
            places: [.coordinate(try #require(Coordinate(latitude: 53.5529, longitude: 10.0063)))], radius: 1)
        let draft = try read(.small, keeping: subset).draft
        let kept = Set(draft.stops.filter(\.isKept).map(\.id))
        #expect(kept == ["central", "central:1", "central:2"])
        #expect(Set(draft.stops.map(\.id)) == ["central", "central:1", "central:2", "harbor", "market", "park"])
        #expect(draft.trips.count == 6)
    }

    /// Stops with one name on both sides of a road have one board.
    @Test func namesakeIsKept() throws {
        let feed = FeedBuilder.withOppositePlatform(latitude: "53.5465")
        let draft = try read(feed, keeping: FeedSubset(places: Self.market.places, radius: 100)).draft
        #expect(Set(draft.stops.filter(\.isKept).map(\.id)) == ["market", "market:b"])
        #expect(calls(draft)["back"] != nil)
    }

    @Test func placeAtAStopIsItsPosition() throws {
        let draft = try read(.small, keeping: FeedSubset(places: [.stop("market")], radius: 200)).draft
        #expect(draft.stops.filter(\.isKept).map(\.id) == ["market"])
        let error = #expect(throws: FeedError.self) {
            try read(.small, keeping: FeedSubset(places: [.stop("none")], radius: 200))
        }
        #expect("\(try #require(error))".hasPrefix("A place of `keep` is at the stop “none”"))
    }

    @Test func unknownNamesAreReported() throws {
        let report = try read(.small, keeping: FeedSubset(routes: ["24", "99"], agencies: ["Rail"])).report
        #expect(
            report.findings.filter { $0.rule.hasPrefix("keep_") }.map(\.rule).sorted() == [
                "keep_unknown_agency", "keep_unknown_route",
            ])
        let ofAgency = try read(.small, keeping: FeedSubset(agencies: ["city lines"])).draft
        #expect(ofAgency.trips.count == 6)
    }
}
