/// Many short texts in one run of bytes: what a column of a large table is kept in while it is imported.
///
/// 350,000 trip ids as `String` would take four times as much.
public struct TextColumn: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// Where each text ends in ``bytes``.
    public private(set) var ends: [UInt32] = []

    public init() {}

    /// Takes over what was collected elsewhere; `ends` must be ascending and its last one the number of `bytes`.
    package init(bytes: [UInt8], ends: [UInt32]) {
        self.bytes = bytes
        self.ends = ends
    }

    public var count: Int { ends.count }

    /// Bytes that are not UTF-8 are repaired when they are read; see ``subscript(_:)``.
    @inlinable
    public mutating func append(_ text: UnsafeBufferPointer<UInt8>) { append(contentsOf: text) }
    public mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    public mutating func append(contentsOf text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
    }

    public mutating func reserve(texts: Int, bytes count: Int) {
        ends.reserveCapacity(texts)
        bytes.reserveCapacity(count)
    }

    public subscript(position: Int) -> String { String(decoding: bytes[range(position)], as: UTF8.self) }

    public func range(_ position: Int) -> Range<Int> {
        (position == 0 ? 0 : Int(ends[position - 1]))..<Int(ends[position])
    }
}
