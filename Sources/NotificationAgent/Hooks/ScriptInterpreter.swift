internal import Glibc
internal import TransitClient

/// The program that runs a script, from the first line of the file (execve(2), "Interpreter scripts").
struct ScriptInterpreter: Hashable {
    /// The path after `#!`.
    var path: String
    /// The rest of the line, which the system passes as one argument; empty if there is none.
    var argument: String

    /// The number of bytes of a file in which the system looks for the line.
    private static let maximumLength = 256

    /// Reads the first line of a file. Returns `nil` if the file is not a script, or cannot be read: no interpreter could
    /// then read it either.
    init?(ofFile file: String) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: Self.maximumLength)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 2, buffer.starts(with: Array("#!".utf8)) else { return nil }
        self.init(line: buffer.prefix(count).dropFirst(2).prefix { $0 != 0x0A && $0 != 0 })
    }

    /// - Parameter line: The first line without `#!`.
    init(line: some Sequence<UInt8>) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let text = Array(line).drop(while: isSpace)
        path = String(decoding: text.prefix { !isSpace($0) }, as: UTF8.self)
        let rest = text.drop { !isSpace($0) }.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        argument = String(decoding: Array(rest), as: UTF8.self)
    }

    /// What `env` runs.
    struct Program: Hashable {
        var name: String
        /// The folders in which the program is searched, separated by colons, if the line sets PATH.
        var searchPath: String?
    }

    /// The program that is found with PATH, if the interpreter is env(1): `#!/usr/bin/env python3`, or with options
    /// `#!/usr/bin/env -S python3 -u`. `nil` for other interpreters, and if `env` would run nothing.
    var programOfEnv: Program? {
        guard path.split(separator: "/").last == "env" else { return nil }
        // Without -S, the whole argument is the name.
        guard argument.hasPrefix("-") else { return argument.isEmpty ? nil : Program(name: argument) }
        var words = argument.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)[...]
        var searchPath: String?
        while let word = words.popFirst() {
            if let separator = word.firstIndex(of: "="), !word.hasPrefix("-") {
                if word[..<separator] == "PATH" { searchPath = String(word[word.index(after: separator)...]) }
                continue
            }
            guard word.hasPrefix("-") else { return Program(name: word, searchPath: searchPath) }
            if word.hasPrefix("--split-string=") {
                words = [String(word.dropFirst("--split-string=".count))] + words
            } else if let end = word.firstIndex(of: "S"), !word.hasPrefix("--") {
                // What follows the S in the same word is the beginning of the command.
                let rest = word[word.index(after: end)...]
                if !rest.isEmpty { words = [String(rest)] + words }
            } else if ["-u", "-C", "-a"].contains(word) {
                _ = words.popFirst()
            }
        }
        return nil
    }
}
