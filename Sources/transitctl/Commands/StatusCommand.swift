internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "How the daemon, each feed and each of its datasets stand.")

    @Argument(help: "Only this feed.")
    var feed: String?
    @Flag(help: "Show also the last updates of each dataset.")
    var updates = false
    @Flag(help: "Keep it up to date until Ctrl-C.")
    var follow = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            guard !follow else { return session.watchStatus(feed) }
            return session.show(StatusParameters(feed: feed.map { FeedID($0) }, updates: updates), .status)
        }
    }
}
