internal import ArgumentParser

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Choose a city, and say where home and work are.",
        discussion: """
            Adds a feed to the daemon's configuration and leaves what stands there. Where the standard input is no \
            terminal, each question takes a line of it.
            """)

    @OptionGroup var global: GlobalOptions
    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("Ask this server in place of the provider's own: a mirror of it.", valueName: "url"))
    var base: String?

    func run() throws { try global.run { Setup($0, base: base).run() } }
}
