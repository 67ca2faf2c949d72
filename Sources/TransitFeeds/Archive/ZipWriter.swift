internal import CZlib

/// Creates a zip archive in memory, for the demo city and for feeds that tests define as text.
///
/// The output is deterministic: the same files in the same order give the same bytes. Every file is dated 1980-01-01.
public struct ZipWriter {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    public init() {}

    /// Adds a file, either uncompressed or compressed with deflate. An archive holds at most 65,535 files and 4 GiB.
    public mutating func add(_ path: String, _ contents: [UInt8], isStored: Bool = false) {
        let packed = isStored ? contents : Self.deflated(contents)
        let checksum = Self.checksum(contents)
        // APPNOTE.TXT 4.3.7: version 2.0, UTF-8 names, method, time, date, CRC-32, sizes, lengths of name and extra.
        var common: [UInt8] = []
        Self.append(UInt16(20), to: &common)
        Self.append(UInt16(0x0800), to: &common)
        Self.append(UInt16(isStored ? 0 : 8), to: &common)
        Self.append(UInt16(0), to: &common)
        Self.append(UInt16(0x21), to: &common)
        Self.append(checksum, to: &common)
        Self.append(UInt32(truncatingIfNeeded: packed.count), to: &common)
        Self.append(UInt32(truncatingIfNeeded: contents.count), to: &common)
        Self.append(UInt16(truncatingIfNeeded: path.utf8.count), to: &common)
        Self.append(UInt16(0), to: &common)
        addEntry(common, path)
        Self.append(UInt32(0x0403_4B50), to: &bytes)
        bytes += common
        bytes += Array(path.utf8)
        bytes += packed
    }

    /// Appends the directory and returns the archive.
    public consuming func finish() -> [UInt8] {
        let offset = UInt32(truncatingIfNeeded: bytes.count)
        bytes += directory
        Self.append(UInt32(0x0605_4B50), to: &bytes)
        Self.append(UInt32(0), to: &bytes)
        Self.append(UInt16(truncatingIfNeeded: count), to: &bytes)
        Self.append(UInt16(truncatingIfNeeded: count), to: &bytes)
        Self.append(UInt32(truncatingIfNeeded: directory.count), to: &bytes)
        Self.append(offset, to: &bytes)
        Self.append(UInt16(0), to: &bytes)
        return bytes
    }

    private mutating func addEntry(_ common: [UInt8], _ path: String) {
        count += 1
        Self.append(UInt32(0x0201_4B50), to: &directory)
        Self.append(UInt16(20), to: &directory)
        directory += common
        // Comment length, disk, internal and external attributes.
        directory += [UInt8](repeating: 0, count: 10)
        Self.append(UInt32(truncatingIfNeeded: bytes.count), to: &directory)
        directory += Array(path.utf8)
    }

    private static func append<Number: FixedWidthInteger>(_ value: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Returns the CRC-32 of the contents as defined by the zip format.
    static func checksum(_ contents: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: contents.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) })
    }

    /// Returns the contents as raw deflate (RFC 1951) at zlib's default level.
    static func deflated(_ contents: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(contents.count))))
        var input = contents
        let count = input.withUnsafeMutableBufferPointer { input in
            packed.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
        }
        return Array(packed.prefix(count))
    }
}
