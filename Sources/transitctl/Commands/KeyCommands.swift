internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "The keys that the feeds' sources ask for.",
        subcommands: [KeySetCommand.self, KeyCheckCommand.self, KeyRemoveCommand.self])
}

struct KeySetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Give the daemon a feed's key.",
        discussion: """
            The key is asked for without being shown, or read from the standard input where that is no terminal. The \
            source is asked whether it takes the key before it is kept.
            """)

    @Argument(help: "The feed.")
    var feed: String
    @Flag(help: "Keep it also when the source cannot be asked now.")
    var unverified = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            do throws(KeyEntry.Failure) {
                let key = try KeyEntry.read("Key of \(feed) (it is not shown): ")
                return session.show(
                    KeySetParameters(feed: FeedID(feed), key: key, unverified: unverified), .keyResult)
            } catch {
                session.note(Line("\(error)", .bad))
                return error.exitStatus
            }
        }
    }
}

struct KeyCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Ask a feed's source whether it takes the key.")

    @Argument(help: "The feed.")
    var feed: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            session.show(
                KeyCheckParameters(feed: FeedID(feed)), .keyResult,
                status: { $0.state == .accepted ? .success : $0.state == .unverified ? .tryAgain : .failure })
        }
    }
}

struct KeyRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Let the daemon forget a feed's key.")

    @Argument(help: "The feed.")
    var feed: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(KeyRemoveParameters(feed: FeedID(feed)), .keyResult) } }
}
