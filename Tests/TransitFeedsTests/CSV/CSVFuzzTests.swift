import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

/// A simple, slow implementation of the rules of ``CSVSplitter``, for comparison.
private struct ReferenceCSVReader {
    private(set) var rows: [[String]] = []
    /// Whether the text ended inside quotes. Recovery is not implemented here.
    private(set) var isUnclosed = false

    init(_ text: [UInt8]) {
        var row: [[UInt8]] = []
        var field: [UInt8] = []
        var (isOpen, wasQuoted) = (false, false)
        var position = 0
        func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 <= 0x20 } }
        while position < text.count {
            let byte = text[position]
            position += 1
            if isOpen {
                guard byte == 0x22 else {
                    field.append(byte)
                    continue
                }
                if position < text.count, text[position] == 0x22 {
                    field.append(0x22)
                    position += 1
                } else {
                    isOpen = false
                }
            } else if byte == 0x22, !wasQuoted, isBlank(field) {
                (field, isOpen, wasQuoted) = ([], true, true)
            } else if byte == 0x2C {
                row.append(field)
                (field, wasQuoted) = ([], false)
            } else if byte == 0x0A || byte == 0x0D {
                if byte == 0x0D, position < text.count, text[position] == 0x0A { position += 1 }
                end(&row, &field, &wasQuoted)
            } else {
                field.append(byte)
            }
        }
        isUnclosed = isOpen
        if !row.isEmpty || !field.isEmpty || wasQuoted { end(&row, &field, &wasQuoted) }
    }

    private mutating func end(_ row: inout [[UInt8]], _ field: inout [UInt8], _ wasQuoted: inout Bool) {
        let isBlankLine = row.isEmpty && !wasQuoted && field.allSatisfy { $0 <= 0x20 }
        if !isBlankLine {
            rows.append(
                (row + [field]).map { field in
                    let trimmed = field.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
                    return String(decoding: Array(trimmed), as: UTF8.self)
                })
        }
        (row, field, wasQuoted) = ([], [], false)
    }
}

@Suite("Random tables")
struct CSVFuzzTests {
    private static func random(_ alphabet: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...60, using: &generator)).map { _ in alphabet.randomElement(using: &generator)! }
    }

    @Test("The parser agrees with the reference implementation")
    func parserAgreesWithReference() throws {
        var generator = SeededGenerator(seed: 11)
        let columns = ["c0", "c1", "c2", "c3"]
        var compared = 0
        for _ in 0..<700 {
            let bytes = Self.random(Array("\",\n\r ab-".utf8), &generator)
            let plain = ReferenceCSVReader(bytes)
            guard !plain.isUnclosed else { continue }
            // Rows that contain only separators are skipped unless they have the expected four fields.
            let expected = plain.rows.filter { $0.count == 4 || $0.contains { !$0.isEmpty } }
                .map { row in (0..<4).map { $0 < row.count ? row[$0] : "" } }
            let text = Array("c0,c1,c2,c3\n".utf8) + bytes
            let table = try ParsedTable(text, columns: columns, pieces: Int.random(in: 1...80, using: &generator))
            let found = table.fields.filter { row in row.contains { !$0.isEmpty } }
            #expect(
                found == expected.filter { row in row.contains { !$0.isEmpty } },
                "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            compared += 1
        }
        #expect(compared > 400)
    }

    @Test("The division into pieces does not affect rows and report")
    func piecesDoNotAffectResult() throws {
        var generator = SeededGenerator(seed: 12)
        let alphabet = Array("\"\",,\n\r a".utf8) + [0, 0xC3, 0xA9, 0xE2, 0xFF]
        for _ in 0..<700 {
            let bytes = Array("a,b,c\n".utf8) + Self.random(alphabet, &generator)
            let whole = try ParsedTable(bytes, columns: ["a", "b", "c"], pieces: 1000)
            for size in [4, 5, 6, 9, Int.random(in: 4...70, using: &generator)] {
                #expect(
                    try ParsedTable(bytes, columns: ["a", "b", "c"], pieces: size) == whole, "\(bytes) in \(size)")
            }
        }
    }

    @Test("Random bytes give rows or an error")
    func randomBytesGiveRowsOrError() {
        var generator = SeededGenerator(seed: 13)
        var rows = 0
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            rows += (try? ParsedTable(bytes, columns: ["a", "b"], pieces: 50))?.rows.count ?? 0
        }
        #expect(rows > 100)
    }
}
