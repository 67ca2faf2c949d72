internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of the daemon, the feeds and their datasets.")

    @Argument(help: "Show this feed only.")
    var feed: String?
    @Flag(help: "Also show the most recent updates of each dataset.")
    var updates = false
    @Flag(help: "Update the status until Ctrl-C.")
    var follow = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            guard !follow else { return session.watchStatus(feed) }
            return session.show(StatusParameters(feed: feed.map { FeedID($0) }, updates: updates), .status)
        }
    }
}

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnose problems and suggest how to fix them.")

    @Option(
        help: ArgumentHelp(
            "Also write a tar archive for a bug report, without secrets or personal data.",
            valueName: "file"))
    var bundle: String?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.doctor(bundle: bundle) } }
}

extension Session {
    /// Runs the checks and fails if one of them fails. Without a daemon, it runs the checks that the client supports.
    func doctor(bundle path: String?) -> ExitStatus {
        attempt { () throws(ClientError) in
            do throws(ClientError) { return try requestDoctor(bundle: path) } catch {
                guard path == nil, let checks = OfflineChecks().checks(after: error) else { throw error }
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                let instant = Instant(secondsSince1970: Int64(now.tv_sec))
                let result = DoctorResult(at: Timestamp(instant, offset: 0), checks: checks)
                guard let value = try? JSONValue(parsing: result.encoded) else { throw error }
                _ = try show(value, of: DoctorParameters(), .doctor)
                return error.exitStatus
            }
        }
    }

    private func requestDoctor(bundle path: String?) throws(ClientError) -> ExitStatus {
        let client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
        let call = DoctorParameters(bundle: path != nil)
        let answer = try client.request(call, timeout: ControlClient.longTimeout)
        var result = try Self.read(answer, of: call)
        if let path { try write(result.bundle ?? [], to: path, at: result.at) }
        // The files are written to the archive. Printed on the terminal, they would hide the checks.
        result.bundle = nil
        let status = try show(
            (try? JSONValue(parsing: result.encoded)) ?? answer, of: call, .doctor,
            status: { $0.checks.contains { $0.outcome == .failed } ? .failure : .success })
        if let path { printNotice(Line("Wrote \(path). Review it before you share it.", .good)) }
        return status
    }

    private func write(_ files: [BundleFile], to path: String, at time: Timestamp) throws(ClientError) {
        let archive = TarArchive.of(files.map { ($0.name, Array($0.text.utf8)) }, time: time.instant.secondsSince1970)
        try writeFile(archive, to: path)
    }
}

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

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Choose a city and set home and work.",
        discussion: """
            Adds a feed to the daemon's configuration and keeps existing settings. An option answers its question. If \
            standard input is not a terminal, each prompt reads one line of it.
            """)

    /// The maximum size of a file with a key, in bytes.
    private static let maximumKeyFile = 8192

    @OptionGroup var global: GlobalOptions
    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("Use this server, a mirror, instead of the provider's own.", valueName: "url"))
    var base: String?
    @Option(
        help: ArgumentHelp(
            "The city: a choice of setup, an id that feed find lists, or the name of a city.", valueName: "city"))
    var city: String?
    @Option(help: ArgumentHelp("The name of the feed.", valueName: "name"))
    var id: String?
    @Option(help: ArgumentHelp("A file with the API key.", valueName: "path"))
    var keyFile: String?
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A setting of the feed, such as static=URL or agency=ID.", valueName: "key=value"))
    var settings: [SettingArgument] = []
    @Flag(
        inversion: .prefixedNo,
        help: "Use the imported timetable without asking whether it is the right one; or remove it after showing it.")
    var acceptData: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Use a source that cannot be checked, has expired, or whose URL contains a second key; or never use one.")
    var acceptUnverified: Bool?
    @Flag(inversion: .prefixedNo, help: "Remove a feed whose import fails; or keep it, to import it later.")
    var removeFailed: Bool?
    @Flag(inversion: .prefixedNo, help: "Choose another source after a feed was removed; or continue without it.")
    var chooseAgain: Bool?
    @Option(help: ArgumentHelp("The geocoder for addresses. Empty for none.", valueName: "url"))
    var geocoder: String?
    @Option(
        help: ArgumentHelp("LAT,LON, a stop or an address. Empty to skip.", valueName: "place"),
        completion: .names(.location))
    var home: String?
    @Option(
        help: ArgumentHelp("LAT,LON, a stop or an address. Empty to skip.", valueName: "place"),
        completion: .names(.location))
    var work: String?
    @Flag(inversion: .prefixedNo, help: "Turn notifications on.")
    var notifications: Bool?
    @Option(
        help: ArgumentHelp(
            "Keep only what is within this distance of home and work; 0 for everything.", valueName: "meters"))
    var keepRadius: Int?

    func run() throws {
        try global.run { (session) throws(ClientError) in
            Setup(session, base: base, given: GivenAnswers(try answers())).run()
        }
    }

    private func answers() throws(ClientError) -> [GivenAnswers.Question: String] {
        var answers: [GivenAnswers.Question: String] = [:]
        answers[.city] = city
        answers[.id] = id
        if let keyFile {
            guard let bytes = SmallFile.read(keyFile, limit: Self.maximumKeyFile) else {
                throw .system(call: "reading \(keyFile)", number: errno)
            }
            do throws(HiddenKeyPrompt.Failure) { answers[.key] = try HiddenKeyPrompt.trimmed(bytes) } catch {
                throw .usage("\(keyFile): \(error)")
            }
        }
        for setting in settings { answers[.setting(setting.key)] = setting.value }
        answers[.data] = acceptData.map { $0 ? "y" : "n" }
        answers[.unverified] = acceptUnverified.map { $0 ? "y" : "n" }
        answers[.removal] = removeFailed.map { $0 ? "y" : "n" }
        answers[.another] = chooseAgain.map { $0 ? "y" : "n" }
        answers[.geocoder] = geocoder
        answers[.place("home")] = home
        answers[.place("work")] = work
        answers[.notifications] = notifications.map { $0 ? "y" : "n" }
        answers[.radius] = keepRadius.map { "\($0)" }
        return answers
    }
}
