internal import Glibc

/// Functions for Unix stream sockets (unix(7)).
package enum UnixSocket {
    /// Creates a socket that is closed on exec and blocks for at most `timeout` seconds when connecting and sending.
    /// Returns a negative number on failure, with the reason in `errno`.
    package static func make(timeout: Int) -> CInt {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: timeout, tv_usec: 0)
        if socket >= 0 { setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size)) }
        return socket
    }

    /// Connects a socket.
    ///
    /// - Parameters:
    ///   - socket: The socket.
    ///   - address: A path, or a name in the abstract namespace, which begins with NUL.
    /// - Returns: 0, or an `errno`.
    package static func connect(_ socket: CInt, to address: [UInt8]) -> CInt {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = address.first == 0
        guard address.count < MemoryLayout.size(ofValue: name.sun_path), isAbstract || !address.contains(0) else {
            return ENAMETOOLONG
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        // An abstract name has no terminator; its length delimits it.
        let whole = MemoryLayout<sockaddr_un>.size
        let length = isAbstract ? whole - MemoryLayout.size(ofValue: name.sun_path) + address.count : whole
        let connected = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(length)) }
        }
        return connected == 0 ? 0 : errno
    }

    /// Sends all of `bytes`. Returns 0, or an `errno`.
    package static func send(_ bytes: [UInt8], to socket: CInt) -> CInt {
        var sent = 0
        while sent < bytes.count {
            // MSG_NOSIGNAL prevents SIGPIPE when the peer closes the connection.
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.send(socket, $0 + sent, buffer.count - sent, CInt(MSG_NOSIGNAL)) } ?? 0
            }
            if count >= 0 { sent += count } else if errno != EINTR { return errno }
        }
        return 0
    }

    /// The outcome of waiting.
    package enum Readiness { case ready, interrupted, timedOut }

    /// Waits until the socket is readable.
    package static func wait(_ socket: CInt, before deadline: Deadline, _ interrupt: Interrupt) -> Readiness {
        while true {
            // poll ignores negative descriptors.
            var watched = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, nfds_t(watched.count), deadline.remaining)
            if count == 0 { return .timedOut }
            if watched[1].revents != 0 { return .interrupted }
            // The following read reports any other failure of poll.
            if count > 0 || errno != EINTR { return .ready }
        }
    }
}

/// The possible paths of the daemon's socket (transitctl(1)).
package struct SocketPath: Equatable {
    /// The paths in search order; never empty.
    package let candidates: [String]

    /// Determines the paths. An explicit path is the only candidate, so that a misspelled `--socket` does not connect to
    /// another daemon.
    package init(option: String?, environment: (String) -> String?) {
        if let named = option ?? Self.nonEmpty(environment("TRANSITD_SOCKET")) {
            candidates = [named]
        } else if let runtime = Self.nonEmpty(environment("XDG_RUNTIME_DIR")) {
            candidates = [runtime + "/transitd/transitd.sock", Self.system]
        } else {
            candidates = [Self.system]
        }
    }

    /// The path of the system daemon's socket.
    package static let system = "/run/transitd/transitd.sock"

    /// Returns the first path that exists.
    package func chosen(exists: (String) -> Bool) -> String? { candidates.first(where: exists) }

    /// The command that starts the daemon of the first candidate.
    package var startLine: String {
        candidates[0].hasPrefix("/run/transitd/") ? "sudo systemctl start transitd" : "systemctl --user start transitd"
    }

    private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}

/// Finds the group that has permission to use a socket.
package enum SocketGroup {
    /// Returns the group's name, or "number 997" if it has none. Returns `nil` if no group has permission or the socket
    /// cannot be inspected.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - groups: The groups file (group(5)). It is read directly because a statically linked program cannot use the
    ///     system's name service.
    package static func name(ofSocket path: String, groups: String = "/etc/group") -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IWGRP != 0 else { return nil }
        return name(of: status.st_gid, in: groups) ?? "number \(status.st_gid)"
    }

    private static func name(of number: gid_t, in path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let line {
            // name:password:number:members
            let fields = String(cString: line).split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 2, gid_t(fields[2]) == number, !fields[0].isEmpty { return String(fields[0]) }
        }
        return nil
    }
}

/// The error message for an `errno`.
package enum ErrnoText {
    package static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return buffer.withUnsafeBufferPointer { bytes in
            String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
