internal import ArgumentParser
internal import TransitControl

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check or reload the daemon's configuration.",
        subcommands: [ConfigCheckCommand.self, ConfigReloadCommand.self])
}

struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration and report its problems.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(ConfigCheckParameters(), .configCheck, status: { $0.isValid ? .success : .configuration })
        }
    }
}

struct ConfigReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the configuration. If it has errors, the current one stays in effect.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(ConfigReloadParameters(), .configReload) } }
}
