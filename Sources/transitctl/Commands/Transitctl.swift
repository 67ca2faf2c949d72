internal import ArgumentParser
internal import TransitControl
internal import TransitWire

/// The root command.
struct Transitctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transitctl", abstract: "Query and control the transit daemon transitd.",
        version: "transitctl \(ReleaseVersion.text)",
        subcommands: [
            SetupCommand.self, NextCommand.self, JourneyCommand.self, LastCommand.self, DeparturesCommand.self,
            WatchCommand.self,
            VehiclesCommand.self, AlertsCommand.self, WeatherCommand.self, EventsCommand.self,
            ExplainCommand.self, StopsCommand.self, RoutesCommand.self, TripCommand.self, CommuteCommand.self,
            PlaceCommand.self, AddressCommand.self, FavoriteCommand.self, RecentCommand.self, FeedCommand.self,
            TakenCommand.self, UsualCommand.self, InsightsCommand.self, NotifyCommand.self,
            KeyCommand.self,
            RefreshCommand.self,
            BudgetCommand.self,
            StatusCommand.self, ThemeCommand.self,
            DoctorCommand.self, ConfigCommand.self, DescribeCommand.self, RawCommand.self, MCPCommand.self,
        ])
}

/// Accepts the beginning of a command's name, such as `dep` for `departures`.
enum AbbreviatedCommand {
    private static let deleting: Set = ["remove", "clear", "reset", "forget", "rollback", "unpin"]

    /// Replaces the words that are the beginning of a single command's name.
    ///
    /// Commands that delete data are not abbreviated. Commands with a default subcommand, except `watch`, take any word as its argument: `favorite li` shows the favorite
    /// "li".
    static func expanded(_ arguments: [String]) -> [String] {
        var arguments = arguments
        var command: any ParsableCommand.Type = Transitctl.self
        for position in arguments.indices {
            let word = arguments[position]
            let isHelp = position == 0 && word == "help"
            if isHelp { continue }
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-"), !word.isEmpty else { break }
            var next = commands.first { $0.configuration.commandName == word }
            if next == nil, command.configuration.defaultSubcommand == nil || command == WatchCommand.self {
                let candidates = commands.filter { candidate in
                    candidate.configuration.commandName.map { $0.hasPrefix(word) && !deleting.contains($0) } ?? false
                }
                next = candidates.count == 1 ? candidates[0] : nil
            }
            guard let next, let name = next.configuration.commandName else { break }
            arguments[position] = name
            command = next
        }
        return arguments
    }
}

/// Detects misspelled commands. ArgumentParser would report an unexpected argument or show another command's help.
enum MisspelledCommand {
    /// Returns the error message, or `nil` if the words name a command or an option comes first.
    static func message(for arguments: [String]) -> String? {
        let isHelp = arguments.first == "help"
        var words = arguments.dropFirst(isHelp ? 1 : 0).prefix { !$0.hasPrefix("-") }[...]
        var command: any ParsableCommand.Type = Transitctl.self
        var path = ""
        while let word = words.popFirst() {
            let commands = command.configuration.subcommands
            // Arguments of a command, or of its default subcommand, are not commands.
            if commands.isEmpty { return nil }
            if let next = commands.first(where: { $0.configuration.commandName == word }) {
                command = next
                path += "\(word) "
                continue
            }
            if !isHelp, command.configuration.defaultSubcommand != nil { return nil }
            let names = commands.compactMap { $0.configuration.commandName } + (path.isEmpty ? ["help"] : [])
            if !isHelp, names.contains(word) { return nil }
            let longer = names.filter { $0.hasPrefix(word) }
            let hint =
                longer.count > 1
                ? "It may be one of \(longer.map { path + $0 }.joined(separator: ", "))."
                : Spelling.closest(to: word, among: names).map { "Did you mean \"\(path)\($0)\"?" }
            return "there is no command \"\(path)\(word)\"\n"
                + (hint ?? "For a list of commands, run: transitctl \(path)--help")
        }
        return nil
    }
}

/// Detects an option of an earlier release. ArgumentParser would only report an unknown option.
enum FormerOption {
    /// The error message, which names the current option; `nil` if the command line has no former option.
    static func message(for arguments: [String]) -> String? {
        if arguments.first?.hasPrefix("--generate-completion-script") == true {
            return "there is no option --generate-completion-script\n"
                + "make install installs the scripts, which contrib/completions contains."
        }
        guard arguments.starts(with: ["routes", "search"]) || arguments.starts(with: ["help", "routes", "search"]),
            arguments.prefix(while: { $0 != "--" }).contains("--next-chars")
        else {
            return nil
        }
        return "there is no option --next-chars\n--next-chars is now --next-characters."
    }
}
