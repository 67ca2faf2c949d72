internal import Glibc

/// Cuts what a client sends into lines, and never holds more than one line too much.
///
/// The line feed ends a line; a carriage return before it and blank lines are dropped.
struct LineBuffer {
    enum LineResult<Value> {
        case line(Value)
        /// The rest is no whole line yet.
        case none
        /// The line at the front is longer than the limit, whether or not its end is here.
        case tooLong
    }

    /// Bytes of a line, without its line feed.
    let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here there is no line feed after ``start``.
    private var scanned = 0

    init(limit: Int) { self.limit = limit }

    /// Whether the beginning of a line is here.
    var hasPartialLine: Bool { start < bytes.count }

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// Hands the next line to `body`.
    mutating func takeLine<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> LineResult<Value> {
        while let end = findLineFeed() {
            let line = start..<end
            guard line.count <= limit else { return .tooLong }
            start = end + 1
            scanned = start
            if let value = read(line, body) {
                forgetWhenEmpty()
                return .line(value)
            }
        }
        forgetWhenEmpty()
        return bytes.count - start > limit ? .tooLong : .none
    }

    /// Hands over what is left without a line feed, once no more can come.
    mutating func takeRest<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value? {
        let line = start..<bytes.count
        start = bytes.count
        defer { forgetWhenEmpty() }
        return line.isEmpty || line.count > limit ? nil : read(line, body)
    }

    mutating func removeAll() {
        start = bytes.count
        forgetWhenEmpty()
    }

    /// `nil` for a blank line.
    private func read<Value>(_ line: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value? {
        let isBlank = bytes[line].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        guard !isBlank else { return nil }
        let content = bytes[line.upperBound - 1] == 0x0D ? line.dropLast() : line
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[content])) }
    }

    private mutating func findLineFeed() -> Int? {
        let found = bytes.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress, scanned < buffer.count else { return nil }
            guard let match = memchr(base + scanned, 0x0A, buffer.count - scanned) else { return nil }
            return UnsafeRawPointer(match) - base
        }
        scanned = found ?? bytes.count
        return found
    }

    private mutating func forgetWhenEmpty() {
        guard start == bytes.count else { return }
        // Hundreds of quiet connections must not hold what each needed once.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        start = 0
        scanned = 0
    }
}
