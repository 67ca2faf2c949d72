/// Splits rows into fields in place. The splitter is the hot loop of every import.
///
/// The syntax is RFC 4180 with the deviations that occur in feeds: any line end, blanks before an opening quote, and
/// text after a closing quote. A quote inside an unquoted field is plain text. The splitter scans eight bytes at a
/// time, and each byte only once.
struct CSVSplitter: ~Copyable {
    typealias Bytes = UnsafeMutablePointer<UInt8>
    typealias Field = UnsafeBufferPointer<UInt8>

    /// The fields of the row by slot. The slot at index ``slotCount`` receives all fields that were not requested.
    let fields: UnsafeMutablePointer<Field>
    let slotCount: Int
    /// The number of columns in the header.
    let columnCount: Int
    /// The slot of each column, and one more slot at the end for fields beyond the header.
    private let slots: UnsafeMutablePointer<Int>
    /// Whether the field in each slot still contains doubled quotes.
    private let isEscaped: UnsafeMutablePointer<Bool>

    /// The number of fields of the last row. A blank line has one field.
    private(set) var fieldCount = 0
    /// The position of the line end of the last row.
    private(set) var rowEnd: Bytes
    /// Whether the last row has a quoted field.
    private(set) var hasQuotes = false
    /// The column of the last row, from 0, in which text follows the closing quote.
    private(set) var misquotedColumn: Int?
    /// The column, from 0, with an unclosed quote, set when ``split(_:_:limit:)`` returns `nil`.
    private(set) var openQuoteColumn: Int?
    private var hasEscapes = false

    /// Creates a splitter. `slots` has the slot of each column in the header, or `nil` for a column that is not needed.
    init(slots: [Int?], slotCount: Int) {
        self.slotCount = slotCount
        columnCount = slots.count
        fields = .allocate(capacity: slotCount + 1)
        fields.initialize(repeating: Field(start: nil, count: 0), count: slotCount + 1)
        isEscaped = .allocate(capacity: slotCount + 1)
        isEscaped.initialize(repeating: false, count: slotCount + 1)
        self.slots = .allocate(capacity: slots.count + 1)
        self.slots.initialize(repeating: slotCount, count: slots.count + 1)
        for (column, slot) in slots.enumerated() { self.slots[column] = slot ?? slotCount }
        rowEnd = UnsafeMutableRawPointer(fields).assumingMemoryBound(to: UInt8.self)
    }

    deinit {
        fields.deallocate()
        slots.deallocate()
        isEscaped.deallocate()
    }

    /// Splits the row at `start` and returns the start of the next row, or `nil` if the row does not end before
    /// `limit`.
    ///
    /// There must be a line feed at `end`, and 16 readable bytes after it. `limit` is `end`, or `end + 1` if that line
    /// feed may end the last row. The function is long so that its state stays in registers.
    @inline(__always)
    mutating func split(_ start: Bytes, _ end: Bytes, limit: Bytes) -> Bytes? {
        var field = start
        var position = start
        var column = 0
        hasQuotes = false
        openQuoteColumn = nil
        words: while true {
            let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
            // Every byte below 0x2D (comma, quote, line ends, blank) gives a byte with its top bit set. Other bytes
            // rarely do.
            var candidates = (word &- 0x2D2D_2D2D_2D2D_2D2D) & ~word & 0x8080_8080_8080_8080
            while candidates != 0 {
                let at = position + (candidates.trailingZeroBitCount >> 3)
                candidates &= candidates &- 1
                let byte = at.pointee
                if byte == 0x2C {
                    store(column, field, at)
                    column += 1
                    field = at + 1
                } else if byte == 0x0A || byte == 0x0D {
                    guard at < limit else { return nil }
                    store(column, field, at)
                    return finish(column, at, end)
                } else if byte == 0x22, Self.isBlank(field, at) {
                    if !hasQuotes { beginQuotes() }
                    let close = Self.nextQuote(at + 1, end)
                    if close + 1 < end, (close + 1).pointee == 0x2C {
                        // A fast path without a call, because most files that use quotes put them around every field.
                        store(column, at + 1, close)
                        column += 1
                        field = close + 2
                        position = field
                        continue words
                    }
                    guard let next = quoted(column, at + 1, end, limit) else { return nil }
                    // At a comma the loop continues, but it must not store the field again.
                    if next.pointee != 0x2C { return finish(column, next, end) }
                    column += 1
                    field = next + 1
                    position = field
                    continue words
                }
            }
            position += 8
        }
    }

