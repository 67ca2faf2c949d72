internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct FeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Manage feeds and their timetable versions.",
        subcommands: [
            FeedListCommand.self, FeedUpdateCommand.self, FeedValidateCommand.self, FeedVersionsCommand.self,
            FeedRollbackCommand.self, FeedDiffCommand.self, FeedAddCommand.self, FeedEditCommand.self,
            FeedRemoveCommand.self,
        ])
}

struct FeedListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the feeds and their status.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(FeedListParameters(), .feedList) } }
}

struct FeedUpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Check a feed's source for a new version and import it.")

    @Argument(help: "The feed.")
    var feed: String
    @Flag(help: "Import the feed even if it has not changed.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.update(FeedUpdateParameters(feed: FeedID(feed), force: force, progress: true)) }
    }
}

struct FeedValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Show the validation report of a timetable version.")

    @Argument(help: "The feed.")
    var feed: String
    @Option(help: ArgumentHelp("The version. The default is the current version.", valueName: "number"))
    var version: Int?
    @Flag(help: "Show the last import attempt, even if it was refused.")
    var attempt = false
    @Flag(help: "Show the findings in the realtime data, according to the rules of the GTFS-Realtime validator.")
    var realtime = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(
                FeedValidateParameters(feed: FeedID(feed), version: version, attempt: attempt, realtime: realtime),
                realtime ? .realtimeReport : .feedValidate)
        }
    }
}

struct FeedVersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "versions", abstract: "List the stored versions.")

    @Argument(help: "The feed.")
    var feed: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(FeedVersionsParameters(feed: FeedID(feed)), .feedVersions) } }
}

struct FeedRollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Make an earlier version current again.")

    @Argument(help: "The feed.")
    var feed: String
    @Argument(help: "The version. The default is the version before the current one.")
    var version: Int?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FeedRollbackParameters(feed: FeedID(feed), version: version), .feedRollback) }
    }
}

struct FeedDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show which stops, routes and trips of your commutes changed between two versions.")

    @Argument(help: "The feed.")
    var feed: String
    @Argument(help: "The older version. The default is the version before the newer one.")
    var from: Int?
    @Argument(help: "The newer version. The default is the current version.")
    var to: Int?
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            var call = FeedDiffParameters(feed: FeedID(feed), from: from, to: to)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .feedDiff)
        }
    }
}
