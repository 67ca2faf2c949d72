internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct FeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "The feeds and their timetable versions.",
        subcommands: [
            FeedListCommand.self, FeedUpdateCommand.self, FeedValidateCommand.self, FeedVersionsCommand.self,
            FeedRollbackCommand.self, FeedDiffCommand.self,
        ])
}

struct FeedListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "How the feeds stand.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(FeedListParameters(), .feedList) } }
}

struct FeedUpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Ask a feed's source for a new version and wait for the outcome.")

    @Argument(help: "The feed.")
    var feed: String
    @Flag(help: "Import also when nothing has changed.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.update(FeedUpdateParameters(feed: FeedID(feed), force: force, progress: true)) }
    }
}

struct FeedValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "What was found in the live version, or why the last one was refused.")

    @Argument(help: "The feed.")
    var feed: String
    @Option(help: ArgumentHelp("Another version than the live one.", valueName: "number"))
    var version: Int?
    @Flag(help: "The last attempt to update, also when it was refused.")
    var attempt = false
    @Flag(help: "What was found in the live data, by the rules of the GTFS-Realtime validator.")
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
    static let configuration = CommandConfiguration(commandName: "versions", abstract: "The versions that are kept.")

    @Argument(help: "The feed.")
    var feed: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(FeedVersionsParameters(feed: FeedID(feed)), .feedVersions) } }
}

struct FeedRollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Make an earlier version live again.")

    @Argument(help: "The feed.")
    var feed: String
    @Argument(help: "The version's number; the one before the live one when left out.")
    var version: Int?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(FeedRollbackParameters(feed: FeedID(feed), version: version), .feedRollback) }
    }
}

struct FeedDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Which stops, routes and trips of your commutes changed between two versions.")

    @Argument(help: "The feed.")
    var feed: String
    @Argument(help: "The older version; the one before the newer when left out.")
    var from: Int?
    @Argument(help: "The newer version; the live one when left out.")
    var to: Int?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run(.count) { session in
            var call = FeedDiffParameters(feed: FeedID(feed), from: from, to: to)
            if let count = session.settings.count { call.count = count }
            return session.show(call, .feedDiff)
        }
    }
}
