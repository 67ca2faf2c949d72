internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// Finds the names of a kind that a typed text can mean, most of them with requests to the daemon.
///
/// A failure gives no candidates, because a message would appear in the middle of the typed line.
struct CandidateSource {
    let point: CompletionPoint
    let environment: (String) -> String?
    /// When to give up. A daemon that hangs must not block the shell.
    let deadline: Deadline
    private let connection: Connection

    /// The time limit of all requests in seconds, unless ``timeoutVariable`` sets another one.
    private static let timeout = 1
    /// The variable of the environment with the time limit, for a machine that is slower.
    static let timeoutVariable = "TRANSITCTL_COMPLETION_TIMEOUT"
    /// The maximum number of candidates.
    static let maximum = 50

    /// - Parameter environment: Returns the value of a variable of the environment.
    init(_ point: CompletionPoint, environment: @escaping (String) -> String?) {
        self.point = point
        self.environment = environment
        let seconds = environment(Self.timeoutVariable).flatMap { Int($0) } ?? Self.timeout
        let timeout = min(max(seconds, 1), 60)
        deadline = Deadline(seconds: timeout)
        let paths = SocketPath(option: point.given["--socket"], environment: environment)
        let path = paths.chosen(exists: { access($0, F_OK) == 0 }) ?? paths.candidates[0]
        connection = Connection(path: path, timeout: timeout)
    }

    /// A connection that is made for the first request.
    private final class Connection {
        let path: String
        private var client: ControlClient?
        private let timeout: Int
        private var isTried = false

        init(path: String, timeout: Int) { (self.path, self.timeout) = (path, timeout) }

        func opened() -> ControlClient? {
            if !isTried {
                isTried = true
                client = try? ControlClient(path: path, timeout: timeout)
            }
            return client
        }
    }

    /// Sends a request; `nil` if there is no result in time.
    private func result<Call: ControlParameters>(of call: Call) -> Call.Reply? {
        guard let client = connection.opened(), let id = try? client.send(call) else { return nil }
        while let message = try? client.next(before: deadline) {
            if case .answer(let answered, let outcome) = message, answered == id || answered == .null {
                guard case .success(let value) = outcome else { return nil }
                return try? Call.reply(from: value)
            }
        }
        return nil
    }

    /// Returns the candidates for the typed word, best first, without ``CompletionPoint/lead``.
    func candidates(of kind: ValueKind) -> [Candidate] {
        let typed = (point.joined + [point.text]).name
        switch kind {
        case .journey: return journeys(withCommutes: true)
        case .ends: return journeys(withCommutes: false)
        case .departure, .trip, .usual, .notification: return point.joined.isEmpty ? rows(kind) : []
        case _ where kind.joinsWords: return Self.continuing(point.joined, names(kind, typed))
        default: return names(kind, typed)
        }
    }

    // MARK: Names of several words

    /// Returns what follows the words before the current one. The case of the typed words does not matter.
    private static func continuing(_ words: [String], _ names: [Candidate]) -> [Candidate] {
        guard !words.isEmpty else { return names }
        let before = words.name + " "
        return names.compactMap { name in
            let beginning = name.value.prefix(before.count)
            guard name.value.count > before.count, beginning.hasSuffix(" "),
                SearchText.fold(String(beginning)) == SearchText.fold(before)
            else { return nil }
            return Candidate(value: String(name.value.dropFirst(before.count)), description: name.description)
        }
    }

    /// A commute, an origin, or a destination after "to" or after one word or more.
    private func journeys(withCommutes: Bool) -> [Candidate] {
        var words = point.joined
        if words.first?.lowercased() == "from" { words.removeFirst() }
        if let separator = words.dropFirst().lastIndex(where: { $0.lowercased() == "to" }) {
            let end = Array(words[(separator + 1)...])
            return Self.continuing(end, names(.location, (end + [point.text]).name))
        }
        let whole = (words + [point.text]).name
        let commutes = withCommutes && point.joined.count == words.count ? names(.commute, whole) : []
        let first = Self.continuing(words, commutes + names(.location, whole))
        guard !words.isEmpty else { return first }
        let separator =
            "to".hasPrefix(point.text) ? [Candidate(value: "to", description: "the destination follows")] : []
        return first + names(.location, point.text) + separator
    }

    // MARK: Names

