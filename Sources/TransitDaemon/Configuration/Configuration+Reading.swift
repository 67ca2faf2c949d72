internal import TransitFeeds
internal import TransitFetch
internal import TransitModel

extension Configuration {
    /// Parses the text of a configuration file.
    ///
    /// - Parameters:
    ///   - file: The path of the file, for messages. Relative paths in the file are resolved against its folder.
    ///   - home: The folder that replaces `~`; `nil` if there is none.
    /// - Throws: A ``ConfigurationError`` with all problems, not only the first.
    public init(text: String, file: String, home: String? = nil) throws(ConfigurationError) {
        try self.init(text: text, file: file, home: home, keys: nil)
    }

    /// - Parameter keys: Used to check the files and keys that the configuration names; missing ones are added to
    ///   ``warnings``. `nil` skips these checks.
    init(text: String, file: String, home: String?, keys: FeedKeys?) throws(ConfigurationError) {
        let diagnostics = ConfigurationDiagnostics()
        let root = ConfigurationTable(try Self.parse(text, file: file), diagnostics: diagnostics)
        self.init()
        root.rejectUnknownKeys(
            besides: [
                "feed", "place", "commute", "queries", "geocoder", "weather", "events", "catalog", "notifications",
                "daemon", "insights",
            ],
            later: ["favorite", "hook"],
            instead: [
                "budget": "a budget belongs to a feed: write `budget` below its `[[feed]]`",
                "places": "write `[place.NAME]`", "commutes": "write `[commute.NAME]`", "feeds": "write `[[feed]]`",
                "notify": "write `[notifications.RULE]`, such as `[notifications.delay]`",
                "questions": "`[questions]` is now `[queries]`",
                "home": "write `[place.home]`", "work": "write `[place.work]`",
                "context": "write `[weather]` or `[events]`",
            ], in: "the configuration")
        let section = FeedSection(folder: Self.folder(of: file), home: home, keys: keys)
        readDaemon(root, section)
        readQueries(root)
        readInsights(root)
        geocoder = GeocoderSection().read(root)
        weather = WeatherSection().read(root)
        catalog = CatalogSection().read(root)
        events = EventsSection(folder: section.folder, home: home, keys: keys).read(root)
        notifications = NotificationSection().read(root)
        feeds = FeedSection(folder: section.folder, home: home, keys: keys, daemonCAFile: daemon.caFile).read(root)
        places = PlaceSection(feeds: feeds.map(\.id)).read(root)
        KeepSection(places: places).read(root, into: &feeds)
        commutes = CommuteSection(feeds: feeds.map(\.id), places: places.keys.sorted()).read(root)
        guard diagnostics.problems.isEmpty else {
            throw ConfigurationError(file: file, problems: diagnostics.listedProblems)
        }
        warnings = diagnostics.listedWarnings
    }

    private static func parse(_ text: String, file: String) throws(ConfigurationError) -> [String: TOMLEntry] {
        if let place = text.unicodeScalars.firstIndex(of: "\0") {
            let lines = text.unicodeScalars[..<place].split(separator: "\n", omittingEmptySubsequences: false)
            let position = TextPosition(line: lines.count, column: (lines.last?.count ?? 0) + 1)
            throw ConfigurationError(
                file: file,
                problems: [
                    .init(
                        position: position, message: "the file contains a NUL character",
                        remedy: "check that it is a text file")
                ])
        }
        do throws(TOMLFailure) { return try TOMLDocument.read(text) } catch {
            throw ConfigurationError(file: file, problems: [.init(error, in: text)])
        }
    }

    private static func folder(of file: String) -> String {
        file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    }

    private mutating func readDaemon(_ root: ConfigurationTable, _ section: FeedSection) {
        guard let table = root.table("daemon") else { return }
        table.rejectUnknownKeys(besides: ["log_level", "ca_file"], in: "[daemon]")
        daemon.caFile = section.readCAFile(table)
        guard let text = table.text("log_level", example: "info") else { return }
        if let level = DaemonOptions.LogLevel(rawValue: text) {
            daemon.logLevel = level
        } else {
            let all = DaemonOptions.LogLevel.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            table.report("log_level", "`log_level` is \"\(text)\"", remedy: "use one of \(all)")
        }
    }

    private mutating func readInsights(_ root: ConfigurationTable) {
        guard let table = root.table("insights") else { return }
        table.rejectUnknownKeys(besides: ["co2_pounds_per_mile", "units"], in: "[insights]")
        insights.co2PoundsPerMile =
            table.number("co2_pounds_per_mile", in: 0...10, unit: "pounds", example: 0.89) ?? insights.co2PoundsPerMile
        guard let text = table.text("units", example: "metric") else { return }
        if let units = UnitSetting(rawValue: text) {
            insights.units = units
        } else {
            let all = UnitSetting.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            table.report("units", "`units` is \"\(text)\"", remedy: "use one of \(all)")
        }
    }

