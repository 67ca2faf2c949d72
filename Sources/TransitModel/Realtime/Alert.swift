/// A message to riders about a part of the network (GTFS-Realtime reference, *Alert*).
public struct Alert: Hashable, Sendable {
    /// The `id` of the feed entity.
    public var id: EntityID
    /// The periods during which the alert is shown. If empty, the alert is shown for as long as it is in the feed.
    public var activePeriods: [ActivePeriod]
    /// The informed entities. The alert applies to everything that matches at least one of them.
    public var informed: [InformedEntity]
    public var cause: AlertCause
    public var effect: AlertEffect
    public var severity: AlertSeverity
    public var url: TranslatedText?
    public var header: TranslatedText?
    public var description: TranslatedText?

    public init(
        id: EntityID, activePeriods: [ActivePeriod] = [], informed: [InformedEntity] = [],
        cause: AlertCause = .unknown, effect: AlertEffect = .unknown, severity: AlertSeverity = .unknown,
        url: TranslatedText? = nil, header: TranslatedText? = nil, description: TranslatedText? = nil
    ) {
        self.id = id
        self.activePeriods = activePeriods
        self.informed = informed
        self.cause = cause
        self.effect = effect
        self.severity = severity
        self.url = url
        self.header = header
        self.description = description
    }

    /// A time range, which has no bound if `start` or `end` is `nil` (GTFS-Realtime reference, *TimeRange*).
    public struct ActivePeriod: Hashable, Sendable {
        public var start: Instant?
        /// Exclusive.
        public var end: Instant?

        public init(start: Instant? = nil, end: Instant? = nil) {
            self.start = start
            self.end = end
        }

        public func contains(_ moment: Instant) -> Bool { overlaps(from: moment, through: moment) }

        /// Whether the range contains any time from the first moment through the second one.
        public func overlaps(from first: Instant, through last: Instant) -> Bool {
            start.map { $0 <= last } ?? true && end.map { first < $0 } ?? true
        }
    }

    public func isActive(at moment: Instant) -> Bool { isActive(from: moment, through: moment) }

    /// Whether the alert is active at any time from the first moment through the second one.
    public func isActive(from first: Instant, through last: Instant) -> Bool {
        activePeriods.isEmpty || activePeriods.contains { $0.overlaps(from: first, through: last) }
    }
}

/// A part of the network (GTFS-Realtime reference, *EntitySelector*). All members that are set must match. A selector
/// without members matches nothing.
public struct InformedEntity: Hashable, Sendable {
    public var agencyID: AgencyID?
    public var routeID: RouteID?
    /// `route_type` of routes.txt.
    public var routeType: Int32?
    public var direction: Direction?
    public var trip: TripDescriptor?
    public var stopID: StopID?

    public init(
        agencyID: AgencyID? = nil, routeID: RouteID? = nil, routeType: Int32? = nil, direction: Direction? = nil,
        trip: TripDescriptor? = nil, stopID: StopID? = nil
    ) {
        self.agencyID = agencyID
        self.routeID = routeID
        self.routeType = routeType
        self.direction = direction
        self.trip = trip
        self.stopID = stopID
    }
}

/// A text in one or more languages (GTFS-Realtime reference, *TranslatedString*).
public struct TranslatedText: Hashable, Sendable {
    public struct Translation: Hashable, Sendable {
        public var text: String
        /// BCP 47. `nil` means unknown, or the language of the feed.
        public var language: String?

        public init(_ text: String, language: String? = nil) {
            self.text = text
            self.language = language
        }
    }

    /// The translations. There is at least one.
    public var translations: [Translation]

    /// Returns `nil` if there are no translations.
    public init?(_ translations: [Translation]) {
        guard !translations.isEmpty else { return nil }
        self.translations = translations
    }

    /// Returns the translation closest to `language` (see ``LanguageTag``) or, if there is none, the translation
    /// without a language or, failing that, the first translation.
    public func text(in language: String?) -> String { translation(in: language).text }

    /// Returns the translation that ``text(in:)`` shows.
    public func translation(in language: String?) -> Translation {
        let nearest = language.map { LanguageTag($0) }.flatMap { wanted in
            translations.lazy.enumerated()
                .compactMap { position, known in
                    known.language.flatMap { wanted.distance(to: LanguageTag($0)) }.map { ($0, position) }
                }
                .min { $0 < $1 }.map { translations[$0.1] }
        }
        return nearest ?? translations.first { ($0.language ?? "").isEmpty } ?? translations[0]
    }

    /// The text that identifies this one in whatever language and order its translations are: the translation without a
    /// language or, if there is none, that of the language that sorts first.
    public var identifyingText: String {
        let sorted = translations.sorted { ($0.language ?? "", $0.text) < ($1.language ?? "", $1.text) }
        return (sorted.first ?? translations[0]).text
    }
}

/// GTFS-Realtime reference, *Cause*. The raw values are those of the protocol buffer enumeration.
public enum AlertCause: UInt8, Hashable, Sendable, CaseIterable {
    case unknown = 1
    case other = 2
    case technicalProblem = 3
    case strike = 4
    case demonstration = 5
    case accident = 6
    case holiday = 7
    case weather = 8
    case maintenance = 9
    case construction = 10
    case policeActivity = 11
    case medicalEmergency = 12
    /// A parade, a festival or a match.
    case specialEvent = 13
}

/// GTFS-Realtime reference, *Effect*. The raw values are those of the protocol buffer enumeration.
public enum AlertEffect: UInt8, Hashable, Sendable, CaseIterable {
    case noService = 1
    case reducedService = 2
    case significantDelays = 3
    case detour = 4
    case additionalService = 5
    case modifiedService = 6
    case other = 7
    case unknown = 8
    case stopMoved = 9
    case noEffect = 10
    case accessibilityIssue = 11
}

/// GTFS-Realtime reference, *SeverityLevel*. The raw values are those of the protocol buffer enumeration.
public enum AlertSeverity: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    case unknown = 1
    case info = 2
    case warning = 3
    case severe = 4

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
