import Glibc
import Testing
import TransitSystem

/// Descriptors that epoll cannot watch (epoll_ctl(2)).
@Suite struct PollerTests {
    /// A regular file, which epoll rejects.
    private func unwatchable() -> Descriptor { Descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)) }

    @Test func failureToWatchIsReported() throws {
        let poller = try Poller()
        let file = unwatchable()
        #expect(!poller.add(file.number, key: 7))
        #expect(errno == EPERM)
        #expect(!poller.watch(file.number, key: 7, reads: true, writes: false))
        var pair: [Int32] = [0, 0]
        #expect(pipe(&pair) == 0)
        let ends = pair.map { Descriptor($0) }
        #expect(poller.add(ends[0].number, key: 7))
        #expect(!poller.add(ends[0].number, key: 7), "it is already watched")
        #expect(poller.watch(ends[0].number, key: 7, reads: true, writes: false))
    }
}
