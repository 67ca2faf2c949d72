internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of the daemon, the feeds and their datasets.")

    @Argument(help: "Show this feed only.")
    var feed: String?
    @Flag(help: "Also show the most recent updates of each dataset.")
    var updates = false
    @Flag(help: "Update the status until Ctrl-C.")
    var follow = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            guard !follow else { return session.watchStatus(feed) }
            return session.show(StatusParameters(feed: feed.map { FeedID($0) }, updates: updates), .status)
        }
    }
}
