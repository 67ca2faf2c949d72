internal import Foundation

/// The tables of a feed for ``ReferenceFeed``: unpacked with `unzip` and split into rows of strings.
struct ReferenceTables {
    /// The fields of a row by column name, without surrounding blanks and without empty fields.
    typealias Row = [String: String]

    /// Selects rows by the hash of the field in a column.
    struct Filter {
        var column: String
        var accepts: (UInt64) -> Bool
    }

    private let archive: String
    /// The paths in the archive by lowercase file name.
    private let members: [String: String]

    /// Lists an archive, whose tables are at the top level or in a folder.
    init(path: String) throws {
        archive = path
        let listing = String(decoding: try Self.unzip("-Z1", path), as: UTF8.self)
        let paths = listing.split(separator: "\n").map(String.init).filter {
            $0.hasSuffix(".txt") && !$0.contains("__MACOSX")
        }
        members = Dictionary(
            paths.map { (($0.split(separator: "/").last.map(String.init) ?? $0).lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the bytes of a table without a byte order mark; empty if the feed does not have the table.
    func contents(_ name: String) throws -> [UInt8] {
        guard let member = members[name] else { return [] }
        let bytes = [UInt8](try Self.unzip("-p", archive, member))
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Returns all rows of a table, with the wanted columns only.
    func rows(_ name: String, _ wanted: Set<String>) throws -> [Row] {
        var rows: [Row] = []
        Self.forEachRow(try contents(name), wanted) { rows.append($0) }
        return rows
    }

    private static func unzip(_ arguments: String...) throws -> Data {
        let process = TestProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unzip")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    // MARK: - CSV

    /// Passes the selected rows to `body`, with the wanted columns only. Returns the number of all rows.
    @discardableResult
    static func forEachRow(
        _ bytes: [UInt8], _ wanted: Set<String>, _ filter: Filter? = nil, _ body: (Row) -> Void
    ) -> Int {
        guard !bytes.isEmpty else { return 0 }
        let firstLine = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        let header = fields(firstLine).map { wanted.contains($0) ? $0 : nil }
        let column = filter.flatMap { filter in header.firstIndex { $0 == filter.column } } ?? -1
        var count = -1
        forEachLine(bytes, hashing: column) { line, hash in
            count += 1
            guard count > 0, filter?.accepts(hash) ?? true else { return }
            var row: Row = [:]
            for (column, text) in zip(header, fields(bytes[line])) {
                if let column, !text.isEmpty { row[column] = text }
            }
            if !row.isEmpty { body(row) }
        }
        return count
    }

    /// Splits the text into lines. Line ends inside quotes do not count. `hash` is the hash of the field at index
    /// `column`.
    private static func forEachLine(
        _ bytes: [UInt8], hashing column: Int, _ body: (_ line: Range<Int>, _ hash: UInt64) -> Void
    ) {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            var isQuoted = false
            var field = 0
            var hash: UInt64 = 0
            for position in 0...bytes.count {
                let byte = position < bytes.count ? bytes[position] : 0x0A
                if byte == 0x22 { isQuoted.toggle() }
                if !isQuoted, byte == 0x0A || byte == 0x0D {
                    if position > start { body(start..<position, hash) }
                    start = position + 1
                    field = 0
                    hash = 0
                } else if !isQuoted, byte == 0x2C {
                    field += 1
                } else if field == column, byte > 0x22 {
                    hash = Self.hash(hash, byte)
                }
            }
        }
    }

    /// Returns the hash of a field. Blanks and quotes do not count.
    static func hash(_ text: String) -> UInt64 { text.utf8.reduce(0) { $1 > 0x22 ? hash($0, $1) : $0 } }

    private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    private static func fields(_ line: ArraySlice<UInt8>) -> [String] {
        if !line.contains(0x22) {
            return line.split(separator: 0x2C, omittingEmptySubsequences: false).map { text($0) }
        }
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line {
            if byte == 0x22 {
                isQuoted.toggle()
            } else if byte == 0x2C, !isQuoted {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
        }
        return fields.map { text($0[...]) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
