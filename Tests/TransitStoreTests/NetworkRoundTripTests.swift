import Testing
import TransitFeeds
import TransitModel

@testable import TransitStore

/// Writes networks without times from a provider to a timetable file and reads them back.
@Suite struct NetworkRoundTripTests {
    private let folder: TemporaryDirectory
    init() throws { folder = try TemporaryDirectory() }

    private let place = ValidationReport.Location(file: "test")

    private func stop(_ number: Int) -> Stop {
        Stop(
            id: StopID("s\(number)"), name: "Stop \(number)",
            coordinate: Coordinate(latitude: 22.3 + Double(number) / 100, longitude: 114.1))
    }

    /// Route 1A runs in both directions, route 2 returns to its first stop, and route 3 has a single stop.
    private func builder() throws -> NetworkBuilder {
        var builder = NetworkBuilder(agencies: [Agency(id: "KMB", name: "KMB", timezone: "Asia/Hong_Kong")])
        for number in 1...6 { builder.add(stop(number), at: place) }
        for (id, type) in [("1A", 3), ("2", 0), ("3", 3)] {
            builder.add(Route(id: RouteID(id), agency: AgencyIndex(0), shortName: id, type: type), at: place)
        }
        let path = [stop(1), stop(2), stop(3)].compactMap(\.coordinate)
        builder.add(
            .init(
                id: "1A/O/1", route: "1A", direction: .zero, headsign: "Star Ferry", stops: ["s1", "s2", "s3"],
                path: path), at: place)
        builder.add(
            .init(id: "1A/I/1", route: "1A", direction: .one, stops: ["s3", "s2", "s1"]), at: place)
        builder.add(.init(id: "2/O/1", route: "2", stops: ["s4", "s5", "s4"]), at: place)
        builder.add(.init(id: "3/O/1", route: "3", stops: ["s6"]), at: place)
        builder.add(
            Translation(
                table: "stops", field: "stop_name", language: "zh-Hant", text: "一號站",
                subject: .record(id: "s1", subID: nil)))
        return builder
    }

    private func write(_ reading: GTFSReading) throws -> TimetableFile {
        try TimetableFile.write(
            reading.draft, origin: .sample, contentDigest: reading.contentDigest, report: reading.report,
            to: folder.file("1.timetable"))
        return try TimetableFile(path: folder.file("1.timetable"))
    }

    @Test func everyVariantIsATripThatNeverRuns() throws {
        let file = try write(try builder().finish())
        #expect(file.summary.serviceDates == nil)
        #expect(file.summary.counts.stops == 5)
        #expect(file.summary.counts.routes == 2)
        #expect(file.summary.counts.trips == 3)
        #expect(file.routes.map(\.id) == ["1A", "2"])
        let trip = try #require(try file.trip(id: "1A/O/1"))
        let place = try #require(try file.locate(trip))
        let stops = try place.pattern.calls.map { try file.stop($0.stop).id }
        #expect(stops == ["s1", "s2", "s3"])
        #expect(place.pattern.direction == .zero)
        #expect(try file.trip(trip).headsign.map { try file.text($0) } == "Star Ferry")
        // The estimated times increase along the pattern, and the service does not run on any date.
        let times = place.pattern.timingGroups[place.timingGroup].times.map(\.departure)
        #expect(times.first == 0)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(file.services.map(\.id) == ["never"])
        #expect(!file.services.contains { $0.runs(on: ServiceDate(daysSince1970: 20_000)) })
    }

    @Test func circularVariantVisitsItsFirstStopTwice() throws {
        let file = try write(try builder().finish())
        let first = try #require(try file.stop(id: "s1"))
        #expect(try file.patterns(at: first).map(\.position) == [0, 2])
        let circle = try #require(try file.stop(id: "s4"))
        #expect(try file.patterns(at: circle).map(\.position).sorted() == [0, 2])
        #expect(try file.stop(id: "s6") == nil)
        #expect(try file.patterns(of: try #require(file.route(id: "1A"))).count == 2)
    }

    @Test func shapesAndTranslationsAreReadBack() throws {
        let file = try write(try builder().finish())
        let outbound = try #require(try file.trip(id: "1A/O/1"))
        let shape = try #require(try file.trip(outbound).shape)
        #expect(try file.shape(shape).points.count == 3)
        let inbound = try #require(try file.trip(id: "1A/I/1"))
        #expect(try file.trip(inbound).shape == nil)
        #expect(
            try file.translation(
                table: "stops", field: "stop_name", language: "zh-Hant", of: .record(id: "s1", subID: nil)) == "一號站")
    }

    @Test func skippedRowsAreReported() throws {
        var builder = try builder()
        builder.add(.init(id: "1A/O/2", route: "1A", stops: ["s1", "s9", "s2"]), at: place)
        builder.add(.init(id: "9/O/1", route: "9", stops: ["s1", "s2"]), at: place)
        builder.add(.init(id: "1A/O/1", route: "1A", stops: ["s1", "s2"]), at: place)
        let reading = try builder.finish()
        let findings = Dictionary(uniqueKeysWithValues: reading.report.findings.map { ($0.rule, $0.count) })
        #expect(findings == ["foreign_key_violation": 2, "duplicate_key": 1, "unusable_trip": 1])
        let file = try write(reading)
        let trip = try #require(try file.trip(id: "1A/O/2"))
        #expect(try file.locate(trip)?.pattern.callCount == 2)
    }

    @Test func digestDependsOnNetwork() throws {
        let digest = try builder().finish().contentDigest
        #expect(try builder().finish().contentDigest == digest)
        var other = try builder()
        other.add(.init(id: "2/I/1", route: "2", stops: ["s5", "s4"]), at: place)
        #expect(try other.finish().contentDigest != digest)
    }

    @Test func networkWithoutVariantsIsRejected() throws {
        var builder = NetworkBuilder(agencies: [Agency(id: "", name: "A", timezone: "UTC")])
        builder.add(stop(1), at: place)
        #expect(throws: FeedError.self) { try builder.finish() }
    }
}
