import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Invalid messages give an error or counted problems, never a crash.
struct RealtimeHostileTests {
    @Test func truncationIsDetected() throws {
        let whole = FullMessage.bytes
        let entities = try RealtimeReading(whole).entities
        var errors = 0
        for length in 0..<whole.count {
            do {
                // A truncation between two entities cannot be detected.
                let reading = try RealtimeReading(Array(whole.prefix(length)))
                #expect(reading.entities == Array(entities.prefix(reading.entities.count)))
                #expect(reading.problems.isEmpty)
            } catch {
                errors += 1
                if case .message(.truncated, let offset, _) = error { #expect(offset <= length) }
            }
        }
        #expect(errors == whole.count - 4)
    }

    @Test func truncatedJSONIsDetected() throws {
        let whole = Array(
            #"{"header":{"timestamp":17},"entity":[{"id":"a","is_deleted":true}],"x":[1.5e3,"\u00e9",null]}"#.utf8)
        _ = try RealtimeReading(whole)
        for length in 0..<whole.count {
            #expect(throws: FeedError.self) { try RealtimeReading(Array(whole.prefix(length))) }
        }
    }

    @Test(arguments: 0..<40) func flippedBitsDoNotCrash(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = FullMessage.bytes
        for _ in 0..<250 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            check(bytes)
        }
    }

    @Test(arguments: 0..<10) func randomBytesDoNotCrash(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            check(bytes)
            bytes[0] = 0x7B
            check(bytes)
        }
    }

    /// Checks that all values are within the ranges that the model guarantees.
    private func check(_ bytes: [UInt8]) {
        guard let reading = try? RealtimeReading(bytes) else { return }
        for update in reading.updates {
            for call in update.updates {
                for time in [call.arrival?.time, call.departure?.time].compactMap({ $0 }) {
                    #expect((1...253_402_300_799).contains(time.secondsSince1970))
                }
            }
        }
        for vehicle in reading.vehicles {
            #expect(vehicle.bearing.map { (0..<360).contains($0) } ?? true)
            #expect(vehicle.speed.map { $0 >= 0 && $0.isFinite } ?? true)
        }
    }

    @Test func nestingOfGroupsIsLimited() throws {
        let groups = (0..<100_000).flatMap { _ in [0xA3, 0x06] as [UInt8] }
        #expect(throws: FeedError.self) { try RealtimeReader([0x0A, 0x00] + groups) }
        let body = [0x0A, 1, 0x65] as [UInt8] + groups
        let length = [UInt8(body.count & 0x7F | 0x80), UInt8(body.count >> 7 & 0x7F | 0x80), UInt8(body.count >> 14)]
        let reading = try RealtimeReading([0x0A, 0x00, 0x12] + length + body)
        #expect(reading.problems.count(.malformedEntity) == 1)
    }

    @Test func nestingOfJSONIsLimited() {
        for bracket in ["[", #"{"a":"#] {
            let text = #"{"entity":[],"x":"# + String(repeating: bracket, count: 100_000)
            let offset = 17 + 63 * bracket.utf8.count
            let path = String(repeating: bracket == "[" ? "[0]" : ".a", count: 6).drop { $0 == "." }
            #expect(throws: FeedError.message(.depth, offset: offset, member: String(path))) {
                try RealtimeReader(Array(text.utf8))
            }
        }
    }

    @Test func hugeLengthsAndNumbersAreRejected() {
        let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
        #expect(throws: FeedError.message(.truncated, offset: 13)) { try RealtimeReader([0x0A, 0x00, 0x12] + huge) }
        #expect(throws: FeedError.message(.varint, offset: 13)) {
            try RealtimeReader([0x0A, 0x00, 0x08] + [UInt8](repeating: 0xFF, count: 12))
        }
        #expect(throws: FeedError.message(.tag, offset: 3)) { try RealtimeReader([0x0A, 0x00, 0x07]) }
        #expect(throws: FeedError.message(.tag, offset: 3)) { try RealtimeReader([0x0A, 0x00, 0x02]) }
        #expect(throws: FeedError.message(.tag, offset: 3)) { try RealtimeReader([0x0A, 0x00, 0x0C]) }
    }
}
