import Foundation
import Testing

/// Defects that a sanitizer must find. `scripts/sanitize` builds the tests with it; without, these tests are disabled.
@Suite struct SanitizerTests {
    private static let sanitizer = ProcessInfo.processInfo.environment["TRANSIT_SANITIZER"]

    /// Shared by the threads of ``threadSanitizerFindsARace()`` without a lock.
    private final class Counter: @unchecked Sendable {
        var value = 0
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
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for _ in 0..<10_000 { counter.value += 1 }
            }
            exit(0)
        }
    }
}
