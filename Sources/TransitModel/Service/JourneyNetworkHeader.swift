/// The bytes of a network and what keeps them in memory. The bytes must not change while the object exists.
public final class JourneyNetworkBytes: @unchecked Sendable {
    public let buffer: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void

    /// - Parameter release: Called with the bytes when they are no longer used.
    public init(_ buffer: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.buffer = buffer
        self.release = release
    }

    /// Copies the bytes.
    public convenience init(copying bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(UnsafeRawBufferPointer(copy)) { $0.deallocate() }
    }

    deinit { release(buffer) }
}

/// Why bytes are not a ``JourneyNetwork``.
public enum JourneyNetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not begin as a network of this version does.
    case format
    /// The bytes are damaged.
    case malformed(String)

    public var description: String {
        switch self {
        case .format: "it has another format"
        case .malformed(let detail): detail
        }
    }
}

/// The beginning of a network: the format, the source, and the position of each table.
///
/// All numbers are little-endian: 8 bytes of format, 8 bytes of ``JourneyNetwork/Source/hash``, the checksum of all
/// following bytes as 8 bytes, and for each table its first byte and the number of its rows, 8 bytes each. Tables begin at
/// multiples of 8 bytes.
public struct JourneyNetworkHeader: Sendable {
    public var source: JourneyNetwork.Source
    public var checksum: UInt32
    /// The bytes of each ``JourneyNetwork/Table``.
    public var ranges: [Range<Int>]

    /// "transnt3" in ASCII.
    private static let format: UInt64 = 0x3374_6E73_6E61_7274
    /// The position of the bytes that the checksum covers.
    public static let checkedFrom = 24
    public static let size = checkedFrom + 16 * JourneyNetwork.Table.allCases.count

    public init(_ bytes: UnsafeRawBufferPointer) throws(JourneyNetworkError) {
        guard bytes.count >= Self.size, bytes.loadUnaligned(as: UInt64.self) == Self.format.littleEndian else {
            throw .format
        }
        guard Int(bitPattern: bytes.baseAddress) % 8 == 0 else { throw .malformed("it is not aligned") }
        func number(_ position: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
        source = JourneyNetwork.Source(hash: number(8))
        guard let checksum = UInt32(exactly: number(16)) else { throw .malformed("its checksum is out of range") }
        self.checksum = checksum
        ranges = []
        var end = Self.size
        for table in JourneyNetwork.Table.allCases {
            let first = number(Self.checkedFrom + 16 * table.rawValue)
            let rows = number(Self.checkedFrom + 16 * table.rawValue + 8)
            let (size, overflow) = rows.multipliedReportingOverflow(by: UInt64(table.stride))
            guard !overflow, first % 8 == 0, first >= end, first <= bytes.count, size <= UInt64(bytes.count) - first
            else { throw .malformed("the table \(table) is not within the file") }
            ranges.append(Int(first)..<Int(first + size))
            end = Int(first + size)
        }
    }

    /// Returns the bytes of a header for tables of the given sizes, and the size of the whole network.
    public static func encode(
        _ source: JourneyNetwork.Source, rows: [Int], checksum: UInt32
    ) -> (bytes: [UInt8], size: Int) {
        var bytes: [UInt8] = []
        func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        append(format)
        append(source.hash)
        append(UInt64(checksum))
        var first = size
        for table in JourneyNetwork.Table.allCases {
            append(UInt64(first))
            append(UInt64(rows[table.rawValue]))
            first = (first + rows[table.rawValue] * table.stride + 7) / 8 * 8
        }
        return (bytes, first)
    }
}
