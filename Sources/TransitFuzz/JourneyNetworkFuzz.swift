internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitTestSupport

internal import struct TransitSimulation.SeededGenerator

/// Passes damaged networks with a right checksum to their reader, and searches journeys in what was accepted.
package struct JourneyNetworkFuzz: FuzzTarget {
    package static let name = "journey-network"
    package static let defaultCount = 20_000

    /// Its timetable has changes of all kinds, continuing vehicles and repeated trips.
    private let fixture: QueryFixture
    private let timetable: Timetable
    private let whole: [UInt8]

    package init() throws {
        fixture = try QueryFixture(
            .change(transfers: "x1,x2,A,B,,,2,90\nx1,x2,,,a0,b11,1,\nx2,x1,,,,,3,", isBlock: true)
                .file("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nb40,08:40:00,09:40:00,1200\n")
                .file(
                    "pathways.txt",
                    """
                    pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
                    1,x1,x2,2,0,80
                    2,x1,x2,5,1,150

                    """))
        guard let timetable = fixture.context.feeds[0].timetable else { throw FuzzFailure("there is no timetable") }
        self.timetable = timetable
        whole = try DerivedJourneyNetwork(timetable.file).bytes
    }

    package mutating func run(seed: UInt64) throws { try read(sample(seed: seed)) }

    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes = whole
        for _ in 0..<random.number(0...3) where bytes.count > 200 {
            let place = random.number(0...bytes.count - 1)
            switch random.number(0...6) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...200)))
            case 1: bytes[place] ^= 1 << UInt8(random.number(0...7))
            case 2: bytes[place] = random.pick([0, 1, 2, 0x7F, 0x80, 0xFF])
            case 3:
                // A number of two bytes.
                let value = random.pick([0, 1, 2, 0x7FF, 0xFFF, 0x7FFF, 0x8000, 0xFFFF] as [UInt16])
                let first = min(place / 2 * 2, bytes.count - 2)
                for byte in 0..<2 { bytes[first + byte] = UInt8(truncatingIfNeeded: value >> UInt16(8 * byte)) }
            default:
                // A number of four bytes.
                let value = random.pick([0, 1, 2, 3, 5, 8, UInt32(Int32.max), UInt32.max, 1 << 31])
                let first = min(place / 4 * 4, bytes.count - 4)
                for byte in 0..<4 { bytes[first + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
            }
        }
        return bytes
    }

    package func read(_ bytes: [UInt8]) throws {
        var bytes = bytes
        if bytes.count > JourneyNetworkHeader.size {
            let sum = bytes.withUnsafeBytes {
                JourneyNetworkFile.checksum(UnsafeRawBufferPointer(rebasing: $0[JourneyNetworkHeader.checkedFrom...]))
            }
            for byte in 0..<8 { bytes[16 + byte] = UInt8(truncatingIfNeeded: UInt64(sum) >> UInt64(8 * byte)) }
        }
        let copy = JourneyNetworkBytes(copying: bytes)
        // Rejecting a damaged network is not a failure.
        guard let network = try? JourneyNetwork(copy, of: timetable.file.summary.counts) else { return }
        let feed = JourneyFeed(network: network, calendar: timetable.context)
        let stops = (0..<timetable.file.summary.counts.stops).map { JourneyQuery.End(stop: StopIndex($0), walk: 60) }
        for window in [nil, fixture.now.advanced(by: 3600)] {
            for destination in stops {
                var query = JourneyQuery(
                    origins: stops, destinations: [destination], earliest: fixture.now, latest: window)
                query.maximumWork = 20_000
                let found = JourneyFinder.find(query, in: [feed])
                for leg in found.journeys.flatMap(\.legs) {
                    _ = try? feed.calls(of: leg) { (index) throws(StoreError) in try timetable.file.pattern(index) }
                }
            }
        }
    }
}
