internal import TransitControl

/// The answers to the batches of one connection, until each is complete (JSON-RPC 2.0, section 6).
struct BatchReplies {
    private struct Batch {
        var replies: [[UInt8]]
        var missing: Int
        var size: Int
    }

    /// Bytes of the line with all answers of a batch.
    let limit: Int
    private var batches: [UInt64: Batch] = [:]
    private var nextNumber: UInt64 = 0

    init(limit: Int) { self.limit = limit }

    /// Begins a batch with so many answers to come, one or more.
    mutating func open(expecting count: Int) -> UInt64 {
        nextNumber += 1
        // The brackets, the commas and the line feed.
        batches[nextNumber] = Batch(replies: Array(repeating: [], count: count), missing: count, size: count + 2)
        return nextNumber
    }

    /// Whether an answer of that size still fits into the batch's line.
    func hasRoom(in number: UInt64, for size: Int) -> Bool {
        guard let batch = batches[number] else { return false }
        return batch.size + size <= limit
    }

    /// Puts an answer in its place, and returns the whole line when it was the last.
    mutating func fill(_ number: UInt64, at position: Int, with reply: [UInt8]) -> [UInt8]? {
        guard var batch = batches.removeValue(forKey: number) else { return nil }
        batch.replies[position] = reply
        batch.missing -= 1
        batch.size += reply.count
        guard batch.missing == 0 else {
            batches[number] = batch
            return nil
        }
        var line: [UInt8] = []
        line.reserveCapacity(batch.size)
        for reply in batch.replies {
            line.append(line.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
            line.append(contentsOf: reply)
        }
        line.append(contentsOf: [UInt8(ascii: "]"), 0x0A])
        return line
    }
}