    private func names(_ kind: ValueKind, _ text: String) -> [Candidate] {
        switch kind {
        case .stop: places(text, stopsOfEmptyText: true) + stops(text)
        case .location: places(text, stopsOfEmptyText: false) + stops(text)
        case .route: routes(text)
        case .commute:
            result(of: CommuteListParameters())?.commutes.map {
                Candidate(value: $0.name, description: "\($0.from.words) to \($0.to.words)")
            }.matching(text) ?? []
        case .place: places(text, stopsOfEmptyText: false)
        case .placeName:
            Self.merged([Candidate(value: "home"), Candidate(value: "work")], places("", stopsOfEmptyText: false))
                .matching(text)
        case .favorite, .favorites:
            favorites.map { Candidate(value: $0.name, description: $0.summary) }.matching(text)
        case .category: Self.merged(favorites.compactMap(\.category).map { Candidate(value: $0) }).matching(text)
        case .feed:
            result(of: FeedListParameters())?.feeds.map { feed in
                Candidate(value: feed.id.rawValue, description: feed.publisher ?? feed.agencies.joined(separator: ", "))
            }.matching(text) ?? []
        case .version: versions.matching(text)
        case .feedKey: feedKeys.matching(text)
        case .feedSetting: feedKeys.map { Candidate(value: $0.value + "=", description: $0.description) }.matching(text)
        case .city:
            result(of: ProviderListParameters()).map { SetupOffer.all($0.providers) }?.compactMap { offer in
                offer.id.map { Candidate(value: $0, description: offer.title) }
            }.matching(text) ?? []
        case .rule: rules.map(\.candidate).matching(text)
        case .setting: settings.matching(text)
        case .settingAssignment:
            settings.map { Candidate(value: $0.value + "=", description: $0.description) }.matching(text)
        case .settingValue: settingValues.matching(text)
        case .mute: (durations + (point.earlier.isEmpty ? rules.map(\.candidate) : [])).matching(text)
        case .dayOff:
            result(of: NotifyListParameters(count: 1))?.daysOff.map { Candidate(value: "\($0)") }.matching(text) ?? []
        case .method: ControlMethod.allCases.map { Candidate(value: $0.rawValue) }.matching(text)
        case .dataset: DatasetArgument.known.map { Candidate(value: $0.rawValue) }.matching(text)
        case .theme: ThemeName.allCases.map { Candidate(value: $0.rawValue, description: $0.summary) }.matching(text)
        case .weekdays:
            ["mon-fri", "weekends", "mon", "tue", "wed", "thu", "fri", "sat", "sun"].map { Candidate(value: $0) }
                .matching(text)
        case .journey, .ends, .departure, .trip, .usual, .notification, .file, .path: []
        case .text, .address, .count, .date, .distance, .duration, .meters, .minutes, .name, .parameters, .time,
            .timeRange, .url:
            []
        }
    }

    private static func merged(_ lists: [Candidate]...) -> [Candidate] {
        var known: Set<String> = []
        return lists.joined().filter { known.insert($0.value).inserted }
    }

    private var language: String? { Environment.language(environment) }
    private var feed: FeedID? { point.given["--feed"].map { FeedID($0) } }

    private func stops(_ text: String) -> [Candidate] {
        guard !text.isEmpty else { return [] }
        var call = StopsSearchParameters(
            text: text, feed: feed, count: Self.maximum, route: point.given["--route"],
            favorite: point.given["--favorite"], language: language)
        call.remember = false
        let found = result(of: call)?.stops.filter { [.exact, .prefix, .word].contains($0.rank) } ?? []
        let names = Self.merged(found.map { Candidate(value: $0.stop.name, description: $0.summary) })
        return names.isEmpty ? stopReferences(text) : names
    }

    /// The references of stops such as "caltrain:70211", if the beginning of one is typed.
    private func stopReferences(_ text: String) -> [Candidate] {
        guard let mark = text.firstIndex(of: ":"), mark < text.index(before: text.endIndex) else { return [] }
        var call = StopsSearchParameters(
            text: String(text[text.index(after: mark)...]), feed: FeedID(String(text[..<mark])), count: Self.maximum,
            language: language)
        call.remember = false
        return (result(of: call)?.stops ?? []).map { match in
            Candidate(value: "\(match.stop.feed):\(match.stop.id)", description: match.stop.name)
        }.filter { $0.value.hasPrefix(text) }
    }

    private func routes(_ text: String) -> [Candidate] {
        var call = RoutesSearchParameters(text: text, feed: feed, count: Self.maximum, language: language)
        call.remember = false
        let found =
            result(of: call)?.routes.filter { [.exact, .prefix, .word].contains($0.rank) || text.isEmpty } ?? []
        return Self.merged(
            found.map { match in
                let words = [match.route.addition, match.agency].compactMap(\.self)
                return Candidate(value: match.route.displayName, description: words.joined(separator: ", "))
            })
    }

