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
    ///
    /// - Parameter typeAhead: The bytes that an earlier prompt has read from the terminal and not used.
    static func read(_ prompt: String, _ typeAhead: TypeAhead = TypeAhead()) throws(Failure) -> String {
        isatty(STDIN_FILENO) == 1 ? try readFromTerminal(prompt, typeAhead) : try trimmed(try readAll())
    }

    // MARK: From a terminal

    private static func readFromTerminal(_ prompt: String, _ typeAhead: TypeAhead) throws(Failure) -> String {
        write(prompt)
        return try RawKeyboard.use(discardsInput: false, orElse: Failure.unreadable) { () throws(Failure) -> String in
            defer { write("\n") }
            return try trimmed(Array(try readTypedLine(typeAhead).utf8))
        }
    }

    /// Reads a line byte by byte, since the following lines belong to the next prompts.
    private static func readTypedLine(_ typeAhead: TypeAhead) throws(Failure) -> String {
        // One character more than the limit, so that a longer key is found to be too long.
        var line = LineEditor(maximumLength: maximumLength + 1)
        while true {
            let byte: UInt8
            if let next = typeAhead.next() {
                byte = next
            } else {
                var typed: UInt8 = 0
                let count = Glibc.read(STDIN_FILENO, &typed, 1)
                if count < 0 { throw .unreadable(errno) }
                guard count == 1 else { return line.text }
                byte = typed
            }
            switch line.handle(byte) {
            case .unfinished: continue
            case .interrupted: throw .interrupted
            case .ended: return line.text
            }
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
