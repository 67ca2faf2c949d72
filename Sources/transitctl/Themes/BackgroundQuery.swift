internal import Glibc
internal import TransitClient

/// Asks the terminal for the color of its background (xterm control sequences, OSC 11).
///
/// Typed input must not be lost, so nothing is sent while input is waiting, and only commands that are about themes ask.
enum BackgroundQuery {
    /// OSC 11 is followed by a request for the primary device attributes (DA1), which all terminals answer, so a terminal
    /// that does not support OSC 11 is recognized at once.
    static let request = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

    /// The number of milliseconds to wait for a response. A remote terminal may be slow, and a late response would appear
    /// as typed text.
    static let timeout = 1000

    /// Returns the color of the background, or `nil` if the terminal does not report it.
    ///
    /// - Parameter timeout: See ``timeout``.
    static func ask(
        input: StandardStream = .standardInput, output: StandardStream = .output, timeout: Int = timeout
    ) -> RGB? {
        // In the background of a shell, the terminal belongs to another program.
        let owner = tcgetpgrp(input.descriptor)
        guard input.isTerminal, output.isTerminal, owner < 0 || owner == getpgrp() else { return nil }
        var blocked = sigset_t()
        sigfillset(&blocked)
        var before = sigset_t()
        // A signal that ends the program would leave the terminal without echo.
        sigprocmask(SIG_BLOCK, &blocked, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        var usual = termios()
        guard tcgetattr(input.descriptor, &usual) == 0 else { return nil }
        var raw = usual
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
        // Unlike TCSAFLUSH, TCSANOW keeps what was typed.
        guard tcsetattr(input.descriptor, TCSANOW, &raw) == 0 else { return nil }
        defer { tcsetattr(input.descriptor, TCSANOW, &usual) }
        guard !isReadable(input.descriptor, within: 0), output.write(Array(request.utf8)) else { return nil }
        return color(in: response(input.descriptor, within: timeout))
    }

    /// Reads until the response to DA1 is complete, at most 512 bytes.
    private static func response(_ descriptor: CInt, within timeout: Int) -> [UInt8] {
        let deadline = Deadline(milliseconds: timeout)
        var bytes: [UInt8] = []
        while bytes.count < 512, !isComplete(bytes), isReadable(descriptor, within: deadline.remaining) {
            var byte: UInt8 = 0
            guard Glibc.read(descriptor, &byte, 1) == 1 else { break }
            bytes.append(byte)
        }
        return bytes
    }

    private static func isReadable(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&file, 1, milliseconds) == 1 && file.revents & Int16(POLLIN) != 0
    }

    /// Returns whether the bytes contain a response to DA1, such as `ESC [ ? 6 4 ; 2 c`.
    static func isComplete(_ bytes: [UInt8]) -> Bool {
        guard bytes.last == UInt8(ascii: "c"), let start = bytes.lastIndex(of: 0x1B) else { return false }
        return bytes[start...].starts(with: Array("\u{1B}[?".utf8))
    }

    /// Returns the color in a response such as `ESC ] 11 ; rgb:1e1e/1717/1414 ESC \`, or `nil` if there is none. A channel
    /// has one to four hexadecimal digits (XParseColor).
    static func color(in bytes: [UInt8]) -> RGB? {
        let label = Array("]11;rgb".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: label) }) else { return nil }
        // "rgba" adds a channel for the opacity.
        let rest = String(decoding: bytes[(start + label.count)...], as: UTF8.self).drop { $0 == "a" }
        guard rest.first == ":" else { return nil }
        let channels = rest.dropFirst().prefix { $0.isHexDigit || $0 == "/" }.split(
            separator: "/", omittingEmptySubsequences: false)
        guard channels.count >= 3 else { return nil }
        let values = channels.prefix(3).compactMap { digits -> UInt32? in
            guard 1...4 ~= digits.count, let value = UInt32(digits, radix: 16) else { return nil }
            return value * 255 / (1 << (4 * UInt32(digits.count)) - 1)
        }
        return values.count == 3 ? RGB(values[0] << 16 | values[1] << 8 | values[2]) : nil
    }
}
