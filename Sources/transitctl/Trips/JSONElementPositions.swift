/// The positions of the trips in a JSON document: the elements of the array in the member `trips`, or of the document
/// if it is an array. The document need not be valid.
struct JSONElementPositions {
    private let bytes: [UInt8]
    private(set) var elements: [TripFile.Position] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var depth = 0
        var (arrayDepth, startsElement) = (Int?.none, false)
        var (member, text) = ("", [UInt8]())
        var (isInString, isEscaped) = (false, false)
        // A document has thousands of trips, possibly all in one line. Each position is counted from the previous one.
        var counter = PositionCounter(bytes)
        for (offset, byte) in bytes.enumerated() {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 1, arrayDepth == nil { member = String(decoding: text, as: UTF8.self) }
                } else if depth == 1, text.count < 16 {
                    text.append(byte)
                }
                continue
            }
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
            if startsElement, depth == arrayDepth, byte != UInt8(ascii: "]") {
                elements.append(counter.position(of: offset))
            }
            startsElement = false
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                text = []
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                let isTrips = depth == 0 || (depth == 1 && member == "trips")
                depth += 1
                if arrayDepth == nil, byte == UInt8(ascii: "["), isTrips { (arrayDepth, startsElement) = (depth, true) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == arrayDepth { return }
                depth -= 1
            case UInt8(ascii: ","): startsElement = depth == arrayDepth
            default: break
            }
        }
    }

    /// Returns the position of a byte.
    func position(of offset: Int) -> TripFile.Position {
        var counter = PositionCounter(bytes)
        return counter.position(of: offset)
    }
}

/// Counts lines and columns up to ascending offsets. Every byte is read once.
private struct PositionCounter {
    private let bytes: [UInt8]
    private var offset = 0
    private var position = TripFile.Position(line: 1, column: 1)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the position of a byte.
    ///
    /// - Parameter next: An offset that is not below the previous one.
    mutating func position(of next: Int) -> TripFile.Position {
        let end = min(max(next, offset), bytes.count)
        while let lineFeed = bytes[offset..<end].firstIndex(of: 0x0A) {
            position = TripFile.Position(line: position.line + 1, column: 1)
            offset = lineFeed + 1
        }
        position.column += String(decoding: bytes[offset..<end], as: UTF8.self).count
        offset = end
        return position
    }
}
