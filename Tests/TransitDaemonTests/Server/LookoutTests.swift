import Dispatch
import Testing

@testable import TransitDaemon

@Suite struct LookoutTests {
    @Test func onlyOneThreadHasThePlace() async throws {
        let lookout = Lookout()
        let (isThere, hasPlace) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await onThread {
            lookout.take()
            lookout.take()
            DispatchQueue(label: "other").async {
                // Not its to give.
                lookout.pass()
                isThere.signal()
                lookout.take()
                hasPlace.signal()
                lookout.pass()
            }
            isThere.wait()
            #expect(hasPlace.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
            lookout.pass()
            lookout.pass()
            hasPlace.wait()
            lookout.take()
            lookout.pass()
        }
    }
}
