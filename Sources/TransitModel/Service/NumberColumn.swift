/// Numbers side by side in the bytes of a ``Pattern``, all of the same width, so that any of them is read without the others.
///
/// A number is `base + unit * stored`. The unit is what all of them are multiples of, counted from the base, which is the
/// smallest: whole minutes of a day take a byte or two, and a column of equal numbers takes no bytes at all.
public struct NumberColumn: RandomAccessCollection, Sendable {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let offset: Int
    @usableFromInline let base: Int32
    @usableFromInline let unit: UInt16
    @usableFromInline let width: UInt16
    public let count: Int

    /// Reads the head of a column: the place of its numbers, how many there are, base, unit and width.
    @inlinable
    init(_ bytes: [UInt8], headAt position: Int) {
        self.bytes = bytes
        offset = Int(bytes.load(UInt32.self, at: position))
        count = Int(bytes.load(UInt32.self, at: position + 4))
        base = bytes.load(Int32.self, at: position + 8)
        unit = bytes.load(UInt16.self, at: position + 12)
        width = bytes.load(UInt16.self, at: position + 14)
    }

    /// Bytes of the head of a column.
    @usableFromInline static let headSize = 16

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    @inlinable
    public subscript(position: Int) -> Int32 {
        // Together with `isWhole` this keeps every look within the bytes.
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

    /// Adds the numbers at `first`, `first + step`, … to those of a buffer, one to each; with a factor of -1 it takes them
    /// away. Wraps around where a sum is too large.
    func add(to sums: UnsafeMutableBufferPointer<Int32>, first: Int, step: Int, factor: Int32 = 1) {
        if sums.isEmpty { return }
        precondition(first >= 0 && step > 0 && first + (sums.count - 1) * step < count)
        bytes.withUnsafeBytes { bytes in
            switch width {
            case 0: add(to: sums, factor) { _ in 0 }
            case 1: add(to: sums, factor) { UInt32(bytes[offset &+ first &+ step &* $0]) }
            case 2:
                add(to: sums, factor) {
                    let place = offset &+ 2 &* (first &+ step &* $0)
                    return UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
                }
            default:
                add(to: sums, factor) {
                    let place = offset &+ 4 &* (first &+ step &* $0)
                    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
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

    // MARK: Checking what came from a file

    /// Whether its numbers lie within the bytes. Nothing else may be asked before this was.
    var isWhole: Bool {
        (width <= 2 || width == 4) && offset + count * Int(width) <= bytes.count
    }

    /// Whether all numbers lie in a range.
    public func isWithin(_ range: Range<Int>) -> Bool {
        if isEmpty { return true }
        guard Int(base) >= range.lowerBound else { return false }
        // What the width allows is in range almost always, and spares a look at each number.
        if highest(1 << (8 * Int(width)) - 1) < range.upperBound { return true }
        return highest(indices.reduce(0) { Swift.max($0, Int(stored($1))) }) < range.upperBound
    }

    private func highest(_ stored: Int) -> Int { Int(base) + Int(unit) * stored }
}

extension [UInt8] {
    /// A number of the machine's width and byte order; its place need not be a multiple of its size.
    @inlinable
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at position: Int) -> Number {
        precondition(position >= 0 && position + MemoryLayout<Number>.size <= count)
        return withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: type)) }
    }
}

// MARK: Writing

extension NumberColumn {
    /// Appends numbers to `bytes` and puts their head at `head`.
    ///
    /// - Parameter minimumWidth: 1 for a column whose count must be seen from its size.
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

    /// The largest unit, and the largest number in that unit.
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

    /// Euclid's; that of a number and 0 is the number.
    private static func commonDivisor(_ first: UInt32, _ second: UInt32) -> UInt32 {
        var (left, right) = (first, second)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}

extension [UInt8] {
    /// Replaces the bytes there; see ``load(_:at:)``.
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at position: Int) {
        Swift.withUnsafeBytes(of: number.littleEndian) { replaceSubrange(position..<position + $0.count, with: $0) }
    }
}
