import Foundation
import Synchronization
import Testing
import TransitTestTraits

/// Defects that a sanitizer must find, and a lock that it must not report. `scripts/sanitize` builds the tests with it;
/// without, the defects are disabled.
@Suite(.ownThreads) struct SanitizerTests {
    private static let sanitizer = ProcessInfo.processInfo.environment["TRANSIT_SANITIZER"]

    /// Shared by the threads of ``threadSanitizerFindsARace()`` without a lock.
    private final class Counter: @unchecked Sendable {
        var value = 0
    }

    private final class LockedCounter: Sendable {
        let value = Mutex(0)
    }

    /// Several threads want the lock at the same time, so that most of them wait in the kernel.
    @Test func contendedLockIsNoRace() {
        let counter = LockedCounter()
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<4 {
            Thread.detachNewThread {
                for _ in 0..<2000 {
                    counter.value.withLock { value in
                        value += 1
                        if value % 100 == 0 { usleep(100) }
                    }
                }
                ended.signal()
            }
        }
        for _ in 0..<4 { ended.wait() }
        #expect(counter.value.withLock { $0 } == 8000)
    }

    @Test(.enabled(if: sanitizer == "address", "the tests are not built with AddressSanitizer"))
    func addressSanitizerFindsAccessToFreedMemory() async {
        await #expect(processExitsWith: .exitCode(66)) {
            let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
            memory.initialize(to: 1)
            memory.deallocate()
            exit(memory.pointee == 1 ? 0 : 1)
        }
    }

    @Test(.enabled(if: sanitizer == "thread", "the tests are not built with ThreadSanitizer"))
    func threadSanitizerFindsARace() async {
        await #expect(processExitsWith: .exitCode(66)) {
            let counter = Counter()
            let ended = DispatchSemaphore(value: 0)
            // Nothing orders the two threads, so their accesses race even if one has ended before the other begins.
            for _ in 0..<2 {
                Thread.detachNewThread {
                    for _ in 0..<1000 { counter.value += 1 }
                    ended.signal()
                }
            }
            for _ in 0..<2 { ended.wait() }
            exit(0)
        }
    }
}
