/// A column of fixed-width numbers within the bytes of a ``Pattern``, with random access.
///
/// A number is `base + unit * stored`. The base is the smallest number of the column, and the unit is the greatest
/// common divisor of the differences from it. Times in whole minutes take one or two bytes each, and a column of equal
/// numbers takes no bytes.
public struct NumberColumn: RandomAccessCollection, Sendable {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let offset: Int
    @usableFromInline let base: Int32
    @usableFromInline let unit: UInt16
    @usableFromInline let width: UInt16
    public let count: Int

    /// Reads the header of a column: the offset of its numbers, their count, the base, the unit and the width.
    @inlinable
    init(_ bytes: [UInt8], headAt position: Int) {
        self.bytes = bytes
        offset = Int(bytes.load(UInt32.self, at: position))
        count = Int(bytes.load(UInt32.self, at: position + 4))
        base = bytes.load(Int32.self, at: position + 8)
        unit = bytes.load(UInt16.self, at: position + 12)
        width = bytes.load(UInt16.self, at: position + 14)
    }

    /// The size of a column header in bytes.
    @usableFromInline static let headSize = 16

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    @inlinable
    public subscript(position: Int) -> Int32 {
        // Together with `isWhole`, this keeps every access within the bytes.
        precondition(position >= 0 && position < count)
        return Int32(truncatingIfNeeded: Int64(base) &+ Int64(unit) &* Int64(stored(position)))
    }

    @inlinable
    func stored(_ position: Int) -> UInt32 {
        bytes.withUnsafeBytes { bytes in
            switch width {
            case 0: 0
            case 1: UInt32(bytes[offset &+ position])
            case 2:
                UInt32(
                    UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ 2 &* position, as: UInt16.self)))
            default:
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ 4 &* position, as: UInt32.self))
            }
        }
    }

    /// Adds the numbers at `first`, `first + step`, … to the elements of a buffer, each multiplied by `factor`.
    /// Overflow wraps around.
    func add(to sums: UnsafeMutableBufferPointer<Int32>, first: Int, step: Int, factor: Int32 = 1) {
        if sums.isEmpty { return }
        precondition(first >= 0 && step > 0 && first + (sums.count - 1) * step < count)
        bytes.withUnsafeBytes { bytes in
            switch width {
            case 0: add(to: sums, factor) { _ in 0 }
            case 1: add(to: sums, factor) { UInt32(bytes[offset &+ first &+ step &* $0]) }
            case 2:
                add(to: sums, factor) {
                    let position = offset &+ 2 &* (first &+ step &* $0)
                    return UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
                }
            default:
                add(to: sums, factor) {
                    let position = offset &+ 4 &* (first &+ step &* $0)
                    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
                }
            }
        }
    }

    @inline(__always)
    private func add(
        to sums: UnsafeMutableBufferPointer<Int32>, _ factor: Int32, _ stored: (Int) -> UInt32
    ) {
        for position in sums.indices {
            let number = base &+ Int32(unit) &* Int32(bitPattern: stored(position))
            sums[position] &+= factor &* number
        }
    }

    // MARK: Validation of file content

    /// Whether all numbers are within the bytes. Check this before any other access.
    var isWhole: Bool {
        (width <= 2 || width == 4) && offset + count * Int(width) <= bytes.count
    }

    /// Whether all numbers are in a range.
    public func isWithin(_ range: Range<Int>) -> Bool {
        if isEmpty { return true }
        guard Int(base) >= range.lowerBound else { return false }
        // The largest value that fits the width is almost always in range, so the numbers need not be read.
        if value(1 << (8 * Int(width)) - 1) < range.upperBound { return true }
        return value(indices.reduce(0) { Swift.max($0, Int(stored($1))) }) < range.upperBound
    }

    private func value(_ stored: Int) -> Int { Int(base) + Int(unit) * stored }
}

extension [UInt8] {
    /// Reads a little-endian number at any byte position, aligned or not.
    @inlinable
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at position: Int) -> Number {
        precondition(position >= 0 && position + MemoryLayout<Number>.size <= count)
        return withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: type)) }
    }
}

// MARK: Writing

extension NumberColumn {
    /// Appends numbers to `bytes` and writes their header at `head`.
    ///
    /// - Parameter minimumWidth: 1 for a column whose count must be verifiable from its size.
    static func write(_ numbers: [Int32], minimumWidth: Int = 0, headAt head: Int, to bytes: inout [UInt8]) {
        let base = numbers.min() ?? 0
        let (unit, largest) = measure(numbers, from: base)
        let width = Swift.max(minimumWidth, largest == 0 ? 0 : largest <= 0xFF ? 1 : largest <= 0xFFFF ? 2 : 4)
        bytes.store(UInt32(bytes.count), at: head)
        bytes.store(UInt32(numbers.count), at: head + 4)
        bytes.store(base, at: head + 8)
        bytes.store(UInt16(unit), at: head + 12)
        bytes.store(UInt16(width), at: head + 14)
        guard width > 0 else { return }
        for number in numbers {
            let stored = UInt32(bitPattern: number &- base) / unit
            for shift in 0..<width { bytes.append(UInt8(truncatingIfNeeded: stored >> UInt32(8 * shift))) }
        }
    }

    /// Returns the largest possible unit and the largest stored number in that unit.
    private static func measure(_ numbers: [Int32], from base: Int32) -> (unit: UInt32, largest: UInt32) {
        var unit: UInt32 = 0
        var largest: UInt32 = 0
        for number in numbers {
            let distance = UInt32(bitPattern: number &- base)
            largest = Swift.max(largest, distance)
            if unit != 1, distance != 0 { unit = commonDivisor(distance, unit) }
        }
        if unit == 0 || unit > UInt16.max { unit = 1 }
        return (unit, largest / unit)
    }

    /// Euclid's algorithm. The greatest common divisor of a number and 0 is the number.
    private static func commonDivisor(_ first: UInt32, _ second: UInt32) -> UInt32 {
        var (left, right) = (first, second)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}

extension [UInt8] {
    /// Overwrites the bytes at a position with a little-endian number. See ``load(_:at:)``.
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at position: Int) {
        Swift.withUnsafeBytes(of: number.littleEndian) { replaceSubrange(position..<position + $0.count, with: $0) }
    }
}
