internal import CLinux
internal import Glibc
internal import TransitSystem

/// Wakes a thread that is waiting for its connection.
final class StreamWakeup: Sendable {
    private let event: Descriptor

    /// - Throws: An error if no file descriptor is available.
    init() throws(SystemFailure) { event = try Descriptor(opening: "eventfd", linux_event_create()) }

    /// Wakes the thread. Can be called on any thread.
    func ring() {
        var one: UInt64 = 1
        _ = write(event.number, &one, 8)
    }

    /// Waits until the connection is ready, the signal is rung, or the timeout expires.
    ///
    /// - Returns: Whether the signal was rung.
    func wait(_ connection: Int32, writes: Bool, milliseconds: Int32) -> Bool {
        let events = Int16(POLLIN) | (writes ? Int16(POLLOUT) : 0)
        // poll(2) ignores a negative descriptor.
        var descriptors = [
            pollfd(fd: event.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection, events: events, revents: 0),
        ]
        guard poll(&descriptors, 2, milliseconds) > 0, descriptors[0].revents != 0 else { return false }
        linux_drain(event.number)
        return true
    }
}
