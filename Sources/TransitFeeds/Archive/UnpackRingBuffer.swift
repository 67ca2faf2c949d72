internal import Dispatch
internal import Glibc
internal import Synchronization

/// Unpacks a member on a second thread into a ring of buffers, while the caller's thread consumes them in order.
///
/// The fixed size of the ring limits memory use. Both threads wait on semaphores, and the second thread ends before
/// ``run(_:_:_:)`` returns.
///
/// `@unchecked Sendable` is safe because the semaphores order all access. A slot (its bytes and its count) belongs to
/// the producer between `free.wait()` and `filled.signal()`, and to the consumer between `filled.wait()` and
/// `free.signal()`. The producer sets `outcome` before its last `filled.signal()`, and the consumer reads it after the
/// matching `filled.wait()`.
final class UnpackRingBuffer: @unchecked Sendable {
    private static let slotCount = 4
    private static let slotSize = 128 << 10

    private let slots: UnsafeMutablePointer<ChunkMemory>
    /// The number of bytes in each slot; 0 marks the end.
    private let counts: UnsafeMutablePointer<Int>
    private var outcome: Result<[UInt8], FeedError> = .failure(.canceled)
    private let isAbandoned = Atomic(false)
    // The initial value is 0 because libdispatch traps when a semaphore is freed with a value below its initial value.
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    private init() {
        slots = .allocate(capacity: Self.slotCount)
        counts = .allocate(capacity: Self.slotCount)
        counts.initialize(repeating: 0, count: Self.slotCount)
        for index in 0..<Self.slotCount {
            (slots + index).initialize(to: ChunkMemory(capacity: Self.slotSize))
            free.signal()
        }
    }

    deinit {
        slots.deinitialize(count: Self.slotCount)
        slots.deallocate()
        counts.deallocate()
    }

    /// Passes every piece of the member to `body` and returns the member's SHA-256. If `body` throws, the second thread
    /// stops before the error is rethrown.
    static func run(
        _ archive: ZipArchive, _ member: ZipMember, _ body: (UnpackedChunk) throws(FeedError) -> Void
    ) throws(FeedError) -> [UInt8] {
        let ring = UnpackRingBuffer()
        let code = DedicatedThread.start { ring.produce(archive, member) }
        guard code == 0 else {
            throw .unreadable(
                path: member.path, reason: "Cannot start a thread to unpack it: \(String(cString: strerror(code)))")
        }
        return try ring.consume(body)
    }

    private func produce(_ archive: ZipArchive, _ member: ZipMember) {
        var slot = 0
        do throws(FeedError) {
            var stream = try MemberStream.open(member, of: archive)
            free.wait()
            while !isAbandoned.load(ordering: .acquiring) {
                counts[slot] = 0
                let count = try stream.read(into: slots[slot].buffer)
                guard count > 0 else {
                    outcome = .success(stream.digest)
                    break
                }
                counts[slot] = count
                filled.signal()
                slot = (slot + 1) % Self.slotCount
                free.wait()
            }
        } catch {
            counts[slot] = 0
            outcome = .failure(error)
        }
        filled.signal()
        ended.signal()
    }

    private func consume(_ body: (UnpackedChunk) throws(FeedError) -> Void) throws(FeedError) -> [UInt8] {
        defer {
            isAbandoned.store(true, ordering: .releasing)
            free.signal()
            ended.wait()
        }
        var slot = 0
        while true {
            filled.wait()
            guard counts[slot] > 0 else { return try outcome.get() }
            try body(slots[slot].chunk(count: counts[slot]))
            free.signal()
            slot = (slot + 1) % Self.slotCount
        }
    }
}

/// Starts dedicated threads for blocking work. libdispatch is not an option, because its worker threads set their own
/// priority when they start, which the sandbox of the systemd units forbids.
private enum DedicatedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts `body` on a new thread. The caller cannot stop the thread.
    ///
    /// - Returns: 0, or the error number of pthread_create(3) if the system cannot create the thread. In that case
    ///   `body` does not run.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return code
        }
        pthread_detach(thread)
        return 0
    }
}
