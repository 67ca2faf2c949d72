/// Accepts global options before the command: `transitctl --json next` is equivalent to `transitctl next --json`.
///
/// ArgumentParser accepts options only after the command that declares them.
enum CommandLineOrder {
    /// The commands that have subcommands.
    private static let groups: Set<String> = [
        "stops", "routes", "trip", "commute", "place", "favorite", "recent", "feed", "key", "config", "watch", "theme",
        "notify", "usual",
    ]

    /// Moves leading global options after the names of the command and its subcommand.
    static func commandFirst(_ arguments: [String]) -> [String] {
        var position = 0
        while position < arguments.count, let length = GlobalOption.length(of: arguments[position]) {
            position += length
        }
        guard position > 0, position < arguments.count, !arguments[position].hasPrefix("-") else { return arguments }
        var end = position + 1
        if groups.contains(arguments[position]), end < arguments.count, !arguments[end].hasPrefix("-") { end += 1 }
        return Array(arguments[position..<end] + arguments[..<position] + arguments[end...])
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
