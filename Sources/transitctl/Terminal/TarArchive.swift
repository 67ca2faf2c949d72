/// Creates tar archives in the ustar format (POSIX.1-2017, *pax*).
enum TarArchive {
    /// Creates an archive.
    ///
    /// - Parameters:
    ///   - files: The files. Names have no directories and at most 99 bytes; characters other than letters, digits and
    ///     ".-_" are replaced with "_".
    ///   - time: The modification time of all files, in seconds since 1970.
    static func of(_ files: [(name: String, bytes: [UInt8])], time: Int64) -> [UInt8] {
        var archive: [UInt8] = []
        for file in files {
            archive += header(name: plain(file.name), size: file.bytes.count, time: time)
            archive += file.bytes
            archive += Array(repeating: 0, count: (block - file.bytes.count % block) % block)
        }
        return archive + Array(repeating: 0, count: 2 * block)
    }

    private static let block = 512

    private static func plain(_ name: String) -> [UInt8] {
        let bytes = name.utf8.prefix(99).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        return bytes.first == UInt8(ascii: ".") || bytes.isEmpty ? Array("_".utf8) + bytes : bytes
    }

    private static func header(name: [UInt8], size: Int, time: Int64) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ bytes: some Sequence<UInt8>, at position: Int) {
            for (offset, byte) in bytes.enumerated() { header[position + offset] = byte }
        }
        put(name.prefix(99), at: 0)
        put(octal(0o600, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(Int64(size), digits: 11), at: 124)
        put(octal(max(0, time), digits: 11), at: 136)
        // The checksum is computed with spaces in its own field.
        put(Array(repeating: UInt8(ascii: " "), count: 8), at: 148)
        header[156] = UInt8(ascii: "0")
        put("ustar\0".utf8, at: 257)
        put("00".utf8, at: 263)
        let sum = header.reduce(Int64(0)) { $0 + Int64($1) }
        put(octal(sum, digits: 6) + [0], at: 148)
        return header
    }

    private static func octal(_ value: Int64, digits: Int) -> [UInt8] {
        let text = Array(String(value, radix: 8).utf8).suffix(digits)
        return Array(repeating: UInt8(ascii: "0"), count: digits - text.count) + text
    }
}
