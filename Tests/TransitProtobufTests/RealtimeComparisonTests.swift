import SwiftProtobuf
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// The production decoder, which reads the wire format itself, agrees with SwiftProtobuf on every message.
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
        case equal, bothReject, onlyOursRejects, onlyTheirsRejects
    }

    @Test(.enabled(if: SharedData.isAvailable), arguments: SharedData.files("gtfsrt", withExtension: ".pb"))
    func decodersAgreeOnRecordings(name: String) throws {
        let source = try FileByteSource(path: SharedData.path("gtfsrt", name))
        var bytes = [UInt8](repeating: 0, count: Int(source.count))
        _ = try bytes.withUnsafeMutableBytes { try source.read(at: 0, into: $0) }
        #expect(try compare(bytes) == .equal)
        // The first few kilobytes of each recording, with flipped bits.
        var random = SeededGenerator(seed: UInt64(bytes.count))
        for _ in 0..<300 { _ = try compare(corrupted(Array(bytes.prefix(4_000)), &random)) }
    }

    /// Messages generated randomly from the schema, with unknown fields.
    @Test(arguments: 0..<20) func decodersAgreeOnRandomMessages(seed: UInt64) throws {
        var generator = RandomMessageGenerator(seed: seed)
        for _ in 0..<100 { #expect(try compare(generator.message()) == .equal) }
    }

    /// The same messages with flipped bits. Both decoders reject most of them and agree on the rest.
    @Test func decodersAgreeOnCorruptMessages() throws {
        var counts: [Outcome: Int] = [:]
        for seed in 0..<4_000 {
            var generator = RandomMessageGenerator(seed: UInt64(seed))
            var random = SeededGenerator(seed: UInt64(seed) &+ 0xDA_3A6E)
            counts[try compare(corrupted(generator.message(), &random), "seed \(seed)"), default: 0] += 1
        }
        // The comparison is meaningful because both outcomes occur.
        #expect(counts[.equal, default: 0] > 200, "\(counts)")
        #expect(counts[.bothReject, default: 0] > 200, "\(counts)")
    }

    private func compare(_ bytes: [UInt8], _ origin: String = "") throws -> Outcome {
        let reference = try? ReferenceDecoder(bytes)
        guard let ours = try? Reading(bytes) else {
            // Our decoder also rejects bytes without a header and entities, and bytes whose start looks like text or an
            // archive.
            return reference == nil ? .bothReject : .onlyOursRejects
        }
        let isComplete = ours.problems.count(.malformedEntity) == 0
        guard let reference else {
            // SwiftProtobuf rejects the whole message in cases in which our decoder drops one entity or does not decode
            // a part of the message.
            return isComplete ? .onlyTheirsRejects : .bothReject
        }
        #expect(isComplete, "our decoder drops an entity that SwiftProtobuf decodes, \(origin)")
        #expect(ours.header == reference.header, "\(origin)")
        #expect(ours.entities == reference.entities, "\(origin)")
        return .equal
    }

    private func corrupted(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return bytes }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let position = Int.random(in: bytes.indices, using: &random)
            bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        return bytes
    }
}
