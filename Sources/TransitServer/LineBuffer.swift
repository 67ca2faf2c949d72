internal import Glibc

/// Splits a client's input into lines.
///
/// A line ends with a line feed. A carriage return before the line feed is dropped, and so are blank lines.
struct LineBuffer {
    enum LineResult<Value> {
        case line(Value)
        /// There is no complete line.
        case none
        /// The first line exceeds the limit, whether or not it is complete.
        case tooLong
    }

    /// Maximum size of a line in bytes, without its line feed.
    let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0
    /// There is no line feed between ``start`` and this index.
    private var scanned = 0

    init(limit: Int) { self.limit = limit }

    /// Whether there is an incomplete line.
    var hasPartialLine: Bool { start < bytes.count }

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// Passes the next line to `body`.
    mutating func takeLine<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> LineResult<Value> {
        while let end = findLineFeed() {
            let line = start..<end
            guard line.count <= limit else { return .tooLong }
            start = end + 1
            scanned = start
            if let value = read(line, body) {
                resetIfEmpty()
                return .line(value)
            }
        }
        resetIfEmpty()
        return bytes.count - start > limit ? .tooLong : .none
    }

    /// Passes the bytes after the last line feed to `body`. Call this method after the end of the input.
    mutating func takeRest<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value? {
        let line = start..<bytes.count
        start = bytes.count
        defer { resetIfEmpty() }
        return line.isEmpty || line.count > limit ? nil : read(line, body)
    }

    mutating func removeAll() {
        start = bytes.count
        resetIfEmpty()
    }

    /// Returns `nil` for a blank line.
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

    private mutating func resetIfEmpty() {
        guard start == bytes.count else { return }
        // Releases large buffers, so that hundreds of idle connections do not hold memory that they once needed.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        start = 0
        scanned = 0
    }
}
