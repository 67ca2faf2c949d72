internal import TransitModel

/// A rule as users know it: a name that they turn on, off or mute, with settings of the same name (`delay.on`).
///
/// Each rule is declared in the file of the ``Rule`` that decides it. Two values with the same name are equal.
package struct NotificationRule: RawRepresentable, Sendable {
    /// The name, such as "delay".
    package let rawValue: String
    /// What the rule does, as one sentence.
    package let sentence: String
    /// Whether the rule is on unless the user or the configuration says otherwise.
    package let isOnByDefault: Bool
    /// Whether the rule is on for the next departure of each favorite by default; `nil` if it is never on for those.
    package let isOnForFavoritesByDefault: Bool?
    /// The kinds of subjects that the rule watches. Empty for a rule about the feeds, the user's days or this machine.
    package let subjects: Set<SubjectKind>
    /// Whether an event that was handed out and not finished is handed out again until it is no longer valid.
    package let isUrgent: Bool
    /// Whether the rule may disturb a person in quiet hours if the departure is pinned.
    let passesQuietHours: Bool
    /// What limits how often the rule disturbs a person.
    let limit: Limit
    /// Returns what the rule would do next, as a sentence; `nil` if nothing is foreseen.
    let forecast: @Sendable (NotificationEngine, Instant) -> String?

    /// A bucket for the notifications of a rule.
    enum Limit: Sendable {
        /// The notifications are exempt.
        case none
        /// They share a bucket with less urgent ones.
        case general
        /// They have the bucket of what a person acts on immediately.
        case departures
        /// Those with a sound have the bucket of what a person acts on immediately, the others the general one.
        case departuresIfSounding
    }

    init(
        _ name: String, _ sentence: String, isOn: Bool = true, isOnForFavorites: Bool? = nil,
        subjects: Set<SubjectKind> = [], isUrgent: Bool = false, passesQuietHours: Bool = false,
        limit: Limit = .general,
        forecast: @escaping @Sendable (NotificationEngine, Instant) -> String? = { _, _ in nil }
    ) {
        rawValue = name
        self.sentence = sentence
        isOnByDefault = isOn
        isOnForFavoritesByDefault = isOnForFavorites
        self.subjects = subjects
        self.isUrgent = isUrgent
        self.passesQuietHours = passesQuietHours
        self.limit = limit
        self.forecast = forecast
    }

    /// Returns the rule with a name; `nil` if there is none.
    package init?(rawValue: String) {
        guard let rule = Self.byName[rawValue] else { return nil }
        self = rule
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

extension NotificationRule: Hashable, CaseIterable {
    /// All rules, in the order in which `notify list` shows them.
    package static let allCases: [NotificationRule] = {
        let all = Rules.all.flatMap { $0.rules }
        return (listedFirst + all).uniqued()
    }()

    /// The rules that riders change most come first. The others follow in the order of ``Rules/all``.
    private static let listedFirst: [NotificationRule] = [
        .leave, .delay, .canceled, .skipped, .change, .unseen, .early, .platform, .last, .getoff, .alert, .crowding,
        .weather,
    ]

    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension NotificationRule: Codable, CodingKeyRepresentable {}

extension NotificationRule: CustomStringConvertible {
    package var description: String { rawValue }
}
