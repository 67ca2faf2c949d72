internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct FeedAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a feed to the configuration and import it.",
        discussion: """
            The source is an id that feed find lists, such as mdb-53, the URL or the path of a GTFS archive, or a name that \
            setup offers, such as caltrain. Further settings are those of [[feed]] in transitd.toml(5), such as trip_updates=https://example.org/updates.pb.
            """)

    @Argument(
        help: "An id that feed find lists, a URL, a path, or a name that setup offers.", completion: .names(.city))
    var source: String
    @Argument(help: ArgumentHelp("Further settings of the feed.", valueName: "key=value"))
    var settings: [SettingArgument] = []
    @Option(help: ArgumentHelp("The name of the feed.", valueName: "name"))
    var id: String?
    @Flag(help: "Do not check the URLs before they are written.")
    var unchecked = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            FeedChange(session: session, settings: SettingArgument.merged(settings), isChecked: !unchecked).add(
                source, id: id)
        }
    }
}

struct FeedEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change settings of a feed in the configuration.",
        discussion: """
            Settings are those of [[feed]] in transitd.toml(5), such as refresh_hours=12 or refresh.vehicles=30s. Everything \
            else in the file stays as it is. Repeat a key to give a list. An id that feed find lists, as in static=mdb-53, \
            changes to that feed with its realtime sources.
            """)

    @Argument(help: "The feed.")
    var feed: String
    @Argument(help: ArgumentHelp("The settings to change.", valueName: "key=value"))
    var settings: [SettingArgument] = []
    @Option(help: ArgumentHelp("Remove a setting. Can be repeated.", valueName: "key"), completion: .names(.feedKey))
    var unset: [String] = []
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if settings.isEmpty, unset.isEmpty { throw ValidationError("Name a setting, such as refresh_hours=12.") }
    }

    func run() throws {
        let settings = SettingArgument.merged(settings) + unset.map { ConfigurationSetting(key: $0, values: []) }
        try global.run { session in
            FeedChange(session: session, settings: settings, isChecked: true, offlineRemedy: "Try again later.").edit(
                feed)
        }
    }
}

struct FeedRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a feed from the configuration.",
        discussion: "The timetable versions are deleted. Favorites and places stay, but show nothing without the feed.")

    @Argument(help: "The feed.")
    var feed: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in
            if !yes {
                let isConfirmed = try session.confirmRemoval(
                    "Remove \(feed) from the configuration?", by: "feed remove")
                guard isConfirmed else { return .success }
            }
            let changer = ConfigurationChanger(session: session)
            do throws(ConfigurationChanger.Failure) {
                let (file, _) = try changer.apply(ConfigProposeParameters(action: .remove, feed: FeedID(feed)))
                session.printNotice(Line("Removed \(feed) from \(file).", .good))
                return .success
            } catch { return changer.report(error) }
        }
    }
}

/// A setting of a feed, such as `refresh_hours=12`.
struct SettingArgument: ExpressibleByArgument {
    var key: String
    var value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
        key = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }

    /// Returns the settings; those with the same key become a list.
    static func merged(_ arguments: [SettingArgument]) -> [ConfigurationSetting] {
        var settings: [ConfigurationSetting] = []
        for argument in arguments {
            if let known = settings.firstIndex(where: { $0.key == argument.key }) {
                settings[known].values.append(argument.value)
            } else {
                settings.append(ConfigurationSetting(argument.key, argument.value))
            }
        }
        return settings
    }
}

extension SetupOffer {
    /// Returns the offer whose identifier or title is a text. A remark in parentheses need not be given.
    static func named(_ text: String, in offers: [SetupOffer]) -> SetupOffer? {
        let wanted = text.lowercased()
        return offers.first { $0.id == wanted } ?? offers.first { $0.title.lowercased() == wanted }
            ?? offers.first { $0.title.lowercased().hasPrefix(wanted + " (") }
    }
}
