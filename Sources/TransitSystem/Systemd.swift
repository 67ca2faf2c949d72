internal import Glibc

/// The protocols between a service, systemd and journald.
///
/// They are a few environment variables and datagrams, and are stable (sd_notify(3), "Notes";
/// https://systemd.io/JOURNAL_NATIVE_PROTOCOL). libsystemd would load six further libraries into the daemon.
package enum Systemd {
    // MARK: The service manager

    /// Sends a state, such as `READY=1`, to the service manager. Does nothing without one.
    package static func notify(_ state: String) {
        guard let address = variable("NOTIFY_SOCKET"), address.hasPrefix("/") || address.hasPrefix("@") else { return }
        // A manager that is gone needs no notification.
        _ = UnixSocketAddress.sendDatagram(Array(state.utf8), to: address)
    }

    /// The maximum number of microseconds between two watchdog messages; `nil` if none are expected
    /// (sd_watchdog_enabled(3)).
    package static var watchdogMicroseconds: UInt64? {
        guard isForThisProcess("WATCHDOG_PID", isRequired: false),
            let interval = variable("WATCHDOG_USEC").flatMap({ UInt64($0) }), interval > 0
        else { return nil }
        return interval
    }

    /// Returns the descriptors that the service manager passed (sd_listen_fds(3)). They are not inherited by child
    /// processes. Removes the variables that describe them, so call this function only once, before there are threads.
    package static func takeListenDescriptors() -> Range<Int32> {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        let first: Int32 = 3
        guard isForThisProcess("LISTEN_PID", isRequired: true),
            let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), count > 0, count <= Int32.max - first
        else { return first..<first }
        let descriptors = first..<(first + count)
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) | FD_CLOEXEC) }
        return descriptors
    }

    private static func isForThisProcess(_ name: String, isRequired: Bool) -> Bool {
        variable(name).map { $0 == String(getpid()) } ?? !isRequired
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: The journal

    /// The socket on which journald receives records.
    package static let journalSocket = "/run/systemd/journal/socket"
    /// The maximum size of a record in bytes. A datagram is limited by the default size of a socket's buffer, 208 KiB.
    private static let maximumRecordSize = 128 << 10

    /// Sends a record to journald.
    ///
    /// - Parameter fields: Names, which consist of uppercase letters, digits and `_`, and their values. The end of a
    ///   record that is too large is left out.
    /// - Returns: Whether journald received it.
    package static func log(_ fields: [(name: String, value: String)], to socket: String = journalSocket) -> Bool {
        var record: [UInt8] = []
        for field in fields {
            let free = maximumRecordSize - record.count - field.name.utf8.count - 10
            guard free > 0 else { break }
            append(field.name, Array(field.value.utf8.prefix(free)), to: &record)
        }
        return UnixSocketAddress.sendDatagram(record, to: socket)
    }

    /// Appends `NAME=value` or, if the value has several lines, the name, the size of the value and the value.
    private static func append(_ name: String, _ value: [UInt8], to record: inout [UInt8]) {
        record += name.utf8
        if value.contains(UInt8(ascii: "\n")) {
            record.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { record += $0 }
        } else {
            record.append(UInt8(ascii: "="))
        }
        record += value
        record.append(UInt8(ascii: "\n"))
    }
}
