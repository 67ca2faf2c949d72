import SwiftProtobuf
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// The reader of production, which walks over the wire itself, and SwiftProtobuf say the same of every message.
struct RealtimeComparisonTests {
    private struct Reading {
        var header: RealtimeHeader
        var entities: [RealtimeEntity] = []
        var problems = RealtimeProblems()

        init(_ bytes: [UInt8]) throws(FeedError) {
            let reader = try RealtimeReader(bytes)
            header = reader.header
            problems = reader.read { entities.append($0) }
        }
    }

    private enum Outcome: Hashable {
        case same, bothRefused, onlyWeRefuse, onlyTheyRefuse
    }

    @Test(.enabled(if: SharedData.isThere), arguments: SharedData.files("gtfsrt", withExtension: ".pb"))
    func agreeOnRecordings(name: String) throws {
        let source = try FileByteSource(path: SharedData.path("gtfsrt", name))
        var bytes = [UInt8](repeating: 0, count: Int(source.count))
        _ = try bytes.withUnsafeMutableBytes { try source.read(at: 0, into: $0) }
        #expect(try compare(bytes) == .same)
        // The first kilobytes of every recording with damage.
        var random = SplitMix(seed: UInt64(bytes.count))
        for _ in 0..<300 { _ = try compare(damaged(Array(bytes.prefix(4_000)), &random)) }
    }

    /// Messages that are made from the schema by chance, with unknown fields among the known.
    @Test(arguments: 0..<20) func agreeOnMessagesByChance(seed: UInt64) throws {
        var maker = MessageMaker(seed: seed)
        for _ in 0..<100 { #expect(try compare(maker.message()) == .same) }
    }

    /// The same with damage. Most are refused by both; where both read them, they read the same.
    @Test func agreeOnDamagedMessages() throws {
        var counts: [Outcome: Int] = [:]
        for seed in 0..<4_000 {
            var maker = MessageMaker(seed: UInt64(seed))
            var random = SplitMix(seed: UInt64(seed) &+ 0xDA_3A6E)
            counts[try compare(damaged(maker.message(), &random)), default: 0] += 1
        }
        // All kinds occur, so the comparison is not an empty one.
        #expect(counts[.same, default: 0] > 200, "\(counts)")
        #expect(counts[.bothRefused, default: 0] > 200, "\(counts)")
    }

    private func compare(_ bytes: [UInt8]) throws -> Outcome {
        let record = try? DecoderOfRecord(bytes)
        guard let ours = try? Reading(bytes) else {
            // Without a header and entities, or beginning as text or an archive does, it is not taken for a message.
            return record == nil ? .bothRefused : .onlyWeRefuse
        }
        let isWhole = ours.problems.count(.malformedEntity) == 0
        guard let record else {
            // They refuse the whole message for what we count in one entity, or do not look into at all.
            return isWhole ? .onlyTheyRefuse : .bothRefused
        }
        #expect(isWhole, "we refuse an entity that SwiftProtobuf reads")
        #expect(ours.header == record.header)
        #expect(ours.entities == record.entities)
        return .same
    }

    private func damaged(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return bytes }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: bytes.indices, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        return bytes
    }
}
