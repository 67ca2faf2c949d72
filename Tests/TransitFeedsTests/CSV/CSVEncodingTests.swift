import Testing
import TransitModel

@testable import TransitFeeds

@Suite("Encodings of a table")
struct CSVEncodingTests {
    private static let text = "a,b,c\r\nÅrhus,\"Köln, \"\"Dom\"\"\",😀 naïve\r\n1,2,3"
    private static let rows = [["Århus", "Köln, \"Dom\"", "😀 naïve"], ["1", "2", "3"]]

    private static func utf16(_ text: String, isBigEndian: Bool, mark: Bool) -> [UInt8] {
        (mark ? [0xFEFF] : []).appending(text.utf16).flatMap { (unit: UInt16) -> [UInt8] in
            isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
        }
    }

    @Test("UTF-8 with a byte order mark is read", arguments: [4, 5, 8, 1000])
    func byteOrderMarkIsSkipped(size: Int) throws {
        let table = try ParsedTable("\u{FEFF}" + Self.text, pieces: size)
        #expect(table.fields == Self.rows)
        #expect(table.header == ["a", "b", "c"])
        #expect(table.findings.isEmpty)
    }

    @Test(
        "UTF-16 is read in both byte orders, with and without a byte order mark", arguments: [4, 5, 7, 1000],
        [true, false])
    func utf16IsRead(size: Int, isBigEndian: Bool) throws {
        for mark in [true, false] {
            let bytes = Self.utf16(Self.text, isBigEndian: isBigEndian, mark: mark)
            let table = try ParsedTable(bytes, columns: ["a", "b", "c"], pieces: size)
            #expect(table.fields == Self.rows)
            #expect(table.findings == ["utf16 1 1"])
        }
    }

    @Test("UTF-16 longer than the decoder's buffer is read")
    func longUTF16IsRead() throws {
        let text = "a,b,c\n" + String(repeating: "1,東京,3\n", count: 40_000)
        let bytes = Self.utf16(text, isBigEndian: false, mark: true)
        let table = try ParsedTable(bytes, columns: ["a", "b"], pieces: 300_000)
        #expect(table.rows.count == 40_000)
        #expect(table.fields.allSatisfy { $0 == ["1", "東京"] })
    }

    @Test("An unpaired surrogate becomes the replacement character")
    func unpairedSurrogateIsReplaced() throws {
        var bytes = Self.utf16("a,b\n", isBigEndian: true, mark: true)
        bytes += [0xD8, 0x3D, 0, 0x2C, 0xDE, 0, 0, 0x0A]
        #expect(try ParsedTable(bytes, columns: ["a", "b"], pieces: 5).fields == [["\u{FFFD}", "\u{FFFD}"]])
    }

    @Test("Windows-1252 is detected per field and reported once with its place")
    func windows1252IsDetectedPerField() throws {
        var bytes = Array("a,b,c\nKöln,".utf8)
        bytes += [0xD6, 0x6C, 0x20, 0x80, 0x20, 0x93, 0x78, 0x94]
        bytes += Array(",3\n".utf8) + [0x22, 0xE9, 0x22] + Array(",5,6\n7,8,9\n".utf8)
        for size in [4, 7, 11, 1000] {
            let table = try ParsedTable(bytes, columns: ["a", "b", "c"], pieces: size)
            #expect(table.fields == [["Köln", "Öl € “x”", "3"], ["é", "5", "6"], ["7", "8", "9"]])
            #expect(table.findings == ["invalid_utf8 2 2"])
            #expect(table.report.findings.first?.severity == .warning)
        }
    }

    @Test("Windows-1252 in the header is reported")
    func windows1252InHeaderIsReported() throws {
        let table = try ParsedTable(Array("a,b,".utf8) + [0xE9, 0x0A, 0x31, 0x0A], columns: ["a"], pieces: 1000)
        #expect(table.header == ["a", "b", "é"])
        #expect(table.findings.first == "invalid_utf8 1 1")
    }

    @Test(
        "Invalid UTF-8 sequences are reported",
        arguments: [[0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x80]] as [[UInt8]])
    func invalidUTF8IsReported(bytes: [UInt8]) throws {
        let table = try ParsedTable(Array("a,b\n".utf8) + bytes + Array(",x\n".utf8), columns: ["a", "b"], pieces: 99)
        #expect(table.findings == ["invalid_utf8 1 2"])
        #expect(table.fields.first?.first?.unicodeScalars.count == bytes.count)
        #expect(table.fields.first?.last == "x")
    }
}

extension Array {
    fileprivate func appending(_ others: some Sequence<Element>) -> [Element] { self + others }
}
