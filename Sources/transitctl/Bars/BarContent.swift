internal import TransitControl
internal import TransitModel

/// The state of what a bar shows, for its style sheet. Each state is also in the text.
enum BarClass: String {
    /// The time comes from current realtime data.
    case live
    /// The time comes from the timetable, or is estimated.
    case scheduled
    /// The departure is at least a minute late.
    case late
    /// A departure that would have come first is canceled.
    case canceled
    /// The data is old, or the daemon does not respond.
    case stale
    /// The daemon cannot be reached, or has no answer.
    case offline
    /// There are no departures.
    case none
}

/// What a bar shows at one moment, without markup.
struct BarContent: Equatable {
    /// The departure, such as "24 leave in 4 min (08:12, +2 min late)", or why there is none.
    var text: String
    /// The same for a narrow bar, such as "24 4 min +2".
    var short: String
    /// What happens to departures before the main one, such as "24 08:12 canceled"; empty for nothing.
    var preface = ""
    /// How old the data is and why, such as "offline for 3 min"; empty for current data.
    var freshness = ""
    var tooltip: [String] = []
    var classes: [BarClass]
    /// The departure of the text, for templates; `nil` if none runs.
    var departure: Departure?

    /// What a template adds to its text.
    var note: String { [preface, freshness].filter { !$0.isEmpty }.joined(separator: ", ") }

    /// The whole text of a bar that has no template.
    var line: String { [preface, text, freshness].filter { !$0.isEmpty }.joined(separator: ", ") }
}

extension BarContent {
    /// The maximum number of columns of a message in the text.
    private static let messageWidth = 60

    /// Determines what to show.
    ///
    /// - Parameter clock: Set to the daemon's time. Collects when the content changes.
    init(_ state: BarState, _ now: BarTime, _ clock: inout BarClock) {
        let departures = state.departures(now)
        for departure in departures { departure.lastMoment.map { clock.changes(at: $0) } }
        let time = state.daemonTimestamp(now)
        freshness = ""
        if let main = state.main(departures, now) {
            let earlier = departures.prefix { $0.id != main.id }
            preface = Self.preface(earlier, time, &clock)
            departure = main.runs ? main : nil
            (text, short) = main.runs ? main.barText(time, &clock) : main.barFailureTexts(time, &clock)
            classes = main.barClasses
            if earlier.contains(where: { !$0.runs }) {
                classes.append(.canceled)
                short += ", earlier canceled"
            }
        } else if let board = state.board {
            text = state.isUnconfirmed(now) || state.failure != nil ? "no known departures" : "no departures"
            (short, classes) = ("none", [.none])
            tooltip = [board.emptyText]
        } else {
            (text, short, classes) = ("", "", [.offline])
        }
        addFreshness(state, now, &clock)
        if state.board == nil {
            (text, freshness) = (freshness.isEmpty ? "waiting for transitd" : freshness, "")
            short = text
        }
        let title = state.board.map { [$0.title] } ?? []
        tooltip =
            title + tooltip + departures.map { $0.barTooltip(time, &clock) } + (state.board?.notices ?? [])
            + Self.problem(state, now)
    }

    private static func preface(_ earlier: ArraySlice<Departure>, _ now: Timestamp, _ clock: inout BarClock) -> String {
        var parts: [String] = []
        // A departure that can no longer be caught is still worth knowing for someone at the stop.
        if let missed = earlier.first(where: \.runs) { parts.append(missed.barDeparture(&clock)) }
        let canceled = earlier.filter { !$0.runs }
        if canceled.count == 1 { parts.append(canceled[canceled.startIndex].barFailure(now, &clock)) }
        if canceled.count > 1 { parts.append("\(canceled.count) departures canceled") }
        return parts.joined(separator: ", ")
    }

    private mutating func addFreshness(_ state: BarState, _ now: BarTime, _ clock: inout BarClock) {
        func duration(_ milliseconds: Int64?) -> String? {
            guard let milliseconds else { return nil }
            let minutes = clock.minutes(since: clock.now - milliseconds)
            return minutes == 0 ? nil : BarDuration.words(minutes: minutes)
        }
        let silence = duration(state.isUnconfirmed(now) ? state.silence(now) : nil)
        if case .lost = state.connection {
            freshness = "offline" + (silence.map { " for \($0)" } ?? "")
            mark(.offline, "offline")
        } else if state.isSilent(now) {
            freshness = "no response" + (silence.map { " for \($0)" } ?? "")
            mark(.stale, "no response")
        } else if let failure = state.failure {
            freshness = DisplayWidth.cut(SafeText.clean(failure), to: Self.messageWidth)
            mark(.offline, "no answer")
        } else if let departure, departure.isBarDataOld {
            freshness = (duration(state.age(of: departure, now)).map { "\($0) old" }) ?? "old"
            mark(.stale, "old")
        }
    }

    /// Adds the class of data that may not be current, and its word for a narrow bar, which has no room for more.
    private mutating func mark(_ doubt: BarClass, _ word: String) {
        short += ", \(word)"
        classes.removeAll { $0 == .live || $0 == doubt }
        classes.append(doubt)
    }

    private static func problem(_ state: BarState, _ now: BarTime) -> [String] {
        switch state.connection {
        case .lost(let message): ["Connection lost; reconnecting.", message]
        case .connected where state.isSilent(now): ["transitd does not respond."]
        case .connected: state.failure.map { [$0] } ?? []
        case .starting: []
        }
    }
}

