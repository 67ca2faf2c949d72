internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct NotifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Manage your notifications.",
        discussion: """
            transitd decides the notifications; transitd-notify, a unit of your session, shows them. transitctl(1) \
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
    @Flag(help: "List the notifications that were decided, newest first, with what became of them.")
    var log = false
    @Flag(help: "List the notifications that were not told, newest first, with the reasons.")
    var suppressed = false
    @OptionGroup var global: GlobalOptions

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
        commandName: "set", abstract: "Set a setting of a rule, or turn a rule on or off.")

    @Argument(help: "The setting, such as delay.first, or a rule, such as delay.")
    var key: String
    @Argument(help: "The value, such as 5; on or off for a rule.")
    var value: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifySetParameters(key: key, value: value), .notifySet) } }
}

struct NotifyResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Use the default of a setting again.")

    @Argument(help: "The setting, such as delay.first, or a rule, such as delay.")
    var key: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifySetParameters(key: key), .notifySet) } }
}

struct NotifyMuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Tell nothing for some time.",
        discussion: "Examples: notify mute 2h, notify mute today, notify mute delay, notify mute delay 30m")

    @Argument(help: "A duration such as 30m or 2h, today, or a rule. A rule can be followed by a duration.")
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

    @Argument(help: "The rule. The default is all.")
    var rule: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { $0.show(NotifyMuteParameters(rule: rule, duration: 0), .notifyMute) }
    }
}

struct NotifyTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Make a test notification, to see how it is shown.")

    @Argument(help: "The rule whose hooks to test.")
    var rule = "leave"
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyTestParameters(rule: rule), .notifyTest) } }
}

struct NotifyActCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "Perform an action of a notification.")

    @Argument(help: "The id or key of the notification.")
    var id: String
    @Argument(help: "taken, next or mute-today.")
    var action: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyActParameters(id: id, action: action), .notifyAct) } }
}

struct NotifyRehearseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse", abstract: "Show what other settings would have told in past days.",
        discussion: "Example: notify rehearse --days 30 --set delay.first=5")

    @Option(help: ArgumentHelp("The number of past days, at most 60.", valueName: "days"))
    var days = 30
    @Option(help: ArgumentHelp("A setting to try. Can be given more than once.", valueName: "key=value"))
    var set: [String] = []
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyRehearseParameters(days: days, set: set), .notifyRehearse) } }

    func validate() throws {
        guard (1...60).contains(days) else { throw ValidationError("--days must be 1 to 60.") }
    }
}

struct NotifyDaysOffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days-off", abstract: "Manage the days on which you do not commute.",
        subcommands: [
            DaysOffListCommand.self, DaysOffAddCommand.self, DaysOffRemoveCommand.self, DaysOffImportCommand.self,
        ], defaultSubcommand: DaysOffListCommand.self)
}

struct DaysOffListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the coming days off.")

    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyDaysOffParameters(), .daysOff) } }
}

/// The dates and ranges of a command.
struct DayArguments: ParsableArguments {
    @Argument(help: "Dates or ranges, such as 2026-12-24 or 2026-12-24..2026-12-26.")
    var days: [String]

    var spans: [DateSpan] { days.compactMap(DateSpan.init) }

    func validate() throws {
        if let wrong = days.first(where: { DateSpan($0) == nil }) {
            throw ValidationError(
                "\"\(wrong)\" is not a date such as 2026-12-24 or a range such as 2026-12-24..2026-12-26.")
        }
    }
}

struct DaysOffAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add days off.")

    @OptionGroup var days: DayArguments
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyDaysOffParameters(add: days.spans), .daysOff) } }
}

struct DaysOffRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove days off.")

    @OptionGroup var days: DayArguments
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(NotifyDaysOffParameters(remove: days.spans), .daysOff) } }
}

struct DaysOffImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add the events of an iCalendar file as days off.",
        discussion: "Only the dates of the events are sent to the daemon.")

    @Argument(help: ArgumentHelp("The file.", valueName: "file.ics"), completion: .file(extensions: ["ics"]))
    var file: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            switch CalendarDates.read(file) {
            case .success(let text): session.show(NotifyDaysOffParameters(calendar: text), .daysOff)
            case .failure(let failure):
                {
                    session.report(.usage(failure.message))
                    return ExitStatus.failure
                }()
            }
        }
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
        if let last = words.last, last == "today" || Self.seconds(last) != nil {
            seconds = Self.seconds(last)
            words.removeLast()
            if words.isEmpty { return }
        }
        guard words.count == 1, let word = words.first, word.first?.isLetter ?? false else { return nil }
        rule = word
    }

    /// Parses a duration such as `30m`, `2h` or `1d`.
    private static func seconds(_ text: String) -> Int? {
        let factors: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400]
        guard let factor = text.last.flatMap({ factors[$0] }), let count = Int(text.dropLast()),
            (1...100_000).contains(count), count * factor <= 2_678_400
        else { return nil }
        return count * factor
    }
}

extension DateSpan {
    /// Parses a date or a range; `nil` for any other text and if the last date precedes the first.
    init?(_ text: String) {
        guard let dots = text.firstRange(of: "..") else {
            guard let date = ServiceDate(iso8601: text) else { return nil }
            self.init(first: date, last: date)
            return
        }
        guard let first = ServiceDate(iso8601: String(text[..<dots.lowerBound])),
            let last = ServiceDate(iso8601: String(text[dots.upperBound...])), first <= last
        else { return nil }
        self.init(first: first, last: last)
    }
}

/// Reads the dates of an iCalendar file, without its texts, which are personal.
enum CalendarDates {
    /// The reason why a file cannot be used, as a sentence.
    struct Failure: Error {
        var message: String
    }

    private static let maximumFile = 1 << 20
    /// The limit of the request.
    private static let maximumText = 60_000
    private static let properties = [
        "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "DTSTART", "DTEND", "RRULE", "STATUS",
    ]

    static func read(_ path: String) -> Result<String, Failure> {
        // Does not wait for the other end of a FIFO.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return .failure(Failure(message: "\(path): \(String(cString: strerror(errno)))")) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= maximumFile {
            let count = Glibc.read(file, &chunk, chunk.count)
            guard count >= 0 else {
                return .failure(Failure(message: "\(path): \(String(cString: strerror(errno)))"))
            }
            if count == 0 { return dates(in: String(decoding: bytes, as: UTF8.self)) }
            bytes += chunk[..<count]
        }
        return .failure(Failure(message: "\(path) is larger than 1 MiB. Export only the events that are days off."))
    }

    static func dates(in text: String) -> Result<String, Failure> {
        var lines: [Substring] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let plain = line.hasPrefix("\u{FEFF}") ? line.dropFirst() : line
            let upper = plain.prefix(32).uppercased()
            if properties.contains(where: { upper.hasPrefix($0) }) { lines.append(plain) }
        }
        guard lines.first?.uppercased() == "BEGIN:VCALENDAR" else {
            return .failure(Failure(message: "The file is not an iCalendar file: it has no line BEGIN:VCALENDAR."))
        }
        let dates = lines.joined(separator: "\n") + "\n"
        guard dates.utf8.count <= maximumText else {
            return .failure(Failure(message: "The file has too many events. Export only the events that are days off."))
        }
        return .success(dates)
    }
}