    private mutating func readQueries(_ root: ConfigurationTable) {
        let known = [
            "next_count", "departures_count", "return_hour", "walking_radius", "max_walking_radius", "walking_speed",
            "max_change_walk", "arrivals_wait", "change_uncertainty",
        ]
        let former = [
            "count": "`count` is now `next_count`", "board_count": "`board_count` is now `departures_count`",
            "switch_hour": "`switch_hour` is now `return_hour`",
            "widened_walking_radius": "`widened_walking_radius` is now `max_walking_radius`",
        ]
        // Reports all former keys at the same time, including those in a section with the former name.
        root.table("questions")?.rejectUnknownKeys(besides: known, instead: former, in: "[questions]")
        guard let table = root.table("queries") else { return }
        table.rejectUnknownKeys(besides: known, instead: former, in: "[queries]")
        let counts = 1...50
        queries.nextCount = table.integer("next_count", in: counts, unit: "departures", example: 3) ?? queries.nextCount
        queries.departuresCount =
            table.integer("departures_count", in: counts, unit: "departures", example: 10) ?? queries.departuresCount
        queries.returnHour =
            table.integer("return_hour", in: 0...24, unit: "(the hour of the day)", example: 12)
            ?? queries.returnHour
        queries.arrivalsWait =
            table.integer("arrivals_wait", in: 0...10, unit: "seconds", example: 3) ?? queries.arrivalsWait
        queries.changeUncertainty =
            table.integer("change_uncertainty", in: 0...600, unit: "seconds", example: 60) ?? queries.changeUncertainty
        queries.walkingSpeed =
            table.number("walking_speed", in: 1...12, unit: "km/h", example: 4.5) ?? queries.walkingSpeed
        queries.maxChangeWalk =
            table.integer("max_change_walk", in: 0...2000, unit: "meters", example: 500) ?? queries.maxChangeWalk
        let meters = 50...20_000
        queries.walkingRadius =
            table.integer("walking_radius", in: meters, unit: "meters", example: 1000) ?? queries.walkingRadius
        queries.maxWalkingRadius =
            table.integer("max_walking_radius", in: meters, unit: "meters", example: 3000)
            ?? max(queries.maxWalkingRadius, queries.walkingRadius)
        if queries.maxWalkingRadius < queries.walkingRadius {
            table.report(
                "max_walking_radius",
                "`max_walking_radius` (\(queries.maxWalkingRadius) m) is less than "
                    + "`walking_radius` (\(queries.walkingRadius) m)",
                remedy: "use at least \(queries.walkingRadius)")
        }
    }
}

extension ConfigurationError.Problem {
    /// - Parameter text: The text of the configuration.
    init(_ failure: TOMLFailure, in text: String) {
        switch failure {
        case .invalid(let reason, let position):
            let mistake = TOMLDiagnosis(reason: reason, at: position, in: text)
            self.init(position: position, message: mistake.message, remedy: mistake.remedy)
        case .tooDeep(let position):
            self.init(
                position: position, message: "the value is nested too deeply",
                remedy: "use at most 3 parts in a key")
        case .noMemory:
            self.init(
                position: nil, message: "there is not enough memory to read the file", remedy: "make the file smaller")
        }
    }
}

/// Reads `[geocoder]`.
private struct GeocoderSection {
    func read(_ root: ConfigurationTable) -> Geocoder? {
        guard let table = root.table("geocoder") else { return nil }
        table.rejectUnknownKeys(besides: ["kind", "url"], in: "[geocoder]")
        let (kind, url) = (readKind(table), readURL(table))
        guard let kind, let url else { return nil }
        return Geocoder(kind: kind, url: url)
    }

    private func readKind(_ table: ConfigurationTable) -> Geocoder.Kind? {
        guard let text = table.requiredText("kind", example: "photon", of: "[geocoder]") else { return nil }
        if let kind = Geocoder.Kind(rawValue: text) { return kind }
        let all = Geocoder.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        table.report("kind", "there is no geocoder \"\(text)\"", remedy: "use \(all)")
        return nil
    }

    private func readURL(_ table: ConfigurationTable) -> String? {
        let example = "https://photon.example.org"
        guard let text = table.requiredText("url", example: example, of: "[geocoder]") else { return nil }
        return table.base(text, key: "url", example: example)
    }
}
