internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

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
    @Argument(help: "Dates or ranges, such as 2026-12-24 or 2026-12-24..2026-12-26.", completion: .names(.dayOff))
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
        discussion: """
            An event adds the dates of the coming two years that it covers from midnight to midnight, with its \
            repetitions. Titles and texts are not sent to the daemon.
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file.ics"), completion: .file(extensions: ["ics"]))
    var file: String
    @Flag(name: .customLong("busy-only"), help: "Skip events that are marked as free time, such as most holidays.")
    var busyOnly = false
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.importDaysOff(from: file, busyOnly: busyOnly) } }
}

extension Session {
    fileprivate func importDaysOff(from path: String, busyOnly: Bool) -> ExitStatus {
        run { (client) throws(ClientError) in
            var file: CalendarFile
            do throws(CalendarFile.Failure) { file = try CalendarFile.read(path) } catch {
                report(.usage(error.message))
                return .failure
            }
            var result: NotifyDaysOffResult?
            var entries: [ImportedCalendarEntry] = []
            for part in file.parts() {
                let call = NotifyDaysOffParameters(calendar: part.text, busyOnly: busyOnly)
                let reply = try Self.read(try client.request(call), of: call)
                entries += reply.entries.compactMap { entry in
                    guard part.entries.indices.contains(entry.index) else { return nil }
                    var entry = entry
                    entry.index = part.entries[entry.index]
                    return entry
                }
                result = reply
            }
            let call = NotifyDaysOffParameters()
            var total: NotifyDaysOffResult
            if let result { total = result } else { total = try Self.read(try client.request(call), of: call) }
            for (index, entry) in file.entries.enumerated() {
                if let problem = entry.problem {
                    entries.append(ImportedCalendarEntry(index: index, days: 0, reason: problem))
                }
            }
            total.entries = entries.sorted { $0.index < $1.index }
            let view = View<NotifyDaysOffResult>.daysOffImport(titles: file.entries.map(\.title))
            if settings.json {
                try write(json: total.encoded)
            } else {
                try write(settings.plain ? PlainRows.text(view.rows(total)) : paint(view.page(total)))
            }
            for notice in view.notices(total) { printNotice(notice) }
            return .success
        }
    }
}

extension DateSpan {
    /// Parses a date or a range; `nil` for any other text and if the last date precedes the first.
    init?(_ text: String) {
        guard let range = ServiceDateRange(text), range.count > 0 else { return nil }
        self.init(first: range.first, last: range.last)
    }
}
