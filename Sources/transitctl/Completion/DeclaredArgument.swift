/// An argument, option or flag of a command, as its declaration describes it.
struct DeclaredArgument: Equatable {
    enum Form: String { case flag, option, positional }

    /// The values that an argument accepts.
    enum Values: Equatable {
        case kind(ValueKind)
        case list([String])
        case files
        case folders
    }

    var form: Form
    /// The names as typed, such as "--count" and "-n"; empty for a positional argument.
    var names: [String]
    /// The name of a positional argument's value, such as "text"; empty for options and flags.
    var valueName = ""
    var isRepeating = false
    var help: String
    /// `nil` for a flag, and if the declaration does not say what the values are.
    var values: Values?

    /// The name with two dashes; the only name if there is none.
    var longName: String { names.first { $0.hasPrefix("--") } ?? names.first ?? "" }

    /// Returns what a command declares, in its order. Hidden options are not included.
    ///
    /// - Parameter command: The names of the command, such as "feed" and "list". Those of a group without a default command
    ///   return the options of all commands.
    static func all(of command: [String]) -> [DeclaredArgument] {
        let lines = RecordedArguments.text.utf8.split(separator: UInt8(ascii: "\n"))
        func arguments(of name: String) -> [Substring]? {
            guard let start = lines.firstIndex(where: { $0.elementsEqual(name.utf8) }) else { return nil }
            return lines[(start + 1)...].prefix { $0.first == UInt8(ascii: " ") }.map { Substring($0.dropFirst(2)) }
        }
        let common = arguments(of: RecordedArguments.program) ?? []
        let name = ([RecordedArguments.program] + command).joined(separator: " ")
        let own = (arguments(of: name) ?? common).flatMap { $0 == RecordedArguments.common ? common : [$0] }
        return own.compactMap { DeclaredArgument(recorded: $0) } + [help]
    }

    /// The option that ArgumentParser adds to each command.
    static let help = DeclaredArgument(form: .flag, names: ["-h", "--help"], help: "Show help information.")
}

// A line of ``RecordedArguments``, such as "-n --count|count|The maximum number of results.": the names, the values and the
// help. The name of a positional argument has no dash.
extension DeclaredArgument {
    /// Reads a line; `nil` if it is incomplete.
    private init?(recorded line: Substring) {
        let fields = line.utf8.split(separator: UInt8(ascii: "|"), maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard fields.count == 3 else { return nil }
        isRepeating = fields[0].hasSuffix("...")
        names = fields[0].dropLast(isRepeating ? 3 : 0).split(separator: " ").map(String.init)
        values = Values(recorded: fields[1])
        help = fields[2]
        form = values == nil ? .flag : .option
        if !fields[0].hasPrefix("-") { (form, valueName, names) = (.positional, names.joined(separator: " "), []) }
    }

    /// The line from which the argument is read.
    var recorded: String {
        let name = form == .positional ? valueName : names.joined(separator: " ")
        return "\(name)\(isRepeating ? "..." : "")|\(values?.recorded ?? "")|\(help)"
    }
}

extension DeclaredArgument.Values {
    /// Reads "stop" or "=csv,json"; `nil` for no text.
    fileprivate init?(recorded text: String) {
        switch text {
        case "files": self = .files
        case "folders": self = .folders
        case _ where text.hasPrefix("="): self = .list(text.dropFirst().split(separator: ",").map(String.init))
        default:
            guard let kind = ValueKind(rawValue: text) else { return nil }
            self = .kind(kind)
        }
    }

    fileprivate var recorded: String {
        switch self {
        case .kind(let kind): kind.rawValue
        case .list(let values): "=" + values.joined(separator: ",")
        case .files: "files"
        case .folders: "folders"
        }
    }
}
