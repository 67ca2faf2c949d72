import Testing
import TransitFeeds
import TransitModel

@testable import TransitDaemon

@Suite struct ArrivalsArchiveTests {
    private static let now = Instant(secondsSince1970: 1_800_000_000)

    private static var archive: ArrivalsArchive {
        var archive = ArrivalsArchive()
        archive.take(Array("eins".utf8), of: ArrivalsQuery("1A/中"), received: now)
        archive.take([], of: ArrivalsQuery("2"), received: now.advanced(by: -100))
        return archive
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let read = try #require(ArrivalsArchive(Self.archive.bytes))
        #expect(read.answers == Self.archive.answers)
        #expect(try #require(ArrivalsArchive([])).answers.isEmpty)
    }

    @Test func whatIsCutIsNoArchive() {
        let bytes = Self.archive.bytes
        // But for the end of the first answer, where a shorter archive ends.
        let whole = (0..<bytes.count).filter { ArrivalsArchive(Array(bytes.prefix($0))) != nil }
        #expect(whole == [0, 24 + 6 + 4])
    }

    @Test func hostileSizesDoNoHarm() {
        #expect(ArrivalsArchive([UInt8](repeating: 0xFF, count: 24)) == nil)
        #expect(ArrivalsArchive([UInt8](repeating: 0xFF, count: 200)) == nil)
    }

    @Test func itIsBounded() {
        var archive = ArrivalsArchive()
        let body = [UInt8](repeating: 1, count: ArrivalsArchive.largest / 4)
        for number in 0..<8 {
            archive.take(body, of: ArrivalsQuery("\(number)"), received: Self.now.advanced(by: number))
        }
        #expect(archive.answers.keys.sorted() == (4..<8).map { ArrivalsQuery("\($0)") })
    }

    @Test func whatIsOldIsLetGo() {
        var archive = Self.archive
        archive.drop(before: Self.now.advanced(by: -50))
        #expect(archive.answers.keys.sorted() == [ArrivalsQuery("1A/中")])
    }
}
