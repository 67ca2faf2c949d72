internal import CLinux
internal import Glibc

/// Wakes a thread that waits for its connection: somebody has news for it.
final class StreamSignal: Sendable {
    private let event: Descriptor

    /// - Throws: when the system has no descriptors left.
    init() throws(SystemFailure) { event = try Descriptor(opening: "eventfd", linux_event_create()) }

    /// From any thread.
    func ring() {
        var one: UInt64 = 1
        _ = write(event.number, &one, 8)
    }

    /// Waits until the connection has something, the signal was rung or the time is over.
    ///
    /// - Returns: whether it was rung.
    func wait(_ connection: Int32, writes: Bool, milliseconds: Int32) -> Bool {
        let events = Int16(POLLIN) | (writes ? Int16(POLLOUT) : 0)
        // A negative descriptor is passed over (poll(2)).
        var descriptors = [
            pollfd(fd: event.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection, events: events, revents: 0),
        ]
        guard poll(&descriptors, 2, milliseconds) > 0, descriptors[0].revents != 0 else { return false }
        linux_drain(event.number)
        return true
    }
}
