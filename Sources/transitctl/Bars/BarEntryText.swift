internal import TransitControl
internal import TransitModel

extension BarEntry {
    /// A countdown begins this long before, in milliseconds. A bar does not change until then.
    private static let countdown: Int64 = 3_600_000

    /// The text such as "24 leave in 4 min (08:12)" or "24 then F leave in 4 min (08:12, change tight)", and a short one such
    /// as "24 4 min +2".
    func text(_ now: Timestamp, _ clock: inout BarClock) -> (whole: String, short: String) {
        let name = name
        guard let time = departure.time else { return ("\(name) at an unknown time", name) }
        let change = changeWords.map { [$0] } ?? []
        let details = ([Departure.barClock(time, now, &clock)] + departure.barDetails + change).joined(separator: ", ")
        let late = departure.delay.flatMap { $0 >= 60 ? " +\($0 / 60)" : nil } ?? ""
        let end = ([late] + change).joined(separator: ", ")
        let hasWalk = (departure.walk ?? 0) > 0
        let target = (hasWalk ? departure.leaveBy : nil) ?? time
        let goal = target.instant.secondsSince1970 * 1000
        guard clock.has(reached: goal - Self.countdown + 1) else {
            let moment = Departure.barClock(target, now, &clock)
            let leave = hasWalk ? "leave by \(moment) " : ""
            return ("\(name) \(leave)(\(details))", "\(name) \(moment)\(end)")
        }
        guard hasWalk, clock.has(reached: goal + BarState.lateness) else {
            let minutes = clock.minutes(until: goal)
            let verb = hasWalk ? "leave " : ""
            guard minutes > 0 else { return ("\(name) \(verb)now (\(details))", "\(name) now\(end)") }
            return ("\(name) \(verb)in \(minutes) min (\(details))", "\(name) \(minutes) min\(end)")
        }
        // Too late to walk: only the fact.
        let departs = departure.barDeparture(&clock)
        let rest = changedRoutes.isEmpty ? "" : ", " + continuedRoutes
        return (departs + rest + " (\(details))", "\(name) \(Departure.barClock(time, now, &clock))\(end)")
    }

    var classes: [BarClass] {
        var classes = departure.barClasses
        if departure.runs, let change = worstChange { classes.append(change == .missed ? .missed : .tight) }
        return classes
    }

    /// How the journey continues, such as "then F, change tight"; empty for a direct trip and if the departure does not run.
    var continuation: String {
        guard departure.runs, !changedRoutes.isEmpty else { return "" }
        return ([continuedRoutes] + [changeWords].compactMap(\.self)).joined(separator: ", ")
    }

    /// The ride whose realtime data is oldest of those with data older than it should be; `nil` if none is.
    var oldestRide: Departure? { rides.filter(\.isBarDataOld).max { ($0.age ?? .max) < ($1.age ?? .max) } }

    /// Lines with times of day only, which change only with the result: the departure and, of the main entry, the changes and
    /// the other rides.
    func tooltip(isMain: Bool, _ now: Timestamp, _ clock: inout BarClock) -> [String] {
        guard let journey else {
            let line = departure.barTooltip(now, &clock)
            guard isMain, let faster else { return [line] }
            return [line, Self.faster(faster, now, &clock)]
        }
        let others = journey.changedLegs.map { ", then \($0.departure.route.words)" }.joined()
        var lines = [departure.barTooltip(now, &clock, then: others, change: isMain ? nil : changeWords)]
        guard isMain else { return lines }
        for leg in journey.legs.dropFirst() {
            if let change = leg.change {
                lines.append("  " + change.line.text)
                if change.judgment != .safe, let next = change.ifMissed {
                    lines.append("  " + Self.words(next, now, &clock))
                }
            }
            let stay = leg.stayOnBoard ? "stay on board: " : ""
            lines.append("  " + stay + leg.departure.barTooltip(now, &clock))
        }
        return lines.map { DisplayWidth.cut(SafeText.clean($0), to: BarContent.tooltipWidth) }
    }

    private static func faster(_ journey: Journey, _ now: Timestamp, _ clock: inout BarClock) -> String {
        let (leave, arrive) = (
            Departure.barClock(journey.leaveBy, now, &clock), Departure.barClock(journey.arrival, now, &clock)
        )
        return "  faster: leave \(leave), arrive \(arrive), \(CountText.of(journey.changes, "change"))"
    }