    /// The places of the user.
    ///
    /// - Parameter stopsOfEmptyText: Whether to add the stops near the places and those of the favorites while nothing is
    ///   typed.
    private func places(_ text: String, stopsOfEmptyText: Bool) -> [Candidate] {
        let places = result(of: PlaceListParameters())?.places ?? []
        let names = places.map { Candidate(value: $0.name, description: "your place") }.matching(text)
        guard text.isEmpty, stopsOfEmptyText else { return names }
        let ofFavorites = favorites.compactMap { favorite in
            favorite.stop.map { Candidate(value: $0.name, description: "favorite \(favorite.name)") }
        }
        let near = places.flatMap { place in
            place.stops.map { Candidate(value: $0.stop.name, description: "near \(place.name)") }
        }
        return Self.merged(names, ofFavorites, near)
    }

    private var favorites: [FavoriteSummary] { result(of: FavoriteListParameters())?.favorites ?? [] }

    private var versions: [Candidate] {
        guard let feed = point.earlier.first else { return [] }
        return (result(of: FeedVersionsParameters(feed: FeedID(feed)))?.versions ?? []).map { version in
            Candidate(
                value: "\(version.number)",
                description: "imported \(version.imported.date)" + (version.isCurrent ? ", current" : ""))
        }
    }

    /// The keys that the provider of the feed reads; those of all providers if the feed is not known.
    private var feedKeys: [Candidate] {
        let provider = point.earlier.first.flatMap { name in
            result(of: FeedListParameters())?.feeds.first { $0.id.rawValue == name }?.provider
        }
        let providers = result(of: ProviderListParameters())?.providers ?? []
        let chosen = providers.filter { provider == nil || $0.name == provider }
        return Self.merged(
            chosen.flatMap(\.settings).map {
                Candidate(value: $0.key, description: $0.example.map { "such as \($0)" } ?? "")
            })
    }

    // MARK: Notifications

    private var rules: [NotificationRuleStatus] { result(of: NotifyListParameters(count: 1))?.rules ?? [] }

    private var settings: [Candidate] {
        rules.flatMap { rule in
            [rule.candidate] + rule.settings.map { Candidate(value: $0.key, description: $0.description) }
        }
    }

    private var settingValues: [Candidate] {
        guard let key = point.earlier.first else { return [] }
        if key == "units" { return UnitSetting.allCases.map { Candidate(value: $0.rawValue) } }
        let rules = rules
        if rules.contains(where: { $0.rule == key }) { return [Candidate(value: "on"), Candidate(value: "off")] }
        guard let setting = rules.flatMap(\.settings).first(where: { $0.key == key }) else { return [] }
        return Self.merged([
            Candidate(value: setting.value, description: "the value in effect"),
            Candidate(value: setting.defaultValue, description: "the default"),
        ]).filter { !$0.value.isEmpty }
    }

    private var durations: [Candidate] {
        [Candidate(value: "today"), Candidate(value: "30m"), Candidate(value: "2h")]
    }

    // MARK: Numbered rows

    /// The numbers of the last list on this terminal or, for commands about usual departures, of those.
    private func rows(_ kind: ValueKind) -> [Candidate] {
        if kind == .usual {
            return (result(of: UsualListParameters())?.departures ?? []).map { departure in
                let route = RouteName.words(type: departure.routeType ?? -1, name: departure.routeName)
                return Candidate(
                    value: "\(departure.number)", description: "\(route) \(departure.time) from \(departure.stop.name)")
            }.matching(point.text)
        }
        let wanted: TerminalRows.Kind = kind == .notification ? .notification : .departure
        guard let list = TerminalRowsFile.ofThisProcess?.read(), list.kind == wanted,
            list.problem(now: LinuxClock.boot / 1000, socket: connection.path) == nil
        else { return [] }
        return list.rows.enumerated().map { Candidate(value: "\($0 + 1)", description: $1.words) }.filter {
            $0.value.hasPrefix(point.text)
        }
    }
}

extension [Candidate] {
    /// The candidates whose value or one of its words begins with a text, without regard to case and accents.
    func matching(_ text: String) -> [Candidate] {
        let folded = SearchText.fold(text)
        guard !folded.isEmpty else { return filter { $0.value.hasPrefix(text) } }
        return filter { candidate in
            let name = SearchText.fold(candidate.value)
            return name.hasPrefix(folded) || name.contains(" " + folded) || candidate.value.hasPrefix(text)
        }
    }
}

extension NotificationRuleStatus {
    fileprivate var candidate: Candidate { Candidate(value: rule, description: description) }
}

extension FavoriteSummary {
    fileprivate var summary: String {
        [route?.words, stop.map { "at \($0.name)" }].compactMap(\.self).joined(separator: " ")
    }
}

extension StopSearchMatch {
    fileprivate var summary: String {
        let served = routes.isEmpty ? "" : ": " + routes.prefix(6).joined(separator: ", ")
        return stop.feed.rawValue + served
    }
}
