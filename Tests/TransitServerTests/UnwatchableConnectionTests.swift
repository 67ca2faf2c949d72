import Glibc
import Testing
import TransitSystem

@testable import TransitServer

/// A connection whose descriptor epoll cannot watch (epoll_ctl(2)) must end instead of waiting forever.
@Suite struct UnwatchableConnectionTests {
    /// A regular file, which epoll rejects.
    private func unwatchable() -> Descriptor { Descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)) }

    @Test func connectionThatCannotBeWatchedEnds() throws {
        let poller = try Poller()
        let connection = ClientConnection(
            unwatchable(), caller: Caller(uid: 1, gid: 1, pid: nil, connection: 9), limits: ControlLimits())
        guard case .finished = connection.updateInterest(poller) else {
            Issue.record("the connection waits for events that are never reported")
            return
        }
    }
}
