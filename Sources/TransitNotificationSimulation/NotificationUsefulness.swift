package import TransitModel
package import TransitNotifications

/// Whether a notification helped one person, judged by what really departed.
///
/// A notification is useful if it made this person leave, wait, choose otherwise or look, rightly and in time. The
/// definition does not depend on the engine: it compares what the notification said with the recorded departures and with
/// what the person did. `verdict` is the definition:
///
/// - `leave` is useful if it is about the departure that the person took, came before the person had to leave, and a
///   person who left at the advised time caught the departure and waited at the stop for at most 15 minutes. Advice that
///   a later notification corrected in time is judged by the correction. A notice about another departure is not
///   useful, unless a person who follows it reaches the stop in time for the departure that overtook it.
/// - `delay` is useful if the departure left at least three minutes late, or the notification took back a delay, and the
///   notification came before the person left for it. After that, it helps only from five minutes on, to wait or to
///   choose otherwise. An expected time more than two minutes after the real one makes a person miss the departure.
/// - `canceled` and `skipped` are useful if the departure did not serve the stop, and the person wanted it and had not
///   boarded anything else. That it runs again is useful if the person then took it.
/// - `early` and `platform` are useful if they are about the departure that the person took and came before it.
/// - `unseen` is useful if the departure did not run or left at least five minutes late, and the person wanted it.
/// - `getoff` is useful if it is about the departure that the person is on and came one to six minutes before the
///   arrival.
/// - `last` is useful if the person took the last departure, or had to choose it now.
/// - `alert` is useful if the alert concerns a journey of the next three hours, or is about one under way.
/// - Anything else does not need a sound, so a sounding one is not useful.
package enum NotificationUsefulness {
    /// What one notification said.
    package struct Notice: Hashable, Sendable {
        package var rule: NotificationRule
        /// When the person saw it.
        package var shown: Instant
        /// The departure; `nil` for other subjects.
        package var trip: TripID?
        package var scheduled: Instant?
        package var expected: Instant?
        /// When it said to leave; `nil` if it did not.
        package var leaveBy: Instant?
        /// Whether it says that a departure that was canceled runs again.
        package var isReinstatement = false
        /// Whether the subject of an alert concerns the person.
        package var isRelevantAlert = false

        package init(rule: NotificationRule, shown: Instant, trip: TripID? = nil) {
            self.rule = rule
            self.shown = shown
            self.trip = trip
        }
    }

    /// A departure that the person could take.
    package struct Train: Hashable, Sendable {
        package var trip: TripID
        package var scheduled: Instant
        /// When it left the stop; `nil` if it did not serve it.
        package var departed: Instant?
        /// When it reached the destination.
        package var arrives: Instant
    }

    /// One way of a person on one day, as it really was.
    package struct Journey: Hashable, Sendable {
        /// The walk to the stop in seconds.
        package var walk: Int
        /// When the person could leave. A person who always takes one departure is ready shortly before it is time to
        /// leave.
        package var ready: Instant
        /// When the person left. A person who is notified leaves at the advised time, if ready; any other person leaves
        /// two minutes before the walk to the scheduled departure.
        package var left: Instant
        /// The departures of the day near the journey, in the order of their scheduled times.
        package var trains: [Train]
        /// The departure that the person always takes; `nil` without such a habit.
        package var intended: TripID?
        /// The first departure that the person could catch after being ready; `nil` if there was none.
        package var taken: Train?

        package init(walk: Int, ready: Instant, trains: [Train], intended: TripID? = nil) {
            self.walk = walk
            self.ready = ready
            left = ready
            self.trains = trains
            self.intended = intended
            let atStop = ready.advanced(by: walk)
            taken = trains.filter { $0.departed.map { $0 >= atStop } ?? false }
                .min { ($0.departed ?? $0.scheduled) < ($1.departed ?? $1.scheduled) }
        }

        /// The departure that the person would have taken if the timetable were true.
        package var wanted: TripID? {
            intended ?? trains.first { $0.scheduled >= ready.advanced(by: walk) }?.trip
        }

        /// When the person leaves without a notification.
        package var leavesUnadvised: Instant {
            let planned = train(wanted)?.scheduled.advanced(by: -walk - 120)
            return [ready, planned ?? ready].max() ?? ready
        }

        package func train(_ trip: TripID?) -> Train? { trains.first { $0.trip == trip } }
    }

    /// The result, with its reason as a phrase.
    package enum Verdict: Hashable, Sendable {
        case useful(String)
        case useless(String)

        package var isUseful: Bool { if case .useful = self { true } else { false } }
        package var reason: String {
            switch self {
            case .useful(let reason), .useless(let reason): reason
            }
        }
    }

    /// The longest wait at the stop that advice may cause, in seconds.
    package static let maximumWait = 15 * 60
    /// How late a departure is when a delay is worth a notification, in seconds.
    package static let minimumDelay = 180
    /// How late a departure is when a notification helps a person who already left, in seconds.
    package static let longDelay = 300
    /// By how much a departure may leave before the time that was shown, in seconds.
    package static let tolerance = 120

    /// Judges one notification.
    ///
    /// - Parameters:
    ///   - journey: The journey that the notification is about; `nil` if the person makes none with this departure.
    ///   - later: The later notifications about the same departure, in order.
    package static func verdict(_ notice: Notice, _ journey: Journey?, later: [Notice] = []) -> Verdict {
        if notice.rule == .alert {
            return notice.isRelevantAlert
                ? .useful("the alert concerns this journey") : .useless("the alert changes nothing for this person")
        }
        guard let journey else { return .useless("the person makes no journey with it") }
        guard let train = journey.train(notice.trip) else { return .useless("not a departure of this journey") }
        switch notice.rule {
        case .leave: return leave(notice, train, journey, later)
        case .delay: return delay(notice, train, journey, later)
        case .canceled, .skipped: return canceled(notice, train, journey)
        case .early, .platform:
            guard train.trip == journey.taken?.trip else { return .useless("not the departure that was taken") }
            guard let departed = train.departed, notice.shown <= departed else { return .useless("too late") }
            if notice.rule == .early, train.scheduled.seconds(to: departed) > -30 {
                return .useless("it did not leave early")
            }
            return .useful(notice.rule == .early ? "left early, and was caught" : "went to the right platform")
        case .unseen:
            guard train.trip == journey.wanted || train.trip == journey.taken?.trip else {
                return .useless("not a departure that the person wanted")
            }
            guard let departed = train.departed else { return .useful("it did not run") }
            return train.scheduled.seconds(to: departed) >= longDelay
                ? .useful("it came \(minutes(train.scheduled.seconds(to: departed))) min late")
                : .useless("it ran as planned")
        case .getoff:
            guard train.trip == journey.taken?.trip else { return .useless("not on this train") }
            let ahead = notice.shown.seconds(to: train.arrives)
            return (30...360).contains(ahead)
                ? .useful("\(ahead) s before the arrival") : .useless("\(ahead) s before the arrival")
        case .last:
            guard notice.shown <= journey.ready.advanced(by: 3600) else { return .useless("the person is home") }
            return .useful("the last way home")
        default: return .useless("needs no sound")
        }
    }

    private static func leave(_ notice: Notice, _ train: Train, _ journey: Journey, _ later: [Notice]) -> Verdict {
        guard let taken = journey.taken else {
            return train.departed == nil ? .useless("it did not run") : .useless("no departure was taken")
        }
        guard train.trip == taken.trip, let departed = train.departed else {
            guard let departed = train.departed else { return .useless("it did not run") }
            if departed < journey.ready.advanced(by: journey.walk) {
                return .useless("the person was not ready for it")
            }
            if let leaveBy = notice.leaveBy, let boarded = taken.departed, notice.shown <= journey.left,
                leaveBy.advanced(by: 60) >= journey.ready,
                (0...maximumWait).contains(leaveBy.advanced(by: journey.walk).seconds(to: boarded))
            {
                return .useful("left in time for \(taken.trip), which came first")
            }
            return .useless("the person took \(taken.trip)")
        }
        if notice.shown > departed { return .useless("it had left") }
        let corrections = later.filter { $0.shown <= min(journey.left, departed) && $0.leaveBy != nil }
        let advised = (corrections.last ?? notice).leaveBy ?? departed.advanced(by: -journey.walk)
        let wasCorrected = !corrections.isEmpty
        if notice.shown.advanced(by: journey.walk) > departed { return .useless("too late to catch it") }
        if notice.shown > journey.left { return .useless("the person was on the way") }
        let wait = advised.advanced(by: journey.walk).seconds(to: departed)
        if wait < 0 { return .useless("the advice misses it by \(-wait) s") }
        if wait > maximumWait { return .useless("the advice waits \(minutes(wait)) min at the stop") }
        return .useful("left for it, \(minutes(wait)) min at the stop\(wasCorrected ? ", as corrected" : "")")
    }

    private static func delay(_ notice: Notice, _ train: Train, _ journey: Journey, _ later: [Notice]) -> Verdict {
        guard train.trip == journey.taken?.trip || train.trip == journey.wanted else {
            return .useless("not a departure that the person wanted")
        }
        guard let departed = train.departed else { return .useful("it did not come, and the person looked") }
        if notice.shown >= departed { return .useless("it had left") }
        if let taken = journey.taken, let boarded = taken.departed, notice.shown > boarded {
            return .useless("the person was on another train")
        }
        let late = train.scheduled.seconds(to: departed)
        let delay = notice.expected.map { train.scheduled.seconds(to: $0) } ?? late
        if delay < minimumDelay {
            // It takes back a delay.
            return notice.shown <= journey.left || notice.expected.map { departed.seconds(to: $0) <= tolerance } ?? true
                ? .useful("the person knows that it is on time again") : .useless("too late to change anything")
        }
        if late < minimumDelay - 30 { return .useless("it was only \(minutes(late)) min late") }
        if let expected = notice.expected, departed.seconds(to: expected) > tolerance {
            let isCorrected = later.contains { next in
                next.shown < min(journey.left, departed)
                    && next.expected.map { departed.seconds(to: $0) <= tolerance } ?? false
            }
            return isCorrected
                ? .useful("waited, and was corrected in time")
                : .useless("it left \(minutes(departed.seconds(to: expected))) min before the expected time")
        }
        if notice.shown <= journey.left { return .useful("could wait: \(minutes(late)) min late") }
        return late >= longDelay
            ? .useful("knew why to wait: \(minutes(late)) min late") : .useless("the person was on the way")
    }

    private static func canceled(_ notice: Notice, _ train: Train, _ journey: Journey) -> Verdict {
        if notice.isReinstatement {
            guard let departed = train.departed, train.trip == journey.taken?.trip else {
                return .useless("the person did not take it")
            }
            return notice.shown.advanced(by: journey.walk) <= departed
                ? .useful("took it after all") : .useless("too late to catch it")
        }
        guard train.departed == nil else { return .useless("it ran after all") }
        guard train.trip == journey.wanted || train.trip == journey.intended else {
            return .useless("not a departure that the person wanted")
        }
        if let boarded = journey.taken?.departed, notice.shown > boarded { return .useless("too late") }
        return .useful(journey.taken.map { "took \($0.trip) instead" } ?? "stayed")
    }

    private static func minutes(_ seconds: Int) -> Int { Int((Double(seconds) / 60).rounded()) }
}
