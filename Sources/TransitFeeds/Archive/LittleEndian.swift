/// Reads the little-endian numbers of zip records from an array. Offsets must be within the array.
struct LittleEndian {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    func u16(_ offset: Int) -> UInt16 { number(offset) }
    func u32(_ offset: Int) -> UInt32 { number(offset) }
    func u64(_ offset: Int) -> UInt64 { number(offset) }

    private func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
        var value: Number = 0
        for position in (0..<(Number.bitWidth / 8)).reversed() {
            value = value << 8 | Number(bytes[bytes.startIndex + offset + position])
        }
        return value
    }
}
