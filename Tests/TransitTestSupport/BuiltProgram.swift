internal import Glibc

/// The programs of a user as an installation has them: links and scripts that lead to the built `transitctl`, in the directory
/// of the test executable.
package enum BuiltProgram {
    /// The directory of the test executable and of the built programs.
    package static let folder: String = {
        guard let path = realpath("/proc/self/exe", nil) else { return "." }
        defer { free(path) }
        return "/" + String(cString: path).split(separator: "/").dropLast().joined(separator: "/")
    }()

    private static let isBuilt = access(folder + "/transitctl", X_OK) == 0

    /// The agent, a link; `nil` if `transitctl` was not built.
    package static let agent: String? = create("transitd-notify") { symlink("transitctl", $0) == 0 }

    /// The hook for desktop notifications, a script; `nil` if `transitctl` was not built.
    package static let hook: String? = create("transitd-notify-send") { path in
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs("#!\(folder)/transitctl notify-send\n", file) >= 0
        return fclose(file) == 0 && isWritten && chmod(path, 0o755) == 0
    }

    /// Creates a file under another name and renames it, because several test processes may do so.
    private static func create(_ name: String, _ write: (String) -> Bool) -> String? {
        let (path, new) = ("\(folder)/\(name)", "\(folder)/\(name).\(getpid())")
        unlink(new)
        guard isBuilt, write(new), rename(new, path) == 0 else { return nil }
        return path
    }
}
