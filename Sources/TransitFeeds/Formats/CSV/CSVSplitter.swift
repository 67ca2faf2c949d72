/// Splits one row after the other into fields, where they lie; the hot loop of every import.
///
/// RFC 4180 with the freedoms that feeds take: any line end, quotes only where a field begins (blanks may come before),
/// text behind a closing quote. A byte of the row is looked at once, eight at a time.
struct CSVSplitter: ~Copyable {
    typealias Bytes = UnsafeMutablePointer<UInt8>
    typealias Field = UnsafeBufferPointer<UInt8>

    /// The fields of the row by slot; the slot ``slotCount`` takes those that nobody asked for.
    let fields: UnsafeMutablePointer<Field>
    let slotCount: Int
    /// Columns of the header.
    let columnCount: Int
    /// The slot of each column; one more at the end, for columns that the header does not have.
    private let slots: UnsafeMutablePointer<Int>
    /// Slots whose field still has its doubled quotes.
    private let isEscaped: UnsafeMutablePointer<Bool>

    /// Of the last row: how many fields it had; 1 for a blank line.
    private(set) var fieldCount = 0
    /// Of the last row: where its line end is.
    private(set) var rowEnd: Bytes
    /// Of the last row: whether a field of it was quoted.
    private(set) var hasQuotes = false
    /// Of the last row: the column, from 0, that has text behind its closing quote.
    private(set) var misquotedColumn: Int?
    /// Where a quote was opened and not closed, when ``split(_:_:limit:)`` returned `nil`; the column counts from 0.
    private(set) var openQuoteColumn: Int?
    private var hasEscapes = false

    /// `slots` has the slot for each column of the header, `nil` for columns that are not needed.
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

    /// Splits the row at `start` and returns where the next begins; `nil` when its end does not lie before `limit`.
    ///
    /// A line feed must lie at `end` and 16 readable bytes behind it. `limit` is `end`, or one more where that line feed
    /// may end the last row. Longer than other functions, so that its state stays in registers.
    @inline(__always)
    mutating func split(_ start: Bytes, _ end: Bytes, limit: Bytes) -> Bytes? {
        var field = start
        var position = start
        var column = 0
        hasQuotes = false
        openQuoteColumn = nil
        words: while true {
            let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
            // Every byte below 0x2D (comma, quote, line ends, blank) sets the top bit of its place; rarely another does.
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
                        // The plain case, without a call: most files that have quotes have them around every field.
                        store(column, at + 1, close)
                        column += 1
                        field = close + 2
                        position = field
                        continue words
                    }
                    guard let next = quoted(column, at + 1, end, limit) else { return nil }
                    // At a separator: the loop goes on there and must not store the field again.
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
        // Left over when the row was split before and found incomplete.
        if hasEscapes { isEscaped.update(repeating: false, count: slotCount + 1) }
        (hasQuotes, hasEscapes, misquotedColumn) = (true, false, nil)
    }

    /// The first quote at `start` or behind it; `end` or more when there is none. A call of memchr(3) for every short field
    /// would take twice as long.
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

    /// Stores the quoted field whose text begins at `start`, and returns the separator behind it; `nil` when its closing
    /// quote or the separator does not lie before `limit`.
    private mutating func quoted(_ column: Int, _ start: Bytes, _ end: Bytes, _ limit: Bytes) -> Bytes? {
        var escaped = false
        var close = start
        while true {
            close = Self.nextQuote(close, end)
            guard close < end else {
                openQuoteColumn = column
                return nil
            }
            // A quote at the very end may be the first of two.
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

    /// Removes doubled quotes from the fields of the last row, in place: only when the row is complete, because an
    /// incomplete one is split again.
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
