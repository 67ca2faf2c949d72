import Testing
import TransitModel
import TransitTestSupport

@testable import TransitStore

/// A corrupt file is reported or still readable; it never crashes the process.
@Suite struct TimetableCorruptionTests {
    private let folder: TemporaryDirectory
    private let path: String
    private let intact: [UInt8]

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("1.timetable")
        try TimetableFile.write(
            RandomDraft.make(seed: 21, stops: 30, trips: 150), origin: .sample, contentDigest: "d", report: .sample,
            to: path)
        intact = RawFile.read(path)
    }

    /// Reads the whole file and returns the number of errors.
    private func readEverything() -> Int {
        do {
            let file = try TimetableFile(path: path, cacheSize: 10_000)
            let counts = file.summary.counts
            var errors = 0
            func attempt(_ body: () throws -> Void) {
                do { try body() } catch { errors += 1 }
            }
            for position in 0..<min(counts.stops, 500) {
                let stop = StopIndex(position)
                attempt { _ = try file.stop(stop) }
                attempt { _ = try file.children(of: stop) }
                attempt { _ = try file.patterns(at: stop) }
                attempt { _ = try file.transfers(from: stop) }
                attempt { _ = try file.stop(id: StopID("stop-\(position)")) }
            }
            for position in 0..<min(counts.trips, 500) {
                attempt { _ = try file.locate(TripIndex(position)) }
                attempt { _ = try file.trip(id: try file.trip(TripIndex(position)).id) }
            }
            for position in 0..<min(counts.patterns, 500) { attempt { _ = try file.pattern(PatternIndex(position)) } }
            for position in 0..<min(counts.routes, 500) { attempt { _ = try file.patterns(of: RouteIndex(position)) } }
            for position in 0..<min(counts.shapes, 500) { attempt { _ = try file.shape(ShapeIndex(position)) } }
            for position in 0..<150 { attempt { _ = try file.text(TextIndex(position)) } }
            attempt { _ = try file.stops(near: Coordinate(latitude: 1, longitude: 1)!, within: 1e7) }
            attempt { try file.searchStops { _ in } }
            attempt {
                try file.searchStops { _ in
                    true
                } _: { _ in
                }
            }
            attempt { _ = try file.report() }
            attempt {
                _ = try file.translation(table: "stops", field: "name", language: "de", of: .value("value 0"))
            }
            return errors
        } catch {
            return 1
        }
    }

    @Test func intactFileHasNoErrors() { #expect(readEverything() == 0) }

    @Test(arguments: testSeeds(22)) func flippedBytesDoNotCrash(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var detected = 0
        for _ in 0..<150 {
            var bytes = intact
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            }
            RawFile.write(bytes, to: path)
            if readEverything() > 0 { detected += 1 }
        }
        // The remaining changes are in unused space, or in texts without a checksum.
        #expect(detected > 75)
    }

    @Test func wrongHeaderBytesDoNotCrash() {
        for position in Array(0..<100) + Array(stride(from: 100, to: 1024, by: 11)) {
            var bytes = intact
            bytes[position] = ~bytes[position]
            RawFile.write(bytes, to: path)
            _ = readEverything()
        }
    }

    @Test(arguments: testSeeds(23)) func truncatedFileIsRejectedOnOpen(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            RawFile.write(Array(intact.prefix(Int.random(in: intact.indices, using: &generator))), to: path)
            #expect(throws: StoreError.self) { try TimetableFile(path: path) }
        }
        RawFile.write(intact + [0], to: path)
        #expect(throws: StoreError.self) { try TimetableFile(path: path) }
    }

    @Test func otherFilesAreRejected() throws {
        #expect(
            throws: StoreError.file(path: folder.file("none"), operation: "open", reason: "No such file or directory")
        ) {
            try TimetableFile(path: folder.file("none"))
        }
        RawFile.write(Array("<html>not a database, but long enough to be checked</html>".utf8), to: path)
        #expect(throws: StoreError.notATimetable(path: path)) { try TimetableFile(path: path) }
        var bytes = intact
        bytes[71] ^= 1  // the last byte of application_id (SQLite file format, section 1.3)
        RawFile.write(bytes, to: path)
        #expect(throws: StoreError.notATimetable(path: path)) { try TimetableFile(path: path) }
        for version in [1, 9] {
            bytes = intact
            bytes[63] = UInt8(version)  // the last byte of user_version
            RawFile.write(bytes, to: path)
            #expect(throws: StoreError.format(path: path, found: version, supported: 3)) {
                try TimetableFile(path: path)
            }
        }
    }

    /// A checksum does not protect against forgery, so any pattern that is accepted must be safe to read.
    @Test(arguments: testSeeds(25)) func forgedPatternsDoNotCrash(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let draft = RandomDraft.make(seed: 26, stops: 30, trips: 150)
        let sizes = TableSizes(
            agencies: 2, stops: 30, routes: draft.routes.count, services: 7, patterns: draft.patterns.count,
            trips: draft.trips.count, texts: draft.texts.count, shapes: 5)
        var (rejected, accepted) = (0, 0)
        draft.patterns.forEachPattern { pattern in
            for _ in 0..<300 {
                var writer = ByteWriter()
                var bytes = pattern.packed
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let position = Int.random(in: bytes.indices, using: &generator)
                    bytes[position] = UInt8.random(in: 0...255, using: &generator)
                }
                writer.put(bytes: bytes)
                writer.seal()
                writer.bytes.withUnsafeBytes { blob in
                    let forged = try? PatternCoding.read(blob, index: pattern.index, sizes: sizes)
                    if forged == nil { rejected += 1 } else { accepted += 1 }
                    _ = forged.map(PatternContent.init)
                }
            }
        }
        #expect(rejected > 100 && accepted > 100)
    }

    @Test(arguments: testSeeds(24)) func randomBlobsDoNotCrash(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sizes = TableSizes(
            agencies: 2, stops: 100, routes: 10, services: 5, patterns: 50, trips: 1000, texts: 100, shapes: 5)
        for _ in 0..<10_000 {
            var writer = ByteWriter()
            for _ in 0..<Int.random(in: 0..<80, using: &generator) {
                writer.put(
                    byte: UInt8.random(in: 0...255, using: &generator) >> UInt8.random(in: 0..<8, using: &generator))
            }
            writer.seal()
            writer.bytes.withUnsafeBytes { blob in
                _ = try? PatternCoding.read(blob, index: PatternIndex(0), sizes: sizes)
                _ = try? PackedTripGroup.read(blob, of: TripIndex(70), sizes: sizes)
                _ = try? PackedTripGroup.read(blob, of: TripIndex(999), sizes: sizes)
                _ = try? PackedTextGroup.read(blob, position: 3)
                let _: [TripIndex]? = try? IdentifierHashIndex(rows: 1000).candidates(blob, hash: 1)
                try? StopCoordinateIndex.read(blob, sizes: sizes) { _ in }
                _ = try? DateList.read(blob)
            }
        }
    }
}