    private static func words(_ next: NextConnection, _ now: Timestamp, _ clock: inout BarClock) -> String {
        let (leaves, arrives) = (
            Departure.barClock(next.departure, now, &clock), Departure.barClock(next.arrival, now, &clock)
        )
        return "if you miss it: \(next.route.words) at \(leaves), arrive \(arrives)"
    }

    // MARK: Journeys

    /// The names of the routes, such as "24" or "24 then F".
    private var name: String {
        departure.barRoute + (changedRoutes.isEmpty ? "" : " " + continuedRoutes)
    }

    /// Such as "then F then 2".
    private var continuedRoutes: String { changedRoutes.map { "then \($0)" }.joined(separator: " ") }

    /// The names of the routes to which riders change.
    private var changedRoutes: [String] { journey?.changedLegs.map(\.departure.barRoute) ?? [] }

    /// Such as "change tight"; `nil` if all changes are safe.
    private var changeWords: String? { worstChange.map { "change \($0.rawValue)" } }

    private var worstChange: ChangeJudgment? {
        let judgments = journey?.legs.compactMap(\.change?.judgment) ?? []
        return [.missed, .tight].first(where: judgments.contains)
    }
}

extension Journey {
    /// The rides that begin with a change.
    fileprivate var changedLegs: [JourneyLeg] { legs.dropFirst().filter { !$0.stayOnBoard } }
}

extension Departure {
    /// The route's name for the bar.
    fileprivate var barRoute: String { SafeText.clean(route.displayName) }

    private var milliseconds: Int64? { time.map { $0.instant.secondsSince1970 * 1000 } }

    /// A text without advice, such as "24 departs in 3 min".
    func barDeparture(_ clock: inout BarClock) -> String {
        guard let milliseconds else { return barRoute }
        let minutes = clock.minutes(until: milliseconds)
        return "\(barRoute) departs \(minutes > 0 ? "in \(minutes) min" : "now")"
    }

    /// A text such as "24 08:12 canceled".
    func barFailure(_ now: Timestamp, _ clock: inout BarClock) -> String {
        let moment = (scheduled ?? time).map { Self.barClock($0, now, &clock) + " " } ?? ""
        return "\(barRoute) \(moment)\(status == .skipped ? "does not stop" : "canceled")"
    }

    func barFailureTexts(_ now: Timestamp, _ clock: inout BarClock) -> (whole: String, short: String) {
        let text = barFailure(now, &clock)
        return (text, text)
    }

    /// What qualifies the time. A live time on time needs no words.
    fileprivate var barDetails: [String] {
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
    ///
    /// - Parameters:
    ///   - others: How the journey continues, such as ", then Ferry F".
    ///   - change: Such as "change tight"; `nil` for nothing to say.
    fileprivate func barTooltip(
        _ now: Timestamp, _ clock: inout BarClock, then others: String = "", change: String? = nil
    ) -> String {
        guard runs else {
            let moment = (scheduled ?? time).map { Self.barClock($0, now, &clock) } ?? "?"
            return SafeText.clean("\(moment) \(route.words) \(status == .skipped ? "does not stop" : "canceled")")
        }
        var words = "\(time.map { Self.barClock($0, now, &clock) } ?? "?") \(route.words)"
        if let headsign, !headsign.isEmpty { words += " to \(headsign)" }
        words += others
        var parts = [PlatformText.of(stop.platform), source.word, delay.flatMap(DelayText.of)].compactMap { $0 }
        if isBarDataOld { parts.append("old data") }
        if let leaveBy, walk ?? 0 > 0 { parts.append("leave by \(Self.barClock(leaveBy, now, &clock))") }
        if let arrival, let time = arrival.time, arrival.status != .skipped {
            parts.append("arrives \(Self.barClock(time, now, &clock))")
        }
        if let change { parts.append(change) }
        // The times matter more than the names. A ride of a journey is indented by two columns.
        let (name, facts) = (SafeText.clean(words), SafeText.clean(": " + parts.joined(separator: ", ")))
        let width = BarContent.tooltipWidth - 2
        return DisplayWidth.cut(
            DisplayWidth.cut(name, to: max(20, width - DisplayWidth.of(facts))) + facts, to: width)
    }

    /// Returns a time of day, such as "08:12" or "tomorrow 08:12".
    fileprivate static func barClock(_ time: Timestamp, _ now: Timestamp, _ clock: inout BarClock) -> String {
        if time.days(from: now) != 0 {
            let local = now.instant.secondsSince1970 + Int64(now.offset)
            clock.changes(at: ((local / 86_400 + 1) * 86_400 - Int64(now.offset)) * 1000)
        }
        return time.words(from: now)
    }
}
