internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct FeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Manage feeds and their timetable versions.",
        subcommands: [
            FeedFindCommand.self,
            FeedListCommand.self, FeedUpdateCommand.self, FeedValidateCommand.self, FeedVersionsCommand.self,
            FeedRollbackCommand.self, FeedDiffCommand.self, FeedHistoryCommand.self, FeedAddCommand.self,
            FeedEditCommand.self, FeedRemoveCommand.self,
        ])
}

struct FeedFindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find public timetables by name or near a place.",
        discussion: """
            Searches the catalog of the Mobility Database. The first search downloads the catalog; your words are not \
            sent to it.
            """)

    @Argument(help: "Words of the name of a town, a region or an agency.")
    var text: [String] = []
    @Option(
        help: ArgumentHelp(
            "Show timetables near LAT,LON, one of your places, or an address if a geocoder is configured.",
            valueName: "place"))
    var near: String?
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            let position = near.flatMap { Coordinates.read($0) }
            var call = FeedFindParameters(
                text: text.isEmpty ? nil : text.name, near: position == nil ? near : nil, position: position,
                language: session.language, progress: true)
            if let count = session.settings.count { call.count = count }
            return session.find(call)
        }
    }

    func validate() throws {
        guard text.isEmpty != (near == nil) else {
            throw ValidationError("Give either words of a name or --near PLACE.")
        }
        if let near, Coordinates.isMeant(by: near), Coordinates.read(near) == nil {
            throw ValidationError("Coordinates have the format LAT,LON in degrees, such as 37.3942,-122.0764.")
        }
    }
}

extension Session {
    /// Searches the catalog, and shows the progress while it is downloaded.
    fileprivate func find(_ call: FeedFindParameters) -> ExitStatus {
        run { (client) throws(ClientError) in
            var meter = ProgressMeter(
                subject: "catalog", canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            let outcome = Result { () throws(ClientError) in
                try client.request(call, timeout: ControlClient.longTimeout) { progress in
                    if let text = meter.text(for: progress) { self.progress(text) }
                }
            }
            progress(meter.ending())
            return try show(try outcome.get(), of: call, .feedFind(in: units))
        }
    }
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
    @Option(
        help: ArgumentHelp("The version. The default is the current version.", valueName: "number"),
        completion: .names(.version))
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
    @Argument(help: "The version. The default is the version before the current one.", completion: .names(.version))
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
    @Argument(help: "The older version. The default is the version before the newer one.", completion: .names(.version))
    var from: Int?
    @Argument(help: "The newer version. The default is the current version.", completion: .names(.version))
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

struct FeedHistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show or remove what was learned about delays.",
        discussion: """
            For each feed: the departures whose usual delay is known, and how good it was in the last two weeks. Of ten \
            departures, eight should be in their usual range.
            """)

    @Argument(help: "The feed. The default is all feeds.")
    var feed: String?
    @Flag(help: "Remove what was learned, which takes weeks to learn again. Only the owner of the daemon can.")
    var clear = false
    @Flag(help: "With --clear, do not ask for confirmation.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if yes, !clear { throw ValidationError("--yes needs --clear.") }
    }

    func run() throws {
        let feed = feed.map { FeedID($0) }
        try global.run { session in
            clear
                ? session.clearHistory(of: feed, isConfirmed: yes)
                : session.show(FeedHistoryParameters(feed: feed), .feedHistory)
        }
    }
}

extension Session {
    /// Removes what was learned about delays, after a confirmation on a terminal.
    fileprivate func clearHistory(of feed: FeedID?, isConfirmed: Bool) -> ExitStatus {
        attempt { () throws(ClientError) in
            if !isConfirmed {
                let isConfirmed = try confirmRemoval(
                    "Remove what was learned about the delays of \(feed?.rawValue ?? "all feeds")?", by: "--clear")
                guard isConfirmed else { return .failure }
            }
            return show(FeedHistoryClearParameters(feed: feed), .feedHistoryClear)
        }
    }
}
