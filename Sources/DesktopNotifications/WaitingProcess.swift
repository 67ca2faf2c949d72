internal import Glibc
internal import TransitClient

extension DesktopNotificationFailure {
    /// The failure to start a program. A lack of memory or processes passes, and so does the installation of a program that
    /// is still being written.
    init(_ failure: ChildProcess.Failure, starting path: String) {
        let isTemporary = failure.call != nil || [EAGAIN, ENOMEM, ETXTBSY].contains(failure.number)
        let reason = failure.call.map { "\($0): " } ?? ""
        self.init(
            isTemporary ? .temporary : .unavailable,
            "cannot run \(path): \(reason)\(ErrnoText.text(failure.number))")
    }
}

/// A process of an earlier run of this program. Since the number of a process can be used again, its start identifies it.
package struct WaitingProcess: Hashable {
    package var pid: Int32
    /// The time at which it was started after the boot, in clock ticks.
    package var start: UInt64
}

extension WaitingProcess {
    /// Identifies a running process. Returns `nil` if it has ended.
    package init?(pid: Int32) {
        let descriptor = open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = read(descriptor, &buffer, buffer.count)
        // The name of the program is in parentheses and can contain spaces and parentheses (proc_pid_stat(5)).
        guard count > 0, let end = buffer.prefix(count).lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: buffer[(end + 1)..<count], as: UTF8.self).split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let start = UInt64(fields[19]) else { return nil }
        self.init(pid: pid, start: start)
    }

    /// Ends the process and its process group, and waits until it has ended, for at most half a second.
    package func end() {
        guard pid > 1, WaitingProcess(pid: pid) == self else { return }
        kill(-pid, SIGTERM)
        for _ in 0..<100 where WaitingProcess(pid: pid) == self { _ = poll(nil, 0, 5) }
        if WaitingProcess(pid: pid) == self { kill(-pid, SIGKILL) }
    }
}

/// Finds programs.
enum ProgramPath {
    /// Returns the path of this program without links.
    static func own() -> String? { real("/proc/self/exe") }

    /// Returns the path of a program in the folders of PATH.
    static func find(_ name: String, path: String?) -> String? {
        for folder in (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") where folder.hasPrefix("/") {
            let candidate = "\(folder)/\(name)"
            if isProgram(candidate) { return candidate }
        }
        return nil
    }

    /// Returns the path of the icon of the installation to which this program belongs. Some servers, such as dunst, do not
    /// find an icon by its name in `/usr/local/share/icons`.
    static func icon() -> String? {
        // PREFIX/bin/transitctl
        guard let own = own() else { return nil }
        let prefix = own.split(separator: "/").dropLast(2).joined(separator: "/")
        let path = "/\(prefix)/share/icons/hicolor/scalable/apps/transitd.svg"
        return access(path, R_OK) == 0 ? path : nil
    }

    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    private static func real(_ path: String) -> String? {
        guard let name = realpath(path, nil) else { return nil }
        defer { free(name) }
        return String(cString: name)
    }
}
