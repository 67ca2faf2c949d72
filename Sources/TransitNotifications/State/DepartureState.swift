internal import TransitModel

/// The state of one departure: its phase, what was shown, and the memories of the rules.
struct DepartureState: RuleState, Codable, Hashable, Sendable {
    enum Phase: String, Codable, Hashable, Sendable, CaseIterable {
        /// The departure is watched, and nothing was shown.
        case armed
        /// The notice to leave was shown.
        case announced
        /// Something that differs from the notice to leave, or from the timetable, was shown.
        case changed
        /// The departure is canceled, and another one is watched instead.
        case replaced
        /// The user took it.
        case caught
    }

    /// What the last notification about the departure said.
    struct Shown: Codable, Hashable, Sendable {
        var expected: Instant?
        /// The delay in seconds; `nil` if it said none.
        var delay: Int?
        var platform: String?
        var status: CallStatus?
        /// Whether it says that the source does not report the departure.
        var isMissing = false
    }

    /// What the notice to leave said.
    struct Leave: Codable, Hashable, Sendable {
        /// ``DepartureTiming/basis``.
        var basis: Instant
        /// ``DepartureTiming/lowerBound(at:)``.
        var lowerBound: Instant
        /// The time to leave became later, and the notice is repeated then.
        var isRepeated = false
    }

    /// The time to leave that a notification named, which a person follows until it is corrected.
    struct Advice: Codable, Hashable, Sendable {
        var leaveBy: Instant
        /// ``DepartureTiming/basis``.
        var basis: Instant
        /// ``DepartureTiming/lowerBound(at:)``.
        var lowerBound: Instant
        /// Whether a notification that named it had a sound, so that its correction has one too.
        var hasSound: Bool
    }

    /// Consecutive messages from the source that agree.
    struct Evidence: Codable, Hashable, Sendable {
        /// The time of the last message.
        var measured: Instant
        /// 1 or, for two and more, 2.
        var count: Int

        /// Returns the evidence after a message; `nil` if the message does not agree.
        static func counting(_ earlier: Self?, _ holds: Bool, _ measured: Instant) -> Self? {
            guard holds else { return nil }
            // A message with the same time is the same data from another source.
            guard let earlier, earlier.measured != measured else {
                return earlier ?? Self(measured: measured, count: 1)
            }
            return Self(measured: measured, count: 2)
        }
    }

    let departure: DepartureKey
    var kind: SubjectKind
    var name: String
    var phase = Phase.armed
    var shown: Shown?
    var leave: Leave?
    /// Whether the notice to leave became due during suspend.
    var isLeaveMissed = false
    /// Whether the user asked for the next departure instead.
    var isPassedUp = false
    /// Whether a notification said that the departure can no longer be caught.
    var isGivenUp = false
    /// Whether it counts as an announced departure of its commute's window.
    var isCounted = false
    /// Whether its notifications have no sound, because an earlier departure of the commute was announced with one.
    var isSilent = false
    var advice: Advice?
    /// Since when the source has not reported the departure, although it should.
    var missingSince: Instant?
    /// The message from which the time to leave was last compared with the one that was shown.
    var compared: Instant?
    /// The departure that is watched instead.
    var replacement: DepartureKey?
    /// The rules of which a decision was suppressed and is recorded.
    var withheld: Set<NotificationRule> = []
    /// The last known expected or scheduled departure.
    var time: Instant
    /// The last known arrival of a departure that was taken.
    var arrival: Instant?
    private var rules = RuleMemories()

    subscript<R: Rule>(rule: R.Type) -> R.Memory {
        get { rules[rule] }
        set { rules[rule] = newValue }
    }

    init(_ departure: DepartureKey, kind: SubjectKind, name: String) {
        self.departure = departure
        self.kind = kind
        self.name = name
        time = departure.scheduled
    }

    var notificationKey: String { departure.notificationKey }
    /// Whether the user knows about the departure.
    var hasBeenShown: Bool { shown != nil }
    var hasReportedCancellation: Bool { shown?.status.map { !$0.isRunning } ?? false }

    /// Whether a person who follows the advice has left, or is about to.
    func isOnTheWay(at now: Instant) -> Bool {
        advice.map { now >= $0.leaveBy.advanced(by: -Self.departing) } ?? false
    }

    /// The time before the named one at which a person leaves, in seconds.
    static let departing = 60

    /// Remembers the time to leave that a notification named.
    mutating func advise(_ decision: NotificationDecision, _ context: DepartureRuleContext) {
        // A person who left follows the advice by which they left.
        guard !isOnTheWay(at: context.now) || phase == .replaced || phase == .caught else { return }
        guard phase != .replaced, phase != .caught, let leaveBy = decision.leaveBy,
            context.timing.canBeCaught(at: context.now)
        else {
            if phase != .announced, phase != .changed { advice = nil }
            return
        }
        advice = Advice(
            leaveBy: leaveBy, basis: context.timing.basis, lowerBound: context.timing.lowerBound(at: context.now),
            hasSound: decision.hasSound || advice?.hasSound ?? false)
        compared = context.observation.measured
    }

    /// Records that the user is in the vehicle.
    mutating func board() {
        guard phase != .caught else { return }
        phase = .caught
        (leave, advice, withheld) = (nil, nil, [])
    }

    /// Records that a notification shows what is known in this context.
    mutating func notify(_ context: DepartureRuleContext) {
        let observation = context.observation
        shown = Shown(
            expected: DepartureTiming.reliable(observation), delay: context.delay ?? shown?.delay,
            platform: observation.isFresh ? observation.platform ?? shown?.platform : shown?.platform,
            status: observation.status, isMissing: observation.isMissing)
        for rule in Rules.departures { rule.notified(context, &self) }
    }

    /// Records that a notification shows a change, unless an earlier notification showed another change of the
    /// departure.
    mutating func notifyChange(_ context: DepartureRuleContext) {
        notify(context)
        if phase == .armed || phase == .announced { phase = .changed }
    }
}

extension DepartureState: Identifiable, Comparable {
    var id: DepartureKey { departure }

    /// The order of the scheduled times.
    static func < (left: Self, right: Self) -> Bool {
        let (one, other) = (left.departure.scheduled, right.departure.scheduled)
        return one == other ? left.notificationKey < right.notificationKey : one < other
    }
}

extension DepartureKey {
    /// The key of the notifications about this departure: letters, digits and hyphens, which every program accepts.
    var notificationKey: String { "departure-" + identity }

    /// A stable hash of the key, as 16 hexadecimal digits (FNV-1a; Fowler, Noll and Vo).
    var identity: String {
        let text =
            "\(feed)\n\(route)\n\(direction.map { Int($0.rawValue) } ?? -1)\n\(stop)\n\(scheduled.secondsSince1970)\n"
            + "\(serviceDate.daysSince1970)"
        return StableHash.hexadecimal(text)
    }
}

/// A hash that is the same in every process, unlike `Hasher`.
package enum StableHash {
    /// Returns 16 hexadecimal digits (FNV-1a, 64 bits).
    package static func hexadecimal(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
