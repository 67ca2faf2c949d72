internal import ArgumentParser
internal import TransitControl

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "The daemon's configuration.",
        subcommands: [ConfigCheckCommand.self, ConfigReloadCommand.self])
}

struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration and say what is wrong with it.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(ConfigCheckParameters(), .configCheck, status: { $0.isValid ? .success : .configuration })
        }
    }
}

struct ConfigReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Apply the configuration; the old one stays when it is wrong.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(ConfigReloadParameters(), .configReload) } }
}
