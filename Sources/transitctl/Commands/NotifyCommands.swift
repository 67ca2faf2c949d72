internal import ArgumentParser
internal import TransitClient
internal import TransitControl

struct NotifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Manage your notifications.",
        discussion: """
            transitd decides what to notify you of; transitd-notify, a service of your session, shows it. transitctl(1) \
            describes the rules.
            """,
        subcommands: [
            NotifyListCommand.self, NotifyOnCommand.self, NotifyOffCommand.self, NotifySetCommand.self,
            NotifyResetCommand.self, NotifyMuteCommand.self, NotifyUnmuteCommand.self, NotifyTestCommand.self,
            NotifyActCommand.self, NotifyDaysOffCommand.self, NotifyRehearseCommand.self,
        ], defaultSubcommand: NotifyListCommand.self)
}

struct NotifyListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show whether notifications are on, what is watched, and by which rules.")

    @Flag(help: "List every setting with its value, unit, default and origin.")
    var all = false
    @Flag(help: "List the notifications that were decided, newest first, with the result of each.")
    var log = false
    @Flag(help: "List the notifications that were not shown, newest first, with the reasons.")
    var suppressed = false
    @OptionGroup var global: ListOptions

    func run() throws {
        try global.run(.count) { session in
            let call = NotifyListParameters(log: log, suppressed: suppressed, count: session.settings.count ?? 20)
            return session.show(call, log || suppressed ? .notifyLog : all ? .notifySettings : .notifyList)
        }
    }
}

struct NotifyOnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "on", abstract: "Turn your notifications on.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyEnableParameters(isOn: true), .notifyEnable) } }
}

struct NotifyOffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "off", abstract: "Turn your notifications off.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyEnableParameters(isOn: false), .notifyEnable) } }
}

struct NotifySetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a setting of a rule or the units, or turn a rule on or off.")

    @Argument(
        help: "The setting, such as delay.first or units, or a rule, such as delay.", completion: .names(.setting))
    var key: String
    @Argument(help: "The value, such as 5; on or off for a rule.", completion: .names(.settingValue))
    var value: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifySetParameters(key: key, value: value), .notifySet) } }
}

struct NotifyResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Reset a setting to its default.")

    @Argument(help: "The setting, such as delay.first, or a rule, such as delay.", completion: .names(.setting))
    var key: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifySetParameters(key: key), .notifySet) } }
}

struct NotifyMuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mute your notifications for a while.",
        discussion: "Examples: notify mute 2h, notify mute today, notify mute delay, notify mute delay 30m")

    @Argument(
        help: "A duration such as 30m or 2h, today, or a rule. A rule can be followed by a duration.",
        completion: .names(.mute))
    var what: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let parameters = MuteArguments(what)
        try global.run {
            $0.show(NotifyMuteParameters(rule: parameters?.rule, duration: parameters?.seconds), .notifyMute)
        }
    }

    func validate() throws {
        guard MuteArguments(what) != nil else {
            throw ValidationError("Give a duration such as 30m or 2h, today, or a rule.")
        }
    }
}

struct NotifyUnmuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unmute", abstract: "End muting.")

    @Argument(help: "The rule; all rules if omitted.")
    var rule: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(NotifyMuteParameters(rule: rule, duration: 0), .notifyMute) }
    }
}

struct NotifyTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test notification.")

    @Argument(help: "The rule whose hooks to test.")
    var rule = "leave"
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyTestParameters(rule: rule), .notifyTest) } }
}

struct NotifyActCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "Press a button of a notification.")

    @Argument(
        help: "The number of a row of notify list --log, or the id or key of the notification.",
        completion: .names(.notification))
    var id: String
    @Argument(help: "taken, next or mute-today.", completion: .list(["taken", "next", "mute-today"]))
    var action: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in
            session.show(NotifyActParameters(id: try session.notification(id), action: action), .notifyAct)
        }
    }
}

struct NotifyRehearseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse", abstract: "Show which notifications other settings would have sent on past days.",
        discussion: "Example: notify rehearse --days 30 --set delay.first=5")

    @Option(help: ArgumentHelp("The number of past days, at most 60.", valueName: "days"), completion: .names(.count))
    var days = 30
    @Option(
        help: ArgumentHelp("A setting to try. Can be given more than once.", valueName: "key=value"),
        completion: .names(.settingAssignment))
    var set: [String] = []
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyRehearseParameters(days: days, set: set), .notifyRehearse) } }

    func validate() throws {
        guard (1...60).contains(days) else { throw ValidationError("--days must be 1 to 60.") }
    }
}

/// The arguments of `notify mute`.
struct MuteArguments: Equatable {
    /// `nil` for all rules.
    var rule: String?
    /// `nil` until the end of the day.
    var seconds: Int?

    /// Returns `nil` if the arguments are neither a duration nor a rule.
    init?(_ words: [String]) {
        var words = words[...]
        if let last = words.last, last == "today" || DurationArgument.seconds(last) != nil {
            seconds = DurationArgument.seconds(last)
            words.removeLast()
            if words.isEmpty { return }
        }
        guard words.count == 1, let word = words.first, word.first?.isLetter ?? false else { return nil }
        rule = word
    }
}
