internal import Glibc

/// Reads what nobody may see on the screen: never from the command line, which others on the machine can read.
enum KeyEntry {
    /// Why there is no key.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case empty
        case tooLong
        case interrupted
        case unreadable(Int32)

        var description: String {
            switch self {
            case .empty: "No key was given."
            case .tooLong: "That is too long for a key."
            case .interrupted: "Nothing was changed."
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

    /// The longest key in bytes.
    private static let largest = 4096

    /// Asks on a terminal without showing what is typed; otherwise reads the standard input to its end.
    static func read(_ question: String) throws(Failure) -> String {
        isatty(STDIN_FILENO) == 1 ? try ask(question) : try trimmed(try readAll())
    }

    // MARK: From a terminal

    private static func ask(_ question: String) throws(Failure) -> String {
        write(question)
        return try RawKeyboard.use(orElse: Failure.unreadable) { () throws(Failure) -> String in
            defer { write("\n") }
            return try trimmed(try typed())
        }
    }

    private static func typed() throws(Failure) -> [UInt8] {
        var typing = Typing()
        while true {
            var byte: UInt8 = 0
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0 { throw .unreadable(errno) }
            guard count == 1 else { return typing.bytes }
            switch typing.take(byte) {
            case .unfinished: continue
            case .interrupted: throw .interrupted
            case .ended: return typing.bytes
            }
        }
    }

    /// A line as it is typed, with the keys that a terminal takes care of otherwise.
    struct Typing: Equatable {
        enum Step: Equatable { case unfinished, ended, interrupted }

        private(set) var bytes: [UInt8] = []

        mutating func take(_ byte: UInt8) -> Step {
            switch byte {
            case 0x03, 0x1C: return .interrupted  // Ctrl-C, Ctrl-\
            case 0x04, 0x0A, 0x0D: return .ended  // Ctrl-D, and either end of a line
            case 0x08, 0x7F: bytes = Array(bytes.dropLast())
            case 0x15: bytes = []  // Ctrl-U
            default: if bytes.count <= KeyEntry.largest { bytes.append(byte) }
            }
            return .unfinished
        }
    }

    private static func write(_ text: String) { _ = StandardStream.error.write(Array(text.utf8)) }

    // MARK: From elsewhere

    private static func readAll() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while bytes.count <= largest {
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

    /// Without the blanks and line ends around it.
    static func trimmed(_ bytes: [UInt8]) throws(Failure) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let key = Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        if key.isEmpty { throw .empty }
        if key.count > largest { throw .tooLong }
        return String(decoding: key, as: UTF8.self)
    }
}
