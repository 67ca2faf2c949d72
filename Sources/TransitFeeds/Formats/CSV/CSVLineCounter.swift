internal import Glibc

/// Counts line ends inside a row, which occur only in quoted fields.
enum CSVLineCounter {
    /// Returns the number of line ends. A line feed, a carriage return, and a carriage return followed by a line feed
    /// each count as one.
    static func count(_ start: UnsafeMutablePointer<UInt8>, _ end: UnsafeMutablePointer<UInt8>) -> Int {
        guard memchr(start, 0x0A, end - start) != nil || memchr(start, 0x0D, end - start) != nil else { return 0 }
        var count = 0
        var position = start
        while position < end {
            let byte = position.pointee
            position += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            count += 1
            if byte == 0x0D, position < end, position.pointee == 0x0A { position += 1 }
        }
        return count
    }
}
