internal import Glibc

/// Standard output or standard error.
struct StandardStream {
    let descriptor: CInt

    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let error = StandardStream(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal in columns; `nil` when the stream is not a terminal or the width is unknown.
    var width: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The height of the terminal in rows; `nil` when the stream is not a terminal or the height is unknown.
    var height: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// Writes all of `bytes`. Returns `false` on failure, with the reason in `errno`.
    ///
    /// A closed pipe ends the process by SIGPIPE, as it does for other filters. If the parent process ignores that
    /// signal, the write fails with EPIPE.
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
