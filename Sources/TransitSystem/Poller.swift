internal import CLinux
internal import Glibc
internal import Synchronization

/// Waits for events on descriptors, a timer and a wake-up, using Linux's epoll.
///
/// After a descriptor has been reported, it is not reported again until it is watched again. One thread waits at a
/// time; see ``LeaderToken``.
package final class Poller: Sendable {
    /// A reported descriptor, timer or wake-up.
    package struct Event: Hashable {
        package var key: UInt64
        package var isReadable: Bool
        package var isWritable: Bool
        /// Both directions are closed, or the socket failed.
        package var isHungUp: Bool
    }

    /// The key that is reported when the timer set with ``setTimer(_:)`` expires.
    package static let timerKey: UInt64 = 0
    /// The key that is reported repeatedly after ``wakeAll()``, so that each thread gets it.
    package static let wakeKey: UInt64 = 1
    /// The first key for descriptors.
    package static let firstKey: UInt64 = 2

    private let epoll: Descriptor
    private let timer: Descriptor
    private let wake: Descriptor
    private let timerMoment = Mutex<MonotonicInstant?>(nil)

    package init() throws(SystemFailure) {
        epoll = try Descriptor(opening: "epoll_create1", linux_epoll_create())
        timer = try Descriptor(opening: "timerfd_create", linux_timer_create())
        wake = try Descriptor(opening: "eventfd", linux_event_create())
        guard control(LINUX_WATCH_ADD, timer.number, Self.timerKey, LINUX_EVENT_READABLE),
            control(LINUX_WATCH_ADD, wake.number, Self.wakeKey, LINUX_EVENT_READABLE)
        else { throw SystemFailure("epoll_ctl") }
    }

    /// Starts watching a descriptor, which is then reported once.
    ///
    /// - Returns: false, with `errno` set, if the system's limit is reached (epoll_ctl(2), `max_user_watches`).
    package func add(_ descriptor: Int32, key: UInt64, reads: Bool = true, writes: Bool = false) -> Bool {
        control(LINUX_WATCH_ADD, descriptor, key, Self.mask(reads, writes))
    }

    /// Watches a descriptor again. Even without `reads` and `writes`, a hang-up is reported.
    ///
    /// - Returns: false, with `errno` set, on failure. Events for the descriptor are then not reported.
    package func watch(_ descriptor: Int32, key: UInt64, reads: Bool, writes: Bool) -> Bool {
        control(LINUX_WATCH_CHANGE, descriptor, key, Self.mask(reads, writes))
    }

    /// Stops watching a descriptor. Does nothing if it is not watched.
    package func remove(_ descriptor: Int32) { _ = control(LINUX_WATCH_REMOVE, descriptor, 0, 0) }

    private static func mask(_ reads: Bool, _ writes: Bool) -> Int {
        LINUX_EVENT_ONCE | (reads ? LINUX_EVENT_READABLE : 0) | (writes ? LINUX_EVENT_WRITABLE : 0)
    }

    private func control(_ operation: Int, _ descriptor: Int32, _ key: UInt64, _ events: Int) -> Bool {
        linux_epoll_watch(epoll.number, Int32(operation), descriptor, UInt32(events), key) == 0
    }

    /// Waits for the next event without a timeout.
    package func wait() -> Event {
        var bits: UInt32 = 0
        var key: UInt64 = 0
        while linux_epoll_wait(epoll.number, &bits, &key) != 1 {}
        let events = Int(bits)
        return Event(
            key: key, isReadable: events & LINUX_EVENT_READABLE != 0, isWritable: events & LINUX_EVENT_WRITABLE != 0,
            isHungUp: events & (LINUX_EVENT_HUNG_UP | LINUX_EVENT_FAILED) != 0)
    }

    /// Makes every call of ``wait()`` report ``wakeKey`` from now on.
    package func wakeAll() {
        var one: UInt64 = 1
        _ = write(wake.number, &one, 8)
    }

    /// Sets the timer, unless it is already set to an earlier time.
    package func setTimer(_ moment: MonotonicInstant) {
        timerMoment.withLock { current in
            if let current, current <= moment { return }
            current = moment
            arm(moment)
        }
    }

    /// Resets the timer; call it when the timer is reported. Returns false if another thread has already done so.
    package func acknowledgeTimer() -> Bool {
        timerMoment.withLock { current in
            var expirations: UInt64 = 0
            guard read(timer.number, &expirations, 8) == 8 else { return false }
            current = nil
            return true
        }
    }

    private func arm(_ moment: MonotonicInstant) {
        _ = linux_timer_set(timer.number, max(1, moment.nanoseconds))
    }
}

/// A reading of the monotonic clock in nanoseconds. Meaningful only in this process.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package func advanced(milliseconds: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds + Int64(milliseconds) * 1_000_000)
    }
    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}
