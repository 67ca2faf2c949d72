internal import ArgumentParser
internal import TransitControl

struct CommuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commute", abstract: "Manage your commutes.",
        subcommands: [
            CommuteListCommand.self, CommuteAddCommand.self, CommuteRenameCommand.self, CommuteRemoveCommand.self,
            CommuteUseCommand.self,
        ])
}

struct CommuteListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your commutes.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(CommuteListParameters(), .commuteList) } }
}

struct CommuteAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a commute.",
        discussion:
            "An endpoint is a place or a stop. A stop is a name that matches a single stop, a code, or a reference such as caltrain:70211."
    )

    @Argument(help: "The name.")
    var name: String
    @Argument(help: "The origin.", completion: .names(.location))
    var from: String
    @Argument(help: "The destination.", completion: .names(.location))
    var to: String
    @Flag(help: "Replace an existing commute with the same name.")
    var replace = false
    @Option(
        name: .customLong("window"),
        help: ArgumentHelp(
            "A time window of the commute, such as 07:00-09:00. Can be given more than once.", valueName: "time-time"))
    var windows: [String] = []
    @Option(help: "The days of the time windows, such as mon-fri, weekends, or mon,wed.", completion: .names(.weekdays))
    var days: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(
                CommuteAddParameters(
                    name: name, from: from, to: to, replace: replace, windows: windows,
                    days: days?.split(separator: ",").map(String.init) ?? []),
                .sentence { "Added \($0.commute?.words ?? name)." })
        }
    }
}

struct CommuteRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a commute.")

    @Argument(help: "The current name.")
    var commute: String
    @Argument(help: "The new name.")
    var name: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(
                CommuteRenameParameters(commute: commute, name: name),
                .sentence { "\(commute) is now \($0.commute?.name ?? name)." })
        }
    }
}

struct CommuteRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a commute.")

    @Argument(help: "The name.")
    var commute: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(
                CommuteRemoveParameters(commute: commute),
                .sentence { "Removed \($0.commute?.words ?? commute)." })
        }
    }
}

struct CommuteUseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Set the commute that next shows without a name.",
        discussion: "Without a name, the time of day again determines the commute.")

    @Argument(help: "The name.")
    var commute: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(
                CommuteUseParameters(commute: commute),
                .sentence { result in
                    result.commute.map { "Now in use: \($0.words)." } ?? "The time of day now determines the commute."
                })
        }
    }
}
