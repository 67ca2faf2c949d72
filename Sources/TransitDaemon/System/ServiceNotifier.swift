internal import Glibc
internal import Synchronization
internal import TransitSystem

/// Notifies systemd of the daemon's state (sd_notify(3)). Does nothing without systemd.
public struct ServiceNotifier: Sendable {
    /// A notification; `status` is the text that `systemctl status` shows.
    public enum Message: Hashable, Sendable {
        case ready(status: String)
        case status(String)
        case reloading
        case stopping
        case watchdog
    }

    public init() {}

    public func send(_ message: Message) {
        switch message {
        case .ready(let status): notify("READY=1\nSTATUS=\(Self.oneLine(status))")
        case .status(let status): notify("STATUS=\(Self.oneLine(status))")
        case .reloading: notify("RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds())")
        case .stopping: notify("STOPPING=1\nSTATUS=stopping")
        case .watchdog: notify("WATCHDOG=1")
        }
    }

    /// Maximum number of seconds between watchdog messages; `nil` if systemd does not require them (`WatchdogSec=`).
    public var watchdogInterval: Double? {
        Systemd.watchdogMicroseconds.map { Double($0) / 1e6 }
    }

    private func notify(_ state: String) { Systemd.notify(state) }

    /// Replaces line breaks, because a line break would start another assignment.
    private static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    private static func monotonicMicroseconds() -> Int64 {
        var value = timespec()
        clock_gettime(CLOCK_MONOTONIC, &value)
        return Int64(value.tv_sec) * 1_000_000 + Int64(value.tv_nsec) / 1000
    }
}

/// Keeps the status text that `systemctl status` shows up to date. Sends a text only if it has changed.
///
/// sd_notify(3) blocks while its reader's queue is full. On Linux, the queue may hold as few as ten messages.
final class StatusReport: Sendable {
    private let notifier: ServiceNotifier
    private let last = Mutex<String?>(nil)

    init(_ notifier: ServiceNotifier) { self.notifier = notifier }

    func update(_ text: String) {
        let isNew = last.withLock { last in
            defer { last = text }
            return last != text
        }
        if isNew { notifier.send(.status(text)) }
    }
}
