internal import Glibc
internal import TransitModel

/// Parses the pieces of a CSV file into rows.
///
/// The parser handles encodings, the header, rows that continue in the next piece, and unclosed quotes. ``CSVSplitter``
/// splits the rows into fields.
struct CSVParser: ~Copyable {
    typealias Bytes = CSVSplitter.Bytes
    typealias Body = (borrowing CSVRow) throws(FeedError) -> Void

    /// The maximum length of a row in bytes. A longer row usually has an unclosed quote.
    static let rowLimit = 1 << 20
    /// The number of unclosed quotes and overlong rows at which reading stops. After each of them, up to ``rowLimit``
    /// bytes are parsed again.
    static let recoveryLimit = 100
    private static let columnLimit = 1024

    let context: ReadingContext
    let file: String
    private let columns: [String]
    private var splitter: CSVSplitter
    private var table: CSVTable?
    private var decoder: UTF16Decoder?
    private var partialRow = CSVPartialRow()
    private var cleaner = FieldCleaner()
    private var isFirst = true
    private var line = 1
    /// Whether the last row ended in a carriage return at the end of a piece, so that a line feed can follow.
    private var mayStartWithLineFeed = false
    /// Whether the rest of an overlong line is being skipped.
    private var isSkippingLine = false
    private var recoveries = 0

    init(file: String, columns: [String], _ context: ReadingContext) {
        self.file = file
        self.columns = columns
        self.context = context
        // All columns of the header are needed, so each column has a slot.
        splitter = CSVSplitter(slots: Array(0..<Self.columnLimit), slotCount: Self.columnLimit)
    }

    /// Parses the rows that end in this piece.
    mutating func read(_ chunk: UnpackedChunk, _ body: Body) throws(FeedError) {
        var (base, count) = (chunk.base, chunk.count)
        if isFirst {
            isFirst = false
            let encoding = TextEncoding.recognize(UnsafeBufferPointer(start: base, count: count))
            if case .utf16(let isBigEndian, _) = encoding {
                decoder = UTF16Decoder(isBigEndian: isBigEndian)
                context.add(
                    "utf16", .warning, at: .init(file: file, line: 1), "The file is UTF-16; GTFS requires UTF-8")
            }
            base += encoding.markSize
            count -= encoding.markSize
        }
        if var decoder = decoder.take() {
            try decoder.decode(UnsafeBufferPointer(start: base, count: count)) { text throws(FeedError) in
                try parseText(partialRow.join(text.base, text.count), isLast: false, body)
            }
            self.decoder = consume decoder
        } else {
            try parseText(partialRow.join(base, count), isLast: false, body)
        }
    }

    /// Parses the last row, which can lack a line end, and returns the header.
    mutating func finish(_ body: Body) throws(FeedError) -> CSVTable {
        try parseText(partialRow.remaining(), isLast: true, body)
        if let table { return table }
        context.add("empty_file", .warning, at: .init(file: file), "The file is empty")
        return CSVTable(file: file, header: [], columns: columns)
    }

    private mutating func parseText(
        _ text: UnsafeMutableBufferPointer<UInt8>, isLast: Bool, _ body: Body
    ) throws(FeedError) {
        guard let base = text.baseAddress, text.count > 0 else { return }
        let end = base + text.count
        end.pointee = 0x0A
        let needsCleaning = FieldCleaner.isNeeded(base, text.count)
        var start = firstRow(base, end)
        while start < end {
            start = try passRows(start, end, limit: isLast ? end + 1 : end, needsCleaning, body)
            guard start < end, isLast || end - start > Self.rowLimit else { break }
            start = try skipUnclosedRow(start, end)
        }
        partialRow.store(start, max(0, end - start))
    }

    /// Passes the rows that end before `limit` to `body`, and returns the start of the first row that does not end
    /// before `limit`.
    private mutating func passRows(
        _ first: Bytes, _ end: Bytes, limit: Bytes, _ needsCleaning: Bool, _ body: Body
    ) throws(FeedError) -> Bytes {
        var start = first
        while start < end, let next = splitter.split(start, end, limit: limit) {
            if splitter.fieldCount == 1, Self.isBlank(start, splitter.rowEnd) {
                line += 1
            } else {
                try passRow(start, needsCleaning, body)
            }
            if next == end, (next - 1).pointee == 0x0D { mayStartWithLineFeed = true }
            start = next
        }
        return start
    }

    private mutating func passRow(_ start: Bytes, _ needsCleaning: Bool, _ body: Body) throws(FeedError) {
        let lines = splitter.hasQuotes ? 1 + CSVLineCounter.count(start, splitter.rowEnd) : 1
        defer { line += lines }
        if let column = splitter.hasQuotes ? splitter.misquotedColumn : nil {
            context.add(
                "text_after_quote", .warning, at: .init(file: file, line: line, column: column + 1),
                "Text follows the closing quote")
        }
        splitter.unescape()
        if needsCleaning { cleaner.clean(splitter.fields, splitter.slotCount, file: file, line: line, context) }
        guard let table else { return try readHeader() }
        if splitter.fieldCount != splitter.columnCount, !checkLength(start) { return }
        table.rowCount += 1
        try body(CSVRow(line: line, fields: splitter.fields, table: .passUnretained(table)))
    }

