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
    /// Where the path comes from.
    package let source: Source
    /// The paths that are searched if none is named.
    package let standard: [String]

    /// Where the path of a socket comes from.
    package enum Source: Equatable {
        /// `--socket`.
        case option
        /// `TRANSITD_SOCKET`.
        case variable
        /// Neither is given.
        case standard

        /// What the user gave; `nil` for the standard paths.
        package var name: String? {
            switch self {
            case .option: "--socket"
            case .variable: "TRANSITD_SOCKET"
            case .standard: nil
            }
        }
    }

    /// Whether the first candidate is one of the standard paths, however it was given.
    package var isStandard: Bool { standard.contains(candidates[0]) }

    /// Determines the paths. An explicit path is the only candidate, so that a misspelled `--socket` does not connect to
    /// another daemon.
    package init(option: String?, environment: (String) -> String?) {
        let runtime = Self.nonEmpty(environment("XDG_RUNTIME_DIR"))
        standard = (runtime.map { [$0 + "/transitd/transitd.sock"] } ?? []) + [Self.system]
        if let option {
            (candidates, source) = ([option], .option)
        } else if let named = Self.nonEmpty(environment("TRANSITD_SOCKET")) {
            (candidates, source) = ([named], .variable)
        } else {
            (candidates, source) = (standard, .standard)
        }
    }

    /// The path of the system daemon's socket.
    package static let system = "/run/transitd/transitd.sock"

    /// Returns the first path that exists.
    package func chosen(exists: (String) -> Bool) -> String? { candidates.first(where: exists) }

    private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}

/// Finds the group that has permission to use a socket.
package enum SocketGroup {
    /// Returns what a user without permission to use a socket can do.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - user: The number of the user; `nil` for the user of this process.
    ///   - users: The users file (passwd(5)).
    ///   - groups: The groups file (group(5)).
    package static func remedy(
        forSocket path: String, user: UInt32? = nil, users: String = "/etc/passwd", groups: String = "/etc/group"
    ) -> String {
        let user = user ?? getuid()
        guard let group = name(ofSocket: path, groups: groups) else {
            return "only its owner can use it; to run your own daemon, give transitd another path with --socket"
        }
        guard !group.hasPrefix(unnamed) else {
            return "the group \(group) has permission; ask an administrator to add you to it"
        }
        let userName = fields(in: users) { $0.count > 2 && uid_t($0[2]) == user }?.first
        let members = fields(in: groups) { $0.first == group && $0.count > 3 }?[3].split(separator: ",") ?? []
        if let userName, members.contains(Substring(userName)) {
            return "your membership of the group \(group) takes effect when you log in again"
        }
        return
            "the group \(group) has permission: run `sudo usermod -aG \(group) \(userName ?? "NAME")`, and log in again"
    }

    /// Returns the group's name, or "number 997" if it has none. Returns `nil` if no group has permission, if it is that
    /// of root, whose members have many other permissions, or if the socket cannot be inspected.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - groups: The groups file (group(5)). It is read directly because a statically linked program cannot use the
    ///     system's name service.
    package static func name(ofSocket path: String, groups: String = "/etc/group") -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IWGRP != 0, status.st_gid != 0 else { return nil }
        let group = fields(in: groups) { $0.count > 2 && gid_t($0[2]) == status.st_gid && !$0[0].isEmpty }
        return group?[0] ?? unnamed + "\(status.st_gid)"
    }

    /// The beginning of the text for a group without a name.
    private static let unnamed = "number "

    /// Returns the fields of the first line of a file of users or groups that satisfies a condition. The last field has
    /// no line feed.
    private static func fields(in path: String, where isMatch: ([String]) -> Bool) -> [String]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let line {
            // name:password:number:...
            let fields =
                String(cString: line).split { $0 == "\n" }.first?
                .split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
            if isMatch(fields) { return fields }
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
