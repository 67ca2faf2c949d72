internal import Glibc
internal import TransitClient

/// Reads an API key without displaying it. Keys are never passed as command-line arguments, because other users can see
/// those.
enum HiddenKeyPrompt {
    /// A failure to read a key.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case empty
        case tooLong
        case interrupted
        case unreadable(Int32)

        var description: String {
            switch self {
            case .empty: "No key was given."
            case .tooLong: "The key is too long; the limit is \(HiddenKeyPrompt.maximumLength) bytes."
            case .interrupted: "Interrupted; nothing was changed."
            case .unreadable(let number): "The key could not be read: \(String(cString: strerror(number)))."
            }
        }

        var exitStatus: ExitStatus {
            switch self {
            case .empty, .tooLong: .usage
            case .interrupted: .interrupted
            case .unreadable: .failure
            }
        }
    }

    /// The maximum length of a key in bytes.
    private static let maximumLength = 4096

    /// Prompts on a terminal without echo. Without a terminal, reads standard input to its end.
    static func read(_ prompt: String) throws(Failure) -> String {
        isatty(STDIN_FILENO) == 1 ? try readFromTerminal(prompt) : try trimmed(try readAll())
    }

    // MARK: From a terminal

    private static func readFromTerminal(_ prompt: String) throws(Failure) -> String {
        write(prompt)
        return try RawKeyboard.use(orElse: Failure.unreadable) { () throws(Failure) -> String in
            defer { write("\n") }
            return try trimmed(try readTypedLine())
        }
    }

    private static func readTypedLine() throws(Failure) -> [UInt8] {
        var typing = Typing()
        while true {
            var byte: UInt8 = 0
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0 { throw .unreadable(errno) }
            guard count == 1 else { return typing.bytes }
            switch typing.handle(byte) {
            case .unfinished: continue
            case .interrupted: throw .interrupted
            case .ended: return typing.bytes
            }
        }
    }

    /// A line editor that handles the editing keys that a terminal handles in canonical mode.
    struct Typing: Equatable {
        enum Step: Equatable { case unfinished, ended, interrupted }

        private(set) var bytes: [UInt8] = []

        mutating func handle(_ byte: UInt8) -> Step {
            switch byte {
            case 0x03, 0x1C: return .interrupted  // Ctrl-C, Ctrl-\
            case 0x04, 0x0A, 0x0D: return .ended  // Ctrl-D, line feed, carriage return
            case 0x08, 0x7F: bytes = Array(bytes.dropLast())
            case 0x15: bytes = []  // Ctrl-U
            default: if bytes.count <= HiddenKeyPrompt.maximumLength { bytes.append(byte) }
            }
            return .unfinished
        }
    }

    private static func write(_ text: String) { _ = StandardStream.error.write(Array(text.utf8)) }

    // MARK: From a pipe or file

    private static func readAll() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while bytes.count <= maximumLength {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(errno)
            }
            bytes += buffer.prefix(count)
        }
        throw .tooLong
    }

    /// Returns the key without surrounding white space.
    static func trimmed(_ bytes: [UInt8]) throws(Failure) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let key = Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        if key.isEmpty { throw .empty }
        if key.count > maximumLength { throw .tooLong }
        return String(decoding: key, as: UTF8.self)
    }
}
