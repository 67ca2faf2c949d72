internal import ArgumentParser
internal import TransitControl

struct RecentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recent", abstract: "Show or clear your recent searches.",
        subcommands: [RecentListCommand.self, RecentClearCommand.self], defaultSubcommand: RecentListCommand.self)
}

struct RecentListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your recent searches, newest first.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            session.show(RecentListParameters(count: session.settings.count ?? 10), .recentList)
        }
    }
}

struct RecentClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Clear your recent searches.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(RecentClearParameters(), .recentClear) } }
}
