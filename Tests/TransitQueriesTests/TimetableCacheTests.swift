import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Tests that the caches of a timetable return the same as the file when they hold fewer entries than are requested.
@Suite struct TimetableCacheTests {
    private static let stops = 2300
    private static let trips = 2500

    private static let callsOfTrip = 15

    /// Each trip begins at another stop, and has a headsign of its own.
    private static var network: FeedBuilder {
        let stopLines = (0..<stops).map { "s\($0),,Stop \($0),53.\(10_000 + $0),9.98,0,,\n" }
        let tripLines = (0..<trips).map { "bus24,weekday,n\($0),To \($0),0\n" }
        let times = (0..<trips).flatMap { trip in
            (0..<callsOfTrip).map { call in
                let time = "\(8 + call):\(10 + trip % 50):00"
                return "n\(trip),\(time),\(time),s\((trip + call) % stops),\(call)\n"
            }
        }
        return FeedBuilder.small.adding(stopLines.joined(), to: "stops.txt")
            .adding(tripLines.joined(), to: "trips.txt").adding(times.joined(), to: "stop_times.txt")
    }

    private let fixture: QueryFixture
    private let timetable: Timetable

    init() throws {
        fixture = try QueryFixture(Self.network)
        timetable = try #require(fixture.context.feeds.first?.timetable)
    }

    /// The order of a request: forward, backward, and in steps that share a slot of the cache.
    private static func orders(_ count: Int) -> [[Int]] {
        let forward = Array(0..<count)
        let steps = (0..<1024).flatMap { start in Array(stride(from: start, to: count, by: 1024)) }
        return [forward, forward, forward.reversed(), steps, steps.reversed()]
    }

    @Test func tripsEqualThoseOfTheFile() throws {
        let count = timetable.file.summary.counts.trips
        try #require(count > 2048)
        for order in Self.orders(count) {
            for position in order {
                let index = TripIndex(UInt32(position))
                let (cached, trip) = (try timetable.cachedTrip(index), try timetable.file.trip(index))
                guard cached.index == index, cached.trip == trip,
                    cached.headsign == (try trip.headsign.map { try timetable.file.text($0) })
                else {
                    Issue.record("trip \(position): \(cached.id) instead of \(trip.id)")
                    return
                }
            }
        }
    }

    @Test func callsEqualThoseOfAnotherReader() throws {
        let count = timetable.file.summary.counts.stops
        try #require(count > 2048)
        // A query through another file object has caches of its own, and asks for each stop once.
        let other = try QueryFixture(Self.network)
        let file = try #require(other.context.feeds.first?.timetable).file
        let expected = try (0..<count).map { try file.visits(at: StopIndex(UInt32($0))) }
        #expect(expected.reduce(0) { $0 + $1.count } > 33_000)
        for order in Self.orders(count) {
            for position in order {
                let found = try timetable.file.visits(at: StopIndex(UInt32(position)))
                guard found.elementsEqual(expected[position], by: { $0 == $1 }) else {
                    Issue.record("stop \(position): \(found) instead of \(expected[position])")
                    return
                }
            }
        }
    }

    /// A board has the trip that begins at its stop.
    @Test func boardsShowTheirOwnTrips() throws {
        for stop in [0, 1023, 1024, 2047, 2048, 1, 0] {
            let board = try fixture.board("city:s\(stop)").result(count: 2, fixture.context)
            let lines = try fixture.lines(board)
            #expect(lines.contains { $0.hasPrefix("n\(stop) ") }, "\(lines)")
        }
    }
}
