internal import TransitModel

/// What is remembered of one run: its phase, what was told, and the evidence for what may be told next.
struct RunMemory: Hashable, Sendable {
    enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The run is watched, and nothing was told.
        case armed
        /// The notice to leave was told.
        case announced
        /// Something that differs from the notice to leave, or from the timetable, was told.
        case changed
        /// The run is canceled, and another one is watched instead.
        case replaced
        /// The user took it.
        case caught
    }

    /// What the bubble of the run says.
    struct BubbleContent: Hashable, Sendable {
        var expected: Instant?
        /// The delay in seconds; `nil` if it said none.
        var delay: Int?
        var platform: String?
        var status: CallStatus?
        /// Whether it says that the source does not report the departure.
        var isMissing = false
    }

    /// What the notice to leave said.
    struct Leave: Hashable, Sendable {
        /// ``DepartureTiming/basis``.
        var basis: Instant
        /// ``DepartureTiming/lowerBound(at:)``.
        var lowerBound: Instant
        /// The time to leave became later, and the notice is repeated then.
        var isRepeated = false
    }

    /// The time to leave that a notification named, which a person follows until it is corrected.
    struct Advice: Hashable, Sendable {
        var leaveBy: Instant
        /// ``DepartureTiming/basis``.
        var basis: Instant
        /// ``DepartureTiming/lowerBound(at:)``.
        var lowerBound: Instant
        /// Whether a notification that named it had a sound, so that its correction has one too.
        var hasSound: Bool
    }

    /// What the source last said about whether the departure runs.
    struct Report: Hashable, Sendable {
        var isRunning: Bool
        /// The time since which it has said so.
        var since: Instant
        /// Whether it was canceled or skipped at any time.
        var wasCanceled: Bool
        /// When it reinstated the departure, or canceled it again, newest last.
        var reversals: [Instant] = []

        static let maximumReversals = 2
    }

    /// How far the user was notified of a source that contradicts itself.
    enum Contradiction: String, Hashable, Sendable, CaseIterable {
        /// The source has reversed itself twice, and no notification says so yet.
        case detected
        /// A notification says so. Nothing follows until the source is settled or it is time to leave.
        case shown
        /// It was time to leave, and a notification said what the source reported then.
        case concluded
    }

    /// Messages of the source that agree.
    struct Evidence: Hashable, Sendable {
        /// The time of the last message.
        var measured: Instant
        var count: Int
    }

    let departure: DepartureKey
    var kind: SubjectKind
    var name: String
    var phase = Phase.armed
    var told: BubbleContent?
    var leave: Leave?
    /// Whether a delay was told that is not yet back to normal.
    var isDelayTold = false
    var isEarlyTold = false
    var isUnseenTold = false
    var isLastTold = false
    var isGetoffTold = false
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
    var report: Report?
    /// Since when the source has not reported the departure, although it should.
    var missingSince: Instant?
    var contradiction: Contradiction?
    /// Messages with a delay that is not told yet.
    var late: Evidence?
    /// Messages without a delay, after one was told.
    var normal: Evidence?
    var early: Evidence?
    /// Messages that the run takes place, after a cancellation.
    var running: Evidence?
    /// The message from which the time to leave was last compared with the one that was told.
    var judged: Instant?
    /// The run that is watched instead.
    var replacement: DepartureKey?
    /// The rules of which a decision was suppressed and is recorded.
    var withheld: Set<NotificationRule> = []
    /// The last known expected or scheduled departure.
    var time: Instant
    /// The last known arrival of a run that was taken.
    var arrival: Instant?

    init(_ departure: DepartureKey, kind: SubjectKind, name: String) {
        self.departure = departure
        self.kind = kind
        self.name = name
        time = departure.scheduled
    }

    var bubbleKey: String { departure.bubbleKey }
    /// Whether the user knows about the run.
    var isTold: Bool { told != nil }
    var isCancellationTold: Bool { told?.status.map { !$0.isRunning } ?? false }

    /// Counts a message for a condition, or forgets the earlier ones.
    static func count(_ evidence: inout Evidence?, _ holds: Bool, _ measured: Instant) {
        guard holds else {
            evidence = nil
            return
        }
        guard let last = evidence else {
            evidence = Evidence(measured: measured, count: 1)
            return
        }
        // A message that is older than the last one is the same data from another source or before a step of the clock.
        if last.measured != measured { evidence = Evidence(measured: measured, count: min(2, last.count + 1)) }
    }

    /// Whether a person who follows the advice has left, or is about to.
    func isOnTheWay(at now: Instant) -> Bool {
        advice.map { now >= $0.leaveBy.advanced(by: -Self.departing) } ?? false
    }

    /// The time before the named one at which a person leaves, in seconds.
    static let departing = 60

    /// Remembers the time to leave that a notification named.
    mutating func advise(_ decision: NotificationDecision, _ context: RunContext) {
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
        judged = context.observation.measured
    }

    /// Remembers what a decision in this context says.
    mutating func tell(_ context: RunContext) {
        let observation = context.observation
        told = BubbleContent(
            expected: DepartureTiming.reliable(observation), delay: context.delay ?? told?.delay,
            platform: observation.isFresh ? observation.platform ?? told?.platform : told?.platform,
            status: observation.status, isMissing: observation.isMissing)
        if let delay = context.delay {
            if delay >= context.settings.delayFirst { isDelayTold = true }
            if delay <= -context.settings.earlyFirst { isEarlyTold = true }
        }
        late = nil
        normal = nil
        early = nil
    }
}

extension DepartureKey {
    /// The key of the bubble of this run: letters, digits and hyphens, which every program accepts.
    var bubbleKey: String { "departure-" + identity }

    /// A stable digest of the key, as 16 hexadecimal digits (FNV-1a; Fowler, Noll and Vo).
    var identity: String {
        let text =
            "\(feed)\n\(route)\n\(direction.map { Int($0.rawValue) } ?? -1)\n\(stop)\n\(scheduled.secondsSince1970)\n"
            + "\(serviceDate.daysSince1970)"
        return StableDigest.hexadecimal(text)
    }
}

/// A digest that is the same in every process, unlike `Hasher`.
package enum StableDigest {
    /// Returns 16 hexadecimal digits (FNV-1a, 64 bits).
    package static func hexadecimal(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
