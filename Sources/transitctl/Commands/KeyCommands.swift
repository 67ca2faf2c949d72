internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manage the feeds' API keys.",
        subcommands: [KeySetCommand.self, KeyCheckCommand.self, KeyRemoveCommand.self])
}

struct KeySetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a feed's API key.",
        discussion: """
            Prompts for the key without displaying it, or reads it from standard input if that is not a terminal. The \
            daemon validates the key with the source before it stores it.
            """)

    @Argument(help: "The feed.")
    var feed: String
    @Flag(help: "Store the key even if the source cannot be reached.")
    var unverified = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            do throws(HiddenKeyPrompt.Failure) {
                let key = try HiddenKeyPrompt.read("API key for \(feed) (not displayed): ")
                return session.show(
                    KeySetParameters(feed: FeedID(feed), key: key, unverified: unverified), .keyResult)
            } catch {
                session.printNotice(Line("\(error)", .bad))
                return error.exitStatus
            }
        }
    }
}

struct KeyCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Validate a feed's API key with its source.")

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
        commandName: "remove", abstract: "Remove a feed's API key from the daemon.")

    @Argument(help: "The feed.")
    var feed: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(KeyRemoveParameters(feed: FeedID(feed)), .keyResult) } }
}
