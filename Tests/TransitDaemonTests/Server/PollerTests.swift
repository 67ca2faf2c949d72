import Glibc
import Testing

@testable import TransitDaemon

/// What the system cannot watch (epoll_ctl(2)): a connection must end then, and not wait for ever.
@Suite struct PollerTests {
    /// A regular file, which epoll refuses.
    private func unwatchable() -> Descriptor { Descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)) }

    @Test func whatCannotBeWatchedIsSaid() throws {
        let poller = try Poller()
        let file = unwatchable()
        #expect(!poller.add(file.number, key: 7))
        #expect(errno == EPERM)
        #expect(!poller.watch(file.number, key: 7, reads: true, writes: false))
        var pair: [Int32] = [0, 0]
        #expect(pipe(&pair) == 0)
        let ends = pair.map { Descriptor($0) }
        #expect(poller.add(ends[0].number, key: 7))
        #expect(!poller.add(ends[0].number, key: 7), "it is watched already")
        #expect(poller.watch(ends[0].number, key: 7, reads: true, writes: false))
    }

    @Test func aConnectionThatCannotBeWatchedEnds() throws {
        let poller = try Poller()
        let connection = ClientConnection(
            unwatchable(), caller: Caller(uid: 1, gid: 1, pid: nil, connection: 9), limits: ControlLimits())
        guard case .finished = connection.updateInterest(poller) else {
            Issue.record("it waits for what is never told")
            return
        }
    }
}