/// Formats short durations.
enum BarDuration {
    /// Returns a text such as "7 min", "1 h 5 min" or "-2 min".
    static func words(minutes: Int) -> String {
        let (sign, minutes) = (minutes < 0 ? "-" : "", abs(minutes))
        guard minutes >= 60 else { return "\(sign)\(minutes) min" }
        return "\(sign)\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    }
}

extension Departure {
    /// The route's name for the bar.
    private var barRoute: String { SafeText.clean(route.displayName) }

    /// A countdown begins this long before, in milliseconds. A bar does not change until then.
    private static let countdown: Int64 = 3_600_000

    private var milliseconds: Int64? { time.map { $0.instant.secondsSince1970 * 1000 } }

    /// The text such as "24 leave in 4 min (08:12)", and a short one such as "24 4 min +2".
    fileprivate func barText(_ now: Timestamp, _ clock: inout BarClock) -> (whole: String, short: String) {
        guard let time else {
            return ("\(barRoute) at an unknown time", barRoute)
        }
        let details = ([Self.clock(time, now, &clock)] + barDetails).joined(separator: ", ")
        let late = delay.flatMap { $0 >= 60 ? " +\($0 / 60)" : nil } ?? ""
        let hasWalk = (walk ?? 0) > 0
        let target = (hasWalk ? leaveBy : nil) ?? time
        let goal = target.instant.secondsSince1970 * 1000
        guard clock.has(reached: goal - Self.countdown + 1) else {
            let leave = hasWalk ? "leave by \(Self.clock(target, now, &clock)) " : ""
            return ("\(barRoute) \(leave)(\(details))", "\(barRoute) \(Self.clock(target, now, &clock))\(late)")
        }
        guard hasWalk, clock.has(reached: goal + BarState.lateness) else {
            let minutes = clock.minutes(until: goal)
            let verb = hasWalk ? "leave " : ""
            guard minutes > 0 else { return ("\(barRoute) \(verb)now (\(details))", "\(barRoute) now\(late)") }
            return ("\(barRoute) \(verb)in \(minutes) min (\(details))", "\(barRoute) \(minutes) min\(late)")
        }
        // Too late to walk: only the fact.
        let departs = barDeparture(&clock)
        return (departs + " (\(details))", "\(barRoute) \(Self.clock(time, now, &clock))\(late)")
    }

    /// A text without advice, such as "24 departs in 3 min".
    fileprivate func barDeparture(_ clock: inout BarClock) -> String {
        guard let milliseconds else { return barRoute }
        let minutes = clock.minutes(until: milliseconds)
        return "\(barRoute) departs \(minutes > 0 ? "in \(minutes) min" : "now")"
    }

    /// A text such as "24 08:12 canceled".
    fileprivate func barFailure(_ now: Timestamp, _ clock: inout BarClock) -> String {
        let moment = (scheduled ?? time).map { Self.clock($0, now, &clock) + " " } ?? ""
        return "\(barRoute) \(moment)\(status == .skipped ? "does not stop" : "canceled")"
    }

    fileprivate func barFailureTexts(_ now: Timestamp, _ clock: inout BarClock) -> (whole: String, short: String) {
        let text = barFailure(now, &clock)
        return (text, text)
    }

    /// What qualifies the time. A live time on time needs no words.
    private var barDetails: [String] {
        var details: [String] = []
        if let delay, let words = DelayText.of(delay) { details.append(words) }
        if source != .live { details.append(source.word) }
        return details
    }

    fileprivate var barClasses: [BarClass] {
        guard runs else { return [.canceled] }
        return [source == .live ? .live : .scheduled] + (delay ?? 0 >= 60 ? [.late] : [])
    }

    /// Whether the realtime data is older than it should be.
    fileprivate var isBarDataOld: Bool { realtimeState == .aging || realtimeState == .expired }

    /// A line with times of day only, which changes only with the result: "08:12 Bus 24 to Airport: platform 2, live,
    /// leave by 08:05".
    fileprivate func barTooltip(_ now: Timestamp, _ clock: inout BarClock) -> String {
        guard runs else {
            let moment = (scheduled ?? time).map { Self.clock($0, now, &clock) } ?? "?"
            return SafeText.clean("\(moment) \(route.words) \(status == .skipped ? "does not stop" : "canceled")")
        }
        var words = "\(time.map { Self.clock($0, now, &clock) } ?? "?") \(route.words)"
        if let headsign, !headsign.isEmpty { words += " to \(headsign)" }
        var parts = [PlatformText.of(stop.platform), source.word, delay.flatMap(DelayText.of)].compactMap { $0 }
        if isBarDataOld { parts.append("old data") }
        if let leaveBy, walk ?? 0 > 0 { parts.append("leave by \(Self.clock(leaveBy, now, &clock))") }
        if let arrival, let time = arrival.time, arrival.status != .skipped {
            parts.append("arrives \(Self.clock(time, now, &clock))")
        }
        return DisplayWidth.cut(SafeText.clean(words + ": " + parts.joined(separator: ", ")), to: 120)
    }

    /// Returns a time of day, such as "08:12" or "tomorrow 08:12".
    private static func clock(_ time: Timestamp, _ now: Timestamp, _ clock: inout BarClock) -> String {
        if time.days(from: now) != 0 {
            let local = now.instant.secondsSince1970 + Int64(now.offset)
            clock.changes(at: ((local / 86_400 + 1) * 86_400 - Int64(now.offset)) * 1000)
        }
        return time.words(from: now)
    }
}
