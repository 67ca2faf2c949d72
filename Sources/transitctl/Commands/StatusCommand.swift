internal import ArgumentParser
internal import TransitControl

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "How the daemon and each feed stand.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(StatusParameters(), .status) } }
}
