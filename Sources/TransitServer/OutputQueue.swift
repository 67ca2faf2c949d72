/// The output that a client has not read yet, with limits for messages and bytes.
struct OutputQueue {
    private let messageLimit: Int
    private let byteLimit: Int
    private var bytes: [UInt8] = []
    /// Index of the first unsent byte.
    private var start = 0
    /// The end of each message, counted from the start of the connection.
    private var ends: [Int] = []
    private var sent = 0

    init(messages: Int, bytes: Int) {
        messageLimit = messages
        byteLimit = bytes
    }

    var isEmpty: Bool { start == bytes.count }
    var count: Int { ends.count }

    /// Appends a message. Returns false if the queue is full, which means that the client is too slow. An empty queue
    /// accepts any message.
    mutating func append(_ message: ArraySlice<UInt8>) -> Bool {
        guard isEmpty || (ends.count < messageLimit && bytes.count - start + message.count <= byteLimit) else {
            return false
        }
        if start > bytes.count / 2 {
            bytes.removeSubrange(..<start)
            start = 0
        }
        bytes.append(contentsOf: message)
        ends.append(sent + bytes.count - start)
        return true
    }

    /// Removes all messages except the first, which may have been sent in part.
    mutating func keepFirst() {
        guard let first = ends.first else { return }
        bytes.removeSubrange((start + first - sent)...)
        ends.removeSubrange(1...)
    }

    func withUnsent<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Removes bytes that the kernel accepted.
    mutating func remove(_ count: Int) {
        start += count
        sent += count
        ends.removeFirst(ends.firstIndex { $0 > sent } ?? ends.count)
        if isEmpty {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
            start = 0
        }
    }
}
