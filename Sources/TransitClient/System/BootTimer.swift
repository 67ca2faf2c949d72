internal import CLinux
internal import Glibc

/// A timer for `poll` that expires at a time of ``LinuxClock/boot`` (timerfd_create(2)). If the time passes while the
/// machine is suspended, it expires when the machine resumes.
package final class BootTimer {
    /// Becomes readable when the timer expires.
    package let descriptor: CInt
    private var armed: Int64?

    /// - Throws: ``ClientError/system(call:number:)`` if the system is out of descriptors.
    package init() throws(ClientError) {
        descriptor = linux_boot_timer_create()
        guard descriptor >= 0 else { throw .system(call: "timerfd_create", number: errno) }
    }

    deinit { close(descriptor) }

    /// Sets the timer, in milliseconds of ``LinuxClock/boot``; `nil` for never. A time in the past expires promptly.
    package func set(_ time: Int64?) {
        guard time != armed else { return }
        armed = time
        // Zero would disarm the timer.
        linux_timer_set(descriptor, time.map { max(1, $0) * 1_000_000 } ?? 0)
    }

    /// Discards the expiry after ``descriptor`` was readable.
    package func clear() {
        linux_drain(descriptor)
        armed = nil
    }
}
