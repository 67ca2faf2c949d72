internal import ArgumentParser

/// Accepts global options before and between the names of a command: `transitctl --json notify days-off list` is equivalent
/// to `transitctl notify days-off list --json`.
///
/// ArgumentParser accepts options only after the command that declares them.
enum CommandLineOrder {
    /// Moves the global options that precede a name of the command after its last name.
    static func commandFirst(_ arguments: [String]) -> [String] {
        guard arguments.contains(where: { GlobalOption.length(of: $0) != nil }) else { return arguments }
        var (names, options): ([String], [String]) = ([], [])
        var command: any ParsableCommand.Type = Transitctl.self
        var rest = arguments[...]
        while let argument = rest.first, !command.configuration.subcommands.isEmpty {
            if let length = GlobalOption.length(of: argument), length <= rest.count {
                options += rest.prefix(length)
                rest = rest.dropFirst(length)
                continue
            }
            guard !argument.hasPrefix("-") else { break }
            names.append(argument)
            rest = rest.dropFirst()
            if names == ["help"] { continue }
            // A word that is not a command is misspelled, or an argument of the default command.
            guard
                let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == argument })
            else { break }
            command = next
        }
        return names.isEmpty ? arguments : names + options + rest
    }
}

/// Protects coordinates with a leading minus sign, which ArgumentParser would treat as options.
enum NegativeCoordinate {
    /// Replaces the minus sign of "-33.86,151.21" and of "-33.86" with U+2212, which ``Coordinates`` also reads.
    static func escaped(_ argument: String) -> String {
        guard argument.hasPrefix("-"), argument.contains(where: { ",. ;".contains($0) }),
            argument.dropFirst().first?.isNumber == true
        else {
            return argument
        }
        return "\u{2212}" + argument.dropFirst()
    }
}

/// Accepts `-n5` and `-n=5` for `-n 5`.
enum AttachedCount {
    /// Splits a number that is attached to `-n` into its own argument. Arguments after `--` do not change.
    static func separated(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].flatMap { argument -> [String] in
            guard argument.hasPrefix("-n") else { return [argument] }
            let number = argument.dropFirst(argument.hasPrefix("-n=") ? 3 : 2)
            return !number.isEmpty && number.allSatisfy(\.isNumber) ? ["-n", String(number)] : [argument]
        } + arguments[end...]
    }
}

/// Recognizes global options on the command line.
enum GlobalOption {
    /// Returns the number of arguments that the option uses, including itself, or `nil` if it is not a global option.
    static func length(of argument: String) -> Int? {
        switch argument {
        case "--json", "--plain", "--no-color", "-q", "--quiet": 1
        case "--socket", "--theme", "--at", "-n", "--count": 2
        case _ where argument.hasPrefix("--socket=") || argument.hasPrefix("--at="): 1
        case _ where argument.hasPrefix("--theme="): 1
        case _ where argument.hasPrefix("-n=") || argument.hasPrefix("--count="): 1
        default: nil
        }
    }
}
