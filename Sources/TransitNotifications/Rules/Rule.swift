package import TransitModel

// How a rule is written
//
//     enum SeatReservedRule: DepartureRule {
//         static let rules: [NotificationRule] = [.seatReserved]       what users turn on and off
//         struct Settings: RuleSettings { … }                          what they can change, with its types
//         struct Memory: RuleMemory { … }                              what the rule remembers of a departure
//         static func decide(…) -> [NotificationDecision] { … }        when it notifies, and of what
//         static func nextMoment(…) -> Instant? { … }                  when time alone changes its mind
//     }
//
// and `SeatReservedRule.self` in `Rules.all`. Each part has a default and can be left out.

/// A rule decides what a user is notified of.
///
/// It is a pure function of a context, which is what is known now, and of a state, which contains what was known and
/// shown before. A ``DepartureRule`` decides about one departure, a ``GeneralRule`` about everything else. The engine
/// does what all rules have in common: it evaluates those that are on, numbers their decisions, and applies mutes, days
/// off, quiet hours, the limits and the digest.
package protocol Rule: Sendable {
    /// The input of the rule.
    associatedtype Context
    /// What was known and shown before. It contains the memory of each rule: `state[Self.self]`.
    associatedtype State: RuleState
    /// What users can change: `context.settings[Self.self]`.
    associatedtype Settings: RuleSettings = NoSettings
    /// What the rule remembers. It is saved, and read by later versions.
    associatedtype Memory: RuleMemory = NoMemory

    /// Identifies the memory of the rule in the saved state. It never changes.
    static var name: String { get }

    /// The user-visible rules under whose names it decides. A rule that decides under the name of another one has none.
    static var rules: [NotificationRule] { get }

    /// Returns the decisions, and changes the state to what it is after they were shown.
    static func decide(_ context: Context, _ state: inout State) -> [NotificationDecision]

    /// Returns the next moment at which the rule can decide without new data; `nil` if there is none.
    static func nextMoment(_ context: Context, _ state: State) -> Instant?
}

extension Rule {
    /// The part of the names of its settings before the period.
    package static var group: String { rules.first?.rawValue ?? name }
    package static var name: String { rules.first?.rawValue ?? "\(Self.self)" }
    package static var rules: [NotificationRule] { [] }
    package static func decide(_ context: Context, _ state: inout State) -> [NotificationDecision] { [] }
    package static func nextMoment(_ context: Context, _ state: State) -> Instant? { nil }
}

/// A rule about one departure. It returns at most one decision.
///
/// The state is a copy, which becomes the departure's state when the decision is shown. If the decision is suppressed,
/// everything stays as it was, so that the rule decides again when the reason is gone.
protocol DepartureRule: Rule where Context == DepartureRuleContext, State == DepartureState {
    /// The situation of a departure in which the rule decides.
    static var situation: DepartureSituation { get }

    /// Updates the memory from an observation, before any rule decides.
    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState)

    /// Updates the memory after a notification of any rule was shown, whose text contains everything that is known.
    static func notified(_ context: DepartureRuleContext, _ state: inout DepartureState)
}

extension DepartureRule {
    static var situation: DepartureSituation { .expected }
    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState) {}
    static func notified(_ context: DepartureRuleContext, _ state: inout DepartureState) {}
}

/// A rule that does not belong to one departure: about alerts, timetables, feeds, or the user's days.
package protocol GeneralRule: Rule where Context == GeneralRuleContext, State == RuleMemories {
    /// Whether the rule forgets everything while it is off, so that it begins quietly when it is turned on.
    static var forgetsWhenOff: Bool { get }
}

extension GeneralRule {
    package static var forgetsWhenOff: Bool { true }
}

/// What a rule remembers. Members that a later version adds are optional, because saved states lack them.
package protocol RuleMemory: Codable, Hashable, Sendable {
    /// Creates the memory of a rule that has shown nothing.
    init()
}

/// What users can change about a rule. ``init(_:)`` both defines the settings and reads their values:
///
///     struct Settings: RuleSettings {
///         var before: Int
///         init(_ read: inout SettingReader) {
///             before = read.duration("before", .minutes, 10, 1...60, "You are notified this long before.")
///         }
///     }
package protocol RuleSettings: Sendable {
    init(_ read: inout SettingReader)
}

/// The settings of a rule that has none besides `on`.
package struct NoSettings: RuleSettings {
    package init(_ read: inout SettingReader) {}
}

/// The memory of a rule that remembers nothing.
package struct NoMemory: RuleMemory {
    package init() {}
}
