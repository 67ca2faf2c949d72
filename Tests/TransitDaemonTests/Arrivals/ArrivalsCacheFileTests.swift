import Testing
import TransitFeeds
import TransitModel

@testable import TransitDaemon

@Suite struct ArrivalsCacheFileTests {
    private static let now = Instant(secondsSince1970: 1_800_000_000)

    private static var archive: ArrivalsCacheFile {
        var archive = ArrivalsCacheFile()
        archive.store(Array("eins".utf8), of: ArrivalsQuery("1A/中"), received: now)
        archive.store([], of: ArrivalsQuery("2"), received: now.advanced(by: -100))
        return archive
    }

    @Test func archiveRoundTrips() throws {
        let read = try #require(ArrivalsCacheFile(Self.archive.bytes))
        #expect(read.responses == Self.archive.responses)
        #expect(try #require(ArrivalsCacheFile([])).responses.isEmpty)
    }

    @Test func truncatedArchiveIsRejected() {
        let bytes = Self.archive.bytes
        // Truncating the archive after the first response leaves a valid archive.
        let whole = (0..<bytes.count).filter { ArrivalsCacheFile(Array(bytes.prefix($0))) != nil }
        #expect(whole == [0, 24 + 6 + 4])
    }

    @Test func excessiveSizesAreRejected() {
        #expect(ArrivalsCacheFile([UInt8](repeating: 0xFF, count: 24)) == nil)
        #expect(ArrivalsCacheFile([UInt8](repeating: 0xFF, count: 200)) == nil)
    }

    @Test func oldestResponsesAreDroppedBeyondMaximumSize() {
        var archive = ArrivalsCacheFile()
        let body = [UInt8](repeating: 1, count: ArrivalsCacheFile.maximumSize / 4)
        for number in 0..<8 {
            archive.store(body, of: ArrivalsQuery("\(number)"), received: Self.now.advanced(by: number))
        }
        #expect(archive.responses.keys.sorted() == (4..<8).map { ArrivalsQuery("\($0)") })
    }

    @Test func responsesBeforeMomentAreDropped() {
        var archive = Self.archive
        archive.drop(before: Self.now.advanced(by: -50))
        #expect(archive.responses.keys.sorted() == [ArrivalsQuery("1A/中")])
    }
}
