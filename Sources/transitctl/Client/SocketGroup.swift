internal import Glibc

/// Finds the group that has permission to use a socket.
enum SocketGroup {
    /// Returns the group's name, or "number 997" if it has none. Returns `nil` if no group has permission or the socket
    /// cannot be inspected.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - groups: The groups file (group(5)). It is read directly because a statically linked program cannot use the
    ///     system's name service.
    static func name(ofSocket path: String, groups: String = "/etc/group") -> String? {
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