    private mutating func readHeader() throws(FeedError) {
        guard splitter.fieldCount <= Self.columnLimit else {
            throw .table(.init(file: file, line: line), reason: "The header has more than \(Self.columnLimit) columns")
        }
        let names = (0..<splitter.fieldCount).map {
            asciiLowercased(String(decoding: CSVRow.trimmed(splitter.fields[$0]), as: UTF8.self))
        }
        var seen: Set<String> = []
        for (position, name) in names.enumerated() where !seen.insert(name).inserted && !name.isEmpty {
            context.add(
                "duplicated_column", .warning, at: .init(file: file, line: line, column: position + 1, field: name),
                "The header contains this column twice; the first occurrence is used")
        }
        table = CSVTable(file: file, header: names, columns: columns)
        var slots = [Int?](repeating: nil, count: names.count)
        for (slot, column) in columns.enumerated() {
            if let position = names.firstIndex(of: column) { slots[position] = slot }
        }
        splitter = CSVSplitter(slots: slots, slotCount: columns.count)
    }

    /// Reports a row with too many or too few fields. Returns false if the row has only separators and must be skipped.
    private func checkLength(_ start: Bytes) -> Bool {
        let (found, expected) = (splitter.fieldCount, splitter.columnCount)
        guard !(start..<splitter.rowEnd).allSatisfy({ $0.pointee == 0x2C || $0.pointee <= 0x20 }) else {
            context.add("empty_row", .warning, at: .init(file: file, line: line), "The row has only separators")
            return false
        }
        context.add(
            "invalid_row_length", .warning, at: .init(file: file, line: line, column: min(found, expected) + 1),
            "The row has \(found) fields, but the header has \(expected)")
        return true
    }

    private static func isBlank(_ start: Bytes, _ end: Bytes) -> Bool {
        (start..<end).allSatisfy { $0.pointee <= 0x20 }
    }
}

// MARK: - Unclosed quotes and overlong rows
extension CSVParser {
    /// Reports and skips the first line of a row that does not end, and returns the position after the line.
    private mutating func skipUnclosedRow(_ start: Bytes, _ end: Bytes) throws(FeedError) -> Bytes {
        recoveries += 1
        let place = ValidationReport.Location(file: file, line: line, column: splitter.openQuoteColumn.map { $0 + 1 })
        let reason =
            splitter.openQuoteColumn != nil ? "A quoted field is not closed" : "The row is longer than 1 MiB"
        guard recoveries < Self.recoveryLimit else { throw .table(place, reason: reason) }
        context.add("csv_parsing_failed", .error, at: place, "\(reason); the line is skipped")
        isSkippingLine = true
        return firstRow(start, end)
    }

    /// Returns the start of the first row in a piece. The piece can begin with the line feed of the previous row or
    /// with the rest of a skipped line.
    private mutating func firstRow(_ start: Bytes, _ end: Bytes) -> Bytes {
        var start = start
        if isSkippingLine {
            guard let lineEnd = (start..<end).first(where: { $0.pointee == 0x0A || $0.pointee == 0x0D }) else {
                return end
            }
            isSkippingLine = false
            mayStartWithLineFeed = lineEnd.pointee == 0x0D
            line += 1
            start = lineEnd + 1
        }
        guard mayStartWithLineFeed, start < end else { return start }
        mayStartWithLineFeed = false
        return start.pointee == 0x0A ? start + 1 : start
    }
}

/// Stores an incomplete row at the end of a piece and joins it with the next piece.
private struct CSVPartialRow: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    init() {
        capacity = 1 << 10
        memory = .allocate(capacity: capacity + UnpackedChunk.padding)
    }

    deinit { memory.deallocate() }

    /// Returns the stored bytes followed by the bytes of a piece. The result is valid until the next call.
    ///
    /// The stored bytes are copied into the headroom of the piece if they fit. Otherwise all bytes are copied into the
    /// memory of this struct.
    mutating func join(_ base: UnsafeMutablePointer<UInt8>, _ length: Int) -> UnsafeMutableBufferPointer<UInt8> {
        if count <= UnpackedChunk.headroom {
            (base - count).update(from: memory, count: count)
            return UnsafeMutableBufferPointer(start: base - count, count: count + length)
        }
        reserve(count + length)
        (memory + count).update(from: base, count: length)
        return UnsafeMutableBufferPointer(start: memory, count: count + length)
    }

    /// The stored bytes at the end of the file.
    func remaining() -> UnsafeMutableBufferPointer<UInt8> { UnsafeMutableBufferPointer(start: memory, count: count) }

    /// Stores bytes for the next ``join(_:_:)``. The bytes can be part of the result of the last ``join(_:_:)``.
    mutating func store(_ start: UnsafeMutablePointer<UInt8>, _ length: Int) {
        if length > capacity {
            // The bytes cannot be in this memory, because there are more of them than its capacity.
            count = 0
            reserve(length)
        }
        memory.update(from: start, count: length)
        count = length
    }

    private mutating func reserve(_ needed: Int) {
        guard needed > capacity else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: needed * 2 + UnpackedChunk.padding)
        larger.update(from: memory, count: count)
        memory.deallocate()
        (memory, capacity) = (larger, needed * 2)
    }
}

/// Counts line ends inside a row, which occur only in quoted fields.
private enum CSVLineCounter {
    /// Returns the number of line ends. A line feed, a carriage return, and a carriage return followed by a line feed
    /// each count as one.
    static func count(_ start: UnsafeMutablePointer<UInt8>, _ end: UnsafeMutablePointer<UInt8>) -> Int {
        guard memchr(start, 0x0A, end - start) != nil || memchr(start, 0x0D, end - start) != nil else { return 0 }
        var count = 0
        var position = start
        while position < end {
            let byte = position.pointee
            position += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            count += 1
            if byte == 0x0D, position < end, position.pointee == 0x0A { position += 1 }
        }
        return count
    }
}
