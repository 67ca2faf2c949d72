internal import ArgumentParser

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Choose a city and set home and work.",
        discussion: """
            Adds a feed to the daemon's configuration and keeps existing settings. If standard input is not a terminal, \
            each prompt reads one line of it.
            """)

    @OptionGroup var global: GlobalOptions
    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("Use this server, a mirror, instead of the provider's own.", valueName: "url"))
    var base: String?

    func run() throws { try global.run { Setup($0, base: base).run() } }
}
