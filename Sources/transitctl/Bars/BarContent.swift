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
    /// A change of the journey may not be reached.
    case tight
    /// A change of the journey will not be reached.
    case missed
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
    /// How a journey continues after the departure, such as "then F, change tight"; empty for a direct trip.
    var continuation = ""
    /// How old the data is and why, such as "offline for 3 min"; empty for current data.
    var freshness = ""
    var tooltip: [String] = []
    var classes: [BarClass]
    /// The departure of the text, for templates; `nil` if none runs.
    var departure: Departure?

    /// What a template adds to its text.
    var note: String { [preface, continuation, freshness].filter { !$0.isEmpty }.joined(separator: ", ") }

    /// The whole text of a bar that has no template.
    var line: String { [preface, text, freshness].filter { !$0.isEmpty }.joined(separator: ", ") }
}

extension BarContent {
    /// The maximum number of columns of a message in the text.
    private static let messageWidth = 60
    /// The maximum number of columns of a line of the tooltip.
    static let tooltipWidth = 120

    /// Determines what to show.
    ///
    /// - Parameter clock: Set to the daemon's time. Collects when the content changes.
    init(_ state: BarState, _ now: BarTime, _ clock: inout BarClock) {
        let entries = state.entries(now)
        for entry in entries { entry.departure.lastMoment.map { clock.changes(at: $0) } }
        let time = state.daemonTimestamp(now)
        freshness = ""
        let main = state.main(entries, now)
        if let main {
            let (entry, earlier) = (entries[main], entries[..<main])
            let runs = entry.departure.runs
            preface = Self.preface(earlier, time, &clock)
            departure = runs ? entry.departure : nil
            (text, short) = runs ? entry.text(time, &clock) : entry.departure.barFailureTexts(time, &clock)
            continuation = entry.continuation
            classes = entry.classes
            if earlier.contains(where: { !$0.departure.runs }) {
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
        addFreshness(state, main.map { entries[$0] }, now, &clock)
        if state.board == nil {
            (text, freshness) = (freshness.isEmpty ? "waiting for transitd" : freshness, "")
            short = text
        }
        let title = state.board.map { [$0.title] } ?? []
        let lines = entries.enumerated().flatMap { $1.tooltip(isMain: $0 == main, time, &clock) }
        tooltip = title + tooltip + lines + (state.board?.notices ?? []) + Self.problem(state, now)
    }

    private static func preface(_ earlier: ArraySlice<BarEntry>, _ now: Timestamp, _ clock: inout BarClock) -> String {
        var parts: [String] = []
        let earlier = earlier.map(\.departure)
        // A departure that can no longer be caught is still worth knowing for someone at the stop.
        if let missed = earlier.first(where: \.runs) { parts.append(missed.barDeparture(&clock)) }
        let canceled = earlier.filter { !$0.runs }
        if canceled.count == 1 { parts.append(canceled[0].barFailure(now, &clock)) }
        if canceled.count > 1 { parts.append("\(canceled.count) departures canceled") }
        return parts.joined(separator: ", ")
    }

    private mutating func addFreshness(
        _ state: BarState, _ main: BarEntry?, _ now: BarTime, _ clock: inout BarClock
    ) {
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
        } else if let main, main.departure.runs, let oldest = main.oldestRide {
            freshness = (duration(state.age(of: oldest, now)).map { "\($0) old" }) ?? "old"
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
