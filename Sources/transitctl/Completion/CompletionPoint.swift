internal import ArgumentParser

/// A word that can be typed, with a description.
struct Candidate: Equatable {
    var value: String
    var description = ""
}

/// What can be typed at the end of an incomplete command line.
struct CompletionPoint {
    /// The commands that can follow.
    private(set) var commands: [Candidate] = []
    /// The options that can follow.
    private(set) var options: [Candidate] = []
    /// The values that the typed word can be; `nil` if it can be none.
    private(set) var values: DeclaredArgument.Values?
    /// The beginning of the typed word that is not part of the value, such as "--route=".
    private(set) var lead = ""
    /// The typed part of the value.
    private(set) var text: String
    /// The previous words that belong to the same name, such as "San" of "San Mateo".
    private(set) var joined: [String] = []
    /// The values of previous options, by the long name of the option.
    private(set) var given: [String: String] = [:]
    /// The values of previous arguments, in order.
    private(set) var earlier: [String] = []
    /// Whether a word that begins with a dash would be an option.
    private(set) var dashMeansOption = true

    /// - Parameters:
    ///   - words: The complete words after the name of the program.
    ///   - current: The word to complete, as far as it is typed.
    init(_ words: [String], _ current: String) {
        text = current
        let words = AbbreviatedCommand.expanded(
            CommandLineOrder.commandFirst(AbbreviatedCommand.expanded(words.map(NegativeCoordinate.escaped))))
        var rest = words[...]
        let isHelp = rest.first == "help"
        if isHelp { rest = rest.dropFirst() }
        var command: any ParsableCommand.Type = Transitctl.self
        var names: [String] = []
        while let name = rest.first,
            let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        {
            command = next
            names.append(name)
            rest = rest.dropFirst()
        }
        let subcommands = command.configuration.subcommands
        if isHelp {
            if rest.isEmpty { commands = Self.listed(subcommands) }
            return
        }
        if let standard = command.configuration.defaultSubcommand?.configuration.commandName { names.append(standard) }
        read(rest, DeclaredArgument.all(of: names), isRoot: command == Transitctl.self, subcommands)
    }

    private static func listed(_ commands: [any ParsableCommand.Type]) -> [Candidate] {
        commands.map { $0.configuration }.filter(\.shouldDisplay).map {
            Candidate(value: $0.commandName ?? "", description: $0.abstract)
        }
    }

    /// Reads the words after the names of the command.
    private mutating func read(
        _ words: ArraySlice<String>, _ arguments: [DeclaredArgument], isRoot: Bool,
        _ subcommands: [any ParsableCommand.Type]
    ) {
        var positionals = arguments.filter { $0.form == .positional }[...]
        var used: Set<String> = []
        var pending: DeclaredArgument?
        var hasWords = false
        for word in words {
            if let option = pending {
                given[option.longName] = word
                pending = nil
            } else if dashMeansOption, word == "--" {
                dashMeansOption = false
            } else if dashMeansOption, word.hasPrefix("-"), word != "-" {
                let (name, value) = Self.parts(word)
                guard let option = arguments.first(where: { $0.names.contains(name) }) else { continue }
                if !option.isRepeating { used.formUnion(option.names) }
                guard option.form == .option else { continue }
                if let value { given[option.longName] = value } else { pending = option }
            } else {
                hasWords = true
                guard let argument = positionals.first else { continue }
                if argument.isRepeating {
                    joined.append(word)
                } else {
                    earlier.append(word)
                    positionals = positionals.dropFirst()
                }
            }
        }
        if let pending {
            joined = []
            values = pending.values
            return
        }
        let (name, value) = Self.parts(text)
        if dashMeansOption, let value {
            let option = arguments.first { $0.form == .option && $0.names.contains(name) }
            (values, lead, text, joined, dashMeansOption) = (option?.values, name + "=", value, [], false)
            return
        }
        let offered = arguments.filter { $0.form != .positional && used.isDisjoint(with: $0.names) }.flatMap { option in
            option.names.map { Candidate(value: $0, description: option.help) }
        }
        let version = Candidate(value: "--version", description: "Show the version.")
        let all = offered + (isRoot && !Transitctl.configuration.version.isEmpty ? [version] : [])
        if dashMeansOption, text.hasPrefix("-") {
            options = text == "-" ? all : all.filter { $0.value.hasPrefix("--") || text == "-\($0.value)" }
            return
        }
        if !hasWords { commands = Self.listed(subcommands) }
        if isRoot, !hasWords { commands.append(Candidate(value: "help", description: "Show the help of a command.")) }
        values = positionals.first?.values
        // Words that are not a list of names are not joined, and may differ from each other.
        if let values, case .kind(let kind) = values, kind.joinsWords { return }
        earlier += joined
        joined = []
        if values == nil, commands.isEmpty { options = all.filter { $0.value.hasPrefix("--") } }
    }

    /// Splits "--route=24" into the name and the value of an option.
    private static func parts(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let mark = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<mark]), String(word[word.index(after: mark)...]))
    }
}
