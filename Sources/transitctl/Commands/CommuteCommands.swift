internal import ArgumentParser
internal import TransitControl

struct CommuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commute", abstract: "Your commutes.",
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
            "Each end is a place, or a stop: a name that fits one stop, a code, or a reference such as caltrain:70211.")

    @Argument(help: "Its name.")
    var name: String
    @Argument(help: "Where it starts.")
    var from: String
    @Argument(help: "Where it ends.")
    var to: String
    @Flag(help: "Take the place of a commute with the same name.")
    var replace = false
    @Option(
        name: .customLong("window"),
        help: ArgumentHelp(
            "When you make it, such as 07:00-09:00. Can be given more than once.", valueName: "time-time"))
    var windows: [String] = []
    @Option(help: "The days of the windows, such as mon-fri, weekends, or mon,wed.")
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

    @Argument(help: "Its name now.")
    var commute: String
    @Argument(help: "Its new name.")
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

    @Argument(help: "Its name.")
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
        commandName: "use", abstract: "Choose the commute that next means without a name.",
        discussion: "Without a name the choice goes by the time of day again.")

    @Argument(help: "Its name.")
    var commute: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run {
            $0.show(
                CommuteUseParameters(commute: commute),
                .sentence { result in
                    result.commute.map { "In use: \($0.words)." } ?? "The commute goes by the time of day."
                })
        }
    }
}
