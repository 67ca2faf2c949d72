/// The natural sort order of names with numbers: 2, 10, 10A, N1.
public enum NaturalOrder {
    /// Returns whether `left` precedes `right`. Runs of digits are compared as numbers and precede letters. Case is
    /// ignored. Names that are otherwise equal are compared by Unicode scalars, so the order is total.
    public static func areInIncreasingOrder(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        let order = left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
        return order == 0 ? left < right : order < 0
    }

    /// Returns a negative number, zero or a positive number, like `strcmp` in C.
    static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (first, second) = (number(left, &i), number(right, &j))
                if first.count != second.count { return first.count - second.count }
                for (one, other) in zip(first, second) where one != other { return Int(one) - Int(other) }
            } else {
                let (one, other) = (lowered(left[i]), lowered(right[j]))
                if one != other { return Int(one) - Int(other) }
                i += 1
                j += 1
            }
        }
        return (left.count - i) - (right.count - j)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte }

    /// Returns the digits starting at `position`, without leading zeros.
    private static func number(
        _ text: UnsafeBufferPointer<UInt8>, _ position: inout Int
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        while position < text.count, text[position] == 0x30 { position += 1 }
        let start = position
        while position < text.count, isDigit(text[position]) { position += 1 }
        return text[start..<position]
    }
}
