/// The time of what is displayed, which collects when that changes. Times are milliseconds since 1970.
struct BarClock {
    let now: Int64
    /// The first time at which a text that was made with this clock changes; `nil` for never.
    private(set) var nextChange: Int64?

    init(now: Int64) { self.now = now }

    /// Records that a text changes at a time.
    mutating func changes(at time: Int64) {
        if time > now { nextChange = min(time, nextChange ?? time) }
    }

    /// Returns whether a time has come.
    mutating func has(reached time: Int64) -> Bool {
        changes(at: time)
        return now >= time
    }

    /// Returns the whole minutes until a time, rounded toward zero; negative afterward.
    mutating func minutes(until time: Int64) -> Int {
        let minutes = (time - now) / 60_000
        // 0 lasts from a minute before to a minute after the time.
        changes(
            at: now <= time
                ? (minutes == 0 ? time + 60_000 : time - minutes * 60_000 + 1) : time + (1 - minutes) * 60_000)
        return Int(minutes)
    }

    /// Returns the whole seconds until a time, rounded toward zero; negative afterward.
    mutating func seconds(until time: Int64) -> Int {
        let seconds = (time - now) / 1000
        changes(
            at: now <= time ? (seconds == 0 ? time + 1000 : time - seconds * 1000 + 1) : time + (1 - seconds) * 1000)
        return Int(seconds)
    }

    /// Returns the whole minutes since a time, rounded down.
    mutating func minutes(since time: Int64) -> Int { -minutes(until: min(time, now)) }
}
