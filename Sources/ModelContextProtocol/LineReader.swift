/// Splits a stream of bytes into lines of limited length (specification, *Transports*, "stdio").
package struct LineReader: Sendable {
    package enum Line: Hashable, Sendable {
        /// A line without its line feed; not empty.
        case complete([UInt8])
        /// A line that was longer than ``maximumLength``. Its contents are dropped.
        case tooLong
    }

    /// The maximum length of a line in bytes. The largest valid message has a few kilobytes.
    package static let maximumLength = 256 << 10

    private var pending: [UInt8] = []
    private var isSkipping = false

    package init() {}

    /// Returns the lines that `bytes` complete.
    package mutating func lines(in bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if let line = takeLine() { lines.append(line) }
            } else if isSkipping {
                continue
            } else if pending.count == Self.maximumLength {
                isSkipping = true
                pending = []
            } else {
                pending.append(byte)
            }
        }
        return lines
    }

    /// Returns the line that the end of the stream completes; `nil` if there is none.
    package mutating func end() -> Line? { takeLine() }

    private mutating func takeLine() -> Line? {
        defer { (pending, isSkipping) = ([], false) }
        if isSkipping { return .tooLong }
        if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
        return pending.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ? nil : .complete(pending)
    }
}