    @inline(__always)
    private func store(_ column: Int, _ start: Bytes, _ end: Bytes) {
        fields[slots[min(column, columnCount)]] = Field(start: start, count: end - start)
    }

    @inline(__always)
    private static func isBlank(_ start: Bytes, _ end: Bytes) -> Bool {
        start == end || (start..<end).allSatisfy { $0.pointee <= 0x20 }
    }

    @inline(__always)
    private mutating func finish(_ column: Int, _ at: Bytes, _ end: Bytes) -> Bytes {
        fieldCount = column + 1
        rowEnd = at
        if fieldCount < columnCount {
            for missing in fieldCount..<columnCount { fields[slots[missing]] = Field(start: nil, count: 0) }
        }
        return at.pointee == 0x0D && at + 1 < end && (at + 1).pointee == 0x0A ? at + 2 : at + 1
    }

    private mutating func beginQuotes() {
        // Flags can be left over from an earlier call that found the row incomplete.
        if hasEscapes { isEscaped.update(repeating: false, count: slotCount + 1) }
        (hasQuotes, hasEscapes, misquotedColumn) = (true, false, nil)
    }

    /// Returns the position of the first quote at or after `start`. The result is `end` or greater if there is none.
    /// Calling memchr(3) for every short field would take twice as long.
    @inline(__always)
    private static func nextQuote(_ start: Bytes, _ end: Bytes) -> Bytes {
        var position = start
        while position < end {
            let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self) ^ 0x2222_2222_2222_2222
            let found = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if found != 0 { return position + (found.trailingZeroBitCount >> 3) }
            position += 8
        }
        return end
    }

    /// Stores the quoted field whose text begins at `start`, and returns the position of the separator after it.
    /// Returns `nil` if the closing quote or the separator is not before `limit`.
    private mutating func quoted(_ column: Int, _ start: Bytes, _ end: Bytes, _ limit: Bytes) -> Bytes? {
        var escaped = false
        var close = start
        while true {
            close = Self.nextQuote(close, end)
            guard close < end else {
                openQuoteColumn = column
                return nil
            }
            // A quote at the end of the piece can be the first of a doubled quote.
            if close + 1 == end, limit == end { return nil }
            if close + 1 == end || (close + 1).pointee != 0x22 { break }
            escaped = true
            close += 2
        }
        var separator = close + 1
        while separator.pointee != 0x2C, separator.pointee != 0x0A, separator.pointee != 0x0D { separator += 1 }
        guard separator < limit else { return nil }
        if separator > close + 1, !Self.isBlank(close + 1, separator) { (misquotedColumn, escaped) = (column, true) }
        store(column, start, escaped ? separator : close)
        if escaped {
            hasEscapes = true
            isEscaped[slots[min(column, columnCount)]] = true
        }
        return separator
    }

    /// Removes doubled quotes from the fields of the last row in place. The row must be complete, because an incomplete
    /// row is split again.
    mutating func unescape() {
        guard hasQuotes, hasEscapes else { return }
        for slot in 0..<slotCount where isEscaped[slot] {
            fields[slot] = Self.unescaped(fields[slot])
            isEscaped[slot] = false
        }
        isEscaped[slotCount] = false
        hasEscapes = false
    }

    private static func unescaped(_ field: Field) -> Field {
        let bytes = UnsafeMutableBufferPointer(mutating: field)
        var (count, position) = (0, 0)
        var isOpen = true
        while position < bytes.count {
            if isOpen, bytes[position] == 0x22 {
                position += 1
                guard position < bytes.count, bytes[position] == 0x22 else {
                    isOpen = false
                    continue
                }
            }
            bytes[count] = bytes[position]
            count += 1
            position += 1
        }
        return Field(rebasing: field[..<count])
    }
}
