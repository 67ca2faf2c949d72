internal import Glibc

/// Standard output or standard error.
struct StandardStream {
    let descriptor: CInt

    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let error = StandardStream(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal; `nil` when it is none or does not tell.
    var width: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Rows of the terminal; `nil` when it is none or does not tell.
    var height: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// Writes all of `bytes`; `false` when that failed, with the reason in `errno`.
    ///
    /// A closed pipe ends the process quietly by SIGPIPE, as every filter does, or is EPIPE where the parent ignores that signal.
    func write(_ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
            }
            if count >= 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }
}
