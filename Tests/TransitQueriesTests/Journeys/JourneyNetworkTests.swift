import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// The network that is derived from a timetable: its content, and how damaged bytes are detected.
@Suite struct JourneyNetworkTests {
    /// A feed with transfers, blocks and frequencies.
    static func feed() throws -> QueryFixture {
        try QueryFixture(
            .change(transfers: "x1,x2,A,B,,,2,90\nx1,x2,,,a0,b11,1,\n,,,,b20,b40,5,", isBlock: true)
                .file(
                    "frequencies.txt",
                    "trip_id,start_time,end_time,headway_secs\nb40,08:40:00,09:40:00,1200\n"))
    }

    private static func timetable(_ fixture: QueryFixture) throws -> Timetable {
        try #require(fixture.context.feeds[0].timetable)
    }

    private static func network(_ fixture: QueryFixture) throws -> JourneyNetwork {
        guard case .ready(let network) = try timetable(fixture).journeyNetwork() else {
            throw NetworkNotReady()
        }
        return network
    }

    @Test func timetableIsReadInBulkAsOneByOne() throws {
        for fixture in [try Self.feed(), try QueryFixture(.small)] {
            let file = try Self.timetable(fixture).file
            let counts = file.summary.counts
            let stops = [nil] + (0..<counts.stops).map { StopIndex($0) }
            let transfers = try stops.flatMap { try file.transfers(from: $0) }
            #expect(try file.transfers() == transfers)
            let trips = try (0..<counts.trips).map { try file.trip(TripIndex($0)) }
            let blocks = trips.map(\.block)
            #expect(try file.blocks() == (blocks.contains { $0 != nil } ? blocks : []))
            #expect(try file.trips(ids: trips.map(\.id) + ["?"]) == (0..<counts.trips).map { TripIndex($0) } + [nil])
            var patterns: [Pattern] = []
            try file.forEachPattern {
                patterns.append($0)
                return true
            }
            let read = try (0..<counts.patterns).map { try file.pattern(PatternIndex($0)) }
            #expect(patterns.map(\.packed) == read.map(\.packed))
            #expect(throws: StoreError.canceled) { try file.forEachPattern { _ in false } }
        }
    }

    @Test func networkHasRoutesAndFootpaths() throws {
        let fixture = try QueryFixture(.change())
        let file = try Self.timetable(fixture).file
        let network = try Self.network(fixture)
        #expect(network.stopCount == 5)
        #expect(network.nodeCount == 5)
        #expect(network.routeCount == 2)
        let trips = (0..<2).map { route in
            network.trips(of: route).map { network.routes[route].start(of: network.trips[$0]) }
        }
        #expect(Set(trips) == [[28_800], [29_400, 29_460, 29_580, 30_000, 31_200]])
        let (first, second) = (try #require(try file.stop(id: "x1")), try #require(try file.stop(id: "x2")))
        let footpaths = network.footpaths(of: first.position).map { network.footpaths[$0] }
        #expect(footpaths.map(\.node) == [second.position])
        #expect(footpaths.map(\.kind) == [.walk])
        #expect(footpaths.map(\.value) == [101])
        #expect(!network.hasContinuingTrips)
    }

    @Test func requestsShareOneNetwork() throws {
        let timetable = try Self.timetable(try Self.feed())
        guard case .ready(let one) = timetable.journeyNetwork(), case .ready(let other) = timetable.journeyNetwork()
        else {
            Issue.record("the network is not ready")
            return
        }
        #expect(one === other)
    }

    @Test func networkIsBuiltByWhoCreatesTheTimetable() throws {
        let fixture = try QueryFixture(.change())
        let network = try Self.network(fixture)
        let known = try Self.timetable(fixture)
        let timetable = Timetable(feed: "city", version: 1, file: known.file, zones: fixture.zones) { _, _ in nil }
        guard case .building = timetable.journeyNetwork(), case .building = timetable.journeyNetwork() else {
            Issue.record("the network is not being built")
            return
        }
        timetable.finishJourneyNetwork(nil)
        guard case .building = timetable.journeyNetwork() else {
            Issue.record("the network is not built again")
            return
        }
        timetable.finishJourneyNetwork(network)
        guard case .ready = timetable.journeyNetwork() else {
            Issue.record("the network is not ready")
            return
        }
        let failing = Timetable(feed: "city", version: 1, file: known.file, zones: fixture.zones) { _, _ in
            "The disk is full."
        }
        guard case .unavailable("The disk is full.") = failing.journeyNetwork() else {
            Issue.record("the reason is missing")
            return
        }
    }

    @Test func sourceDependsOnTheTimetableAndTheDistance() throws {
        let file = try Self.timetable(try QueryFixture(.change())).file
        let other = try Self.timetable(try QueryFixture(.small)).file
        let source = JourneyNetwork.Source(of: file)
        #expect(source == JourneyNetwork.Source(of: file))
        #expect(source != JourneyNetwork.Source(of: other))
        #expect(source != JourneyNetwork.Source(of: file, walkingDistance: 400))
        #expect(source != JourneyNetwork.Source(file, rules: 0, walkingDistance: 500))
    }

    /// Each byte of a network is changed. Either the change is detected, or a search still ends.
    @Test func changedBytesAreDetectedOrHarmless() throws {
        let fixture = try Self.feed()
        let timetable = try Self.timetable(fixture)
        let bytes = try DerivedJourneyNetwork(timetable.file).bytes
        var accepted = 0
        for position in bytes.indices {
            for mask: UInt8 in [1, 0x80] {
                var changed = bytes
                changed[position] ^= mask
                // Without the checksum, which would detect every change after the header.
                let network = try? JourneyNetwork(
                    JourneyNetworkBytes(copying: changed), of: timetable.file.summary.counts)
                guard let network else { continue }
                accepted += 1
                var query = JourneyQuery(
                    origins: (0..<5).map { .init(stop: StopIndex($0)) },
                    destinations: [.init(stop: StopIndex(4))], earliest: fixture.now)
                query.maximumVehicles = 3
                _ = JourneyFinder.find(query, in: [JourneyFeed(network: network, calendar: timetable.context)])
            }
        }
        #expect(accepted > 0)
    }
}

struct NetworkNotReady: Error {}
