internal import ArgumentParser
internal import TransitControl

/// The whole command line.
struct Transitctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transitctl", abstract: "Ask transitd when the next one leaves.",
        version: "transitctl \(ReleaseVersion.text)",
        subcommands: [
            SetupCommand.self, NextCommand.self, DeparturesCommand.self, WatchCommand.self, VehiclesCommand.self,
            AlertsCommand.self,
            ExplainCommand.self, StopsCommand.self, RoutesCommand.self, TripCommand.self, CommuteCommand.self,
            PlaceCommand.self, AddressCommand.self, FavoriteCommand.self, RecentCommand.self, FeedCommand.self,
            KeyCommand.self,
            RefreshCommand.self,
            BudgetCommand.self,
            StatusCommand.self,
            DoctorCommand.self, ConfigCommand.self, DescribeCommand.self, RawCommand.self,
        ])
}

/// A misspelt command, for which ArgumentParser would only say that it was unexpected.
enum MisspeltCommand {
    /// What to tell; `nil` when the first argument is a command or an option.
    static func message(for arguments: [String]) -> String? {
        guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
        let names = Transitctl.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !names.contains(word) else { return nil }
        let hint = Spelling.closest(to: word, among: names).map { "Did you mean \"\($0)\"?" }
        return "there is no command \"\(word)\"\n" + (hint ?? "transitctl --help lists them.")
    }
}
