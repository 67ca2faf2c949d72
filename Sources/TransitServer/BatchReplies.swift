/// The incomplete batch replies of one connection (JSON-RPC 2.0, section 6).
struct BatchReplies {
    private struct Batch {
        var replies: [[UInt8]]
        var missing: Int
        var size: Int
    }

    /// Maximum size in bytes of the line that contains all replies to a batch.
    let limit: Int
    private var batches: [UInt64: Batch] = [:]
    private var nextNumber: UInt64 = 0

    init(limit: Int) { self.limit = limit }

    /// Starts a batch with the given number of replies, at least one, and returns its number.
    mutating func open(expecting count: Int) -> UInt64 {
        nextNumber += 1
        // Two brackets, the commas and the line feed.
        batches[nextNumber] = Batch(replies: Array(repeating: [], count: count), missing: count, size: count + 2)
        return nextNumber
    }

    /// Whether a reply of the given size fits into the batch's line.
    func hasRoom(in number: UInt64, for size: Int) -> Bool {
        guard let batch = batches[number] else { return false }
        return batch.size + size <= limit
    }

    /// Stores a reply at its position. Returns the whole line if the batch is complete.
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
