public import TransitModel

/// The request budget of one API key: the requests charged to it, and the time at which the next one may be sent.
///
/// Requests are counted in boot time, which cannot be set back. A calendar day is treated as a rolling window of 25
/// hours. Thus neither a wrong wall clock nor the end of daylight saving time can cause two days' budgets to be spent
/// within one calendar day of the upstream.
public struct RequestBudget: Hashable, Sendable {
    public private(set) var policy: BudgetPolicy
    /// Oldest first.
    private(set) var spends: [BudgetSpend] = []

    /// The number of seconds after the charge within which a request may reach the upstream.
    public static let margin = 60
    /// The share of every limit that a priority may use. The rest is reserved for higher priorities.
    static func share(_ priority: FetchPriority) -> Double {
        switch priority {
        case .background: 0.6
        case .commute: 0.85
        case .user: 1
        }
    }

    /// The number of parts of a window over which requests for timetables are spread. The requests of one part may be
    /// sent together.
    private static let windowParts = 12
    /// The share of every limit that data without demand gets if requests of higher priorities use the rest.
    static let neglectedShare = 0.25

    /// - Parameter spends: The recorded requests in any order. Requests charged to other keys are ignored.
    public init(_ policy: BudgetPolicy, spends: [BudgetSpend] = []) {
        self.policy = policy
        self.spends = spends.filter { $0.key == policy.key }.sorted { $0.at.boot < $1.at.boot }
        self.spends.removeFirst(max(0, self.spends.count - maximumSpends))
    }

    /// The maximum number of recorded requests: the number that the limits allow within ``memory``. On a machine that
    /// reboots repeatedly with its clock behind, each reboot makes old requests recent again, so they would never
    /// expire. A limit of `n` requests requires only the latest `n` requests to be recorded.
    var maximumSpends: Int {
        let counts = policy.limits.map { limit in
            let windows = Self.memory / Self.length(limit) + 1
            let (count, overflow) = limit.fetches.multipliedReportingOverflow(by: windows)
            return overflow ? limit.fetches : count
        }
        return counts.max() ?? Self.maximumUnlimitedSpends
    }

    /// The maximum for a key without limits. Its requests are recorded because limits may be configured later.
    private static let maximumUnlimitedSpends = 2000
    /// The minimum number of seconds for which a request is recorded: the longest window that a new configuration may
    /// contain.
    private static let memory = 25 * 3600

    /// Returns a budget for every key that has limits or recorded requests.
    static func requestBudgets(_ policies: [KeyName: BudgetPolicy], _ spends: [BudgetSpend]) -> [KeyName: RequestBudget]
    {
        var policies = policies
        for key in Set(spends.map(\.key)) where policies[key] == nil {
            policies[key] = BudgetPolicy(key: key, limits: [])
        }
        return policies.mapValues { RequestBudget($0, spends: spends) }
    }

    /// Replaces the limits. Recorded requests are kept.
    mutating func setPolicy(_ policy: BudgetPolicy) { self.policy = policy }

    /// Charges a request.
    mutating func spend(_ spend: BudgetSpend) {
        spends.append(spend)
    }

    /// Refunds a request that was not sent.
    mutating func refund(_ spend: BudgetSpend) {
        if let position = spends.lastIndex(of: spend) { spends.remove(at: position) }
    }

    /// Removes requests that are outside every window, and the oldest ones beyond ``maximumSpends``.
    ///
    /// - Returns: The time before which all requests were removed; `nil` if no request was removed.
    mutating func prune(at now: BootTime) -> BootTime? {
        let seconds = policy.limits.map(Self.length).max() ?? 0
        let end = now.advanced(by: -max(seconds, Self.memory))
        let old = spends.prefix { $0.at.boot < end }.count
        let surplus = spends.count - maximumSpends
        guard max(old, surplus) > 0 else { return nil }
        spends.removeFirst(max(old, surplus))
        return surplus > old ? spends.first?.at.boot : end
    }

    /// Returns the time at which a request of a priority may be sent, which is not later than `now` if it may be sent
    /// immediately.
    ///
    /// Requests that a user waits for may use the whole budget at any time. The other requests for realtime data are
    /// sent one after the other, with a spacing that lets the rest of the budget last until the end of the window, or
    /// of the demand if that is forecast to end earlier. Requests for timetables are spread over the parts of a window.
    ///
    /// - Parameter isRealtime: Whether the request is for realtime data, which is fetched all day. Requests for
    ///   timetables do not count in its spacing, so that a burst of them does not block realtime data for minutes.
    public func earliest(_ priority: FetchPriority, isRealtime: Bool = true, now: BootTime) -> BootTime {
        slot(priority, isRealtime: isRealtime, now: now).at
    }

    /// Returns the time at which a request may be sent, and the reason if that is later than `now`.
    package func slot(_ priority: FetchPriority, isRealtime: Bool = true, now: BootTime) -> (
        at: BootTime, hold: BudgetHold?
    ) {
        slot(priority, isRealtime: isRealtime, forecast: .steady, spacings: nil, now: now)
    }

    /// - Parameters:
    ///   - takesTurn: Whether the request for a timetable is sent in place of a request for realtime data.
    ///   - forecast: When data with the key will be in use.
    ///   - spacings: The number of spacings that must have passed since the last request; `nil` if the requests of five
    ///     minutes for data in use may be sent together.
    ///   - reserved: The number of requests of each window that are left to other data.
    func slot(
        _ priority: FetchPriority, isRealtime: Bool, takesTurn: Bool = false, forecast: DemandForecast, spacings: Int?,
        reserved: Int = 0, now: BootTime
    ) -> (at: BootTime, hold: BudgetHold?) {
        var earliest = BootTime(milliseconds: .min)
        var hold: BudgetHold?
        for limit in policy.limits {
            let allowance = Self.allowance(priority, limit)
            let length = Self.length(limit)
            let possible = availability(for: max(1, limit.fetches - reserved), in: length)
            let end = endOfLongestGap(priority, limit)
            func wait(until moment: BootTime, spacing: Int?) {
                let moment = max(possible, min(moment, end))
                guard moment > earliest else { return }
                earliest = moment
                guard moment > now else { return }
                let used = spent(since: now.advanced(by: -length))
                let cause: BudgetHold.Cause =
                    used >= limit.fetches ? .exhausted : used >= allowance ? .reserved : .spread
                hold = BudgetHold(
                    cause: cause, limit: limit, used: used, allowed: allowance,
                    spacing: cause == .spread ? spacing : nil, last: spends.last?.dataset)
            }
            wait(until: availability(for: allowance, in: length), spacing: nil)
            guard priority != .user else { continue }
            let mayBurst = priority == .commute && spacings == nil
            if takesTurn || isRealtime && !mayBurst {
                guard let last = lastRequest(ofAnyKind: takesTurn) else { continue }
                let spacing = spacing(allowance, in: length, forecast, since: last, now)
                wait(until: last.advanced(by: (spacings ?? 1) * spacing), spacing: spacing)
            } else if isRealtime {
                let spacing = max(1, spacing(allowance, in: length, forecast, since: now, now))
                let count = max(1, Self.burstSeconds / spacing)
                wait(until: realtimeAvailability(for: count, in: count * spacing), spacing: spacing)
            } else {
                let part = Self.part(allowance, of: length)
                wait(until: availability(for: part.count, in: part.seconds), spacing: part.seconds / part.count)
            }
        }
        return (earliest, earliest > now ? hold : nil)
    }

    /// Returns the number of requests of a limit that a priority may use.
    private static func allowance(_ priority: FetchPriority, _ limit: BudgetLimit) -> Int {
        max(1, Int((Double(limit.fetches) * share(priority)).rounded(.up)))
    }

    /// Returns the time at which no request with the key was sent for a tenth of a limit's window, or for twice the mean
    /// spacing if that is longer. Requests of users, and timetables between the requests for realtime data, use up the
    /// part of a limit that other requests may use. They postpone these only until then, although a part of the limit
    /// is left to users.
    private func endOfLongestGap(_ priority: FetchPriority, _ limit: BudgetLimit) -> BootTime {
        guard let last = spends.last?.at.boot else { return BootTime(milliseconds: .min) }
        let twice = 2 * Self.length(limit) / Self.allowance(priority, limit)
        return last.advanced(by: max(limit.window.seconds / 10, twice))
    }

    /// Returns the number of requests in one part of a window, and the number of seconds for which they last. The rate
    /// is that of the whole window. A rounded number of requests in each part would use up the window early.
    private static func part(_ allowance: Int, of length: Int) -> (count: Int, seconds: Int) {
        let count = max(1, allowance / windowParts)
        return (count, (count * length + allowance - 1) / allowance)
    }

    /// Whether requests of higher priorities leave nothing to data without demand, which has received less than its
    /// share of every window. Then it may use the part of the budget that is meant for data in use.
    func isNeglected(at now: BootTime) -> Bool {
        let isBlocked = policy.limits.contains { limit in
            spent(since: now.advanced(by: -Self.length(limit))) >= Self.allowance(.background, limit)
        }
        return isBlocked
            && policy.limits.allSatisfy { limit in
                let count = count(.background, in: Self.length(limit), now)
                return Double(count + 1) <= Double(limit.fetches) * Self.neglectedShare
            }
    }

    /// Whether requests of users take the whole part of a window that is meant for data without demand.
    func isTakenByUsers(at now: BootTime) -> Bool {
        policy.limits.contains { limit in
            count(.user, in: Self.length(limit), now) >= Self.allowance(.background, limit)
        }
    }

    private func count(_ priority: FetchPriority, in seconds: Int, _ now: BootTime) -> Int {
        let begin = now.advanced(by: -seconds)
        return spends.reversed().prefix { $0.at.boot > begin }.count { $0.priority == priority }
    }

    /// The approximate number of requests for which a spacing is computed.
    private static let plannedRequests = 60
    /// The number of seconds whose requests for data in use may be sent together.
    private static let burstSeconds = 300

    /// Returns the number of seconds between two requests with which an allowance lasts as long as the demand. 0 if
    /// there is no demand.
    ///
    /// Each time a recorded request leaves the window, another one may be sent. Thus for each of these moments, it is
    /// known how many may be sent before. These must last until that moment: `n` requests do so if the spacing is the
    /// time until then, divided by `n + 1`. The result is the longest of these spacings.
    ///
    /// - Parameter start: The last request, so that the result does not change until the next one; or now.
    private func spacing(
        _ allowance: Int, in length: Int, _ forecast: DemandForecast, since start: BootTime, _ now: BootTime
    ) -> Int {
        // At the end of the window, all recorded requests have left it.
        var spacing = forecast.demand(within: length) / Double(allowance)
        guard spacing > 0 else { return 0 }
        let elapsed = Double(max(0, start.milliseconds(to: now))) / 1000
        let count = count(since: now.advanced(by: -length))
        let step = max(1, count / Self.plannedRequests)
        for position in stride(from: spends.count - count, to: spends.count, by: step) {
            // The number of requests that may be sent before the one at this position leaves the window.
            let left = allowance - (spends.count - position)
            guard left >= 0 else { continue }
            let leaves = spends[position].at.boot.advanced(by: length)
            let demand = forecast.demand(within: Int(now.milliseconds(to: leaves) / 1000) + 1)
            spacing = max(spacing, (elapsed + demand) / Double(left + 1))
        }
        return Int(min(Double(length), spacing).rounded(.up))
    }

    /// Returns the time of the last request that no user waited for: of any kind, or for realtime data. Users' requests
    /// would postpone the next turn again and again; they only leave less of the budget.
    private func lastRequest(ofAnyKind isAnyKind: Bool) -> BootTime? {
        spends.last { $0.priority != .user && (isAnyKind || $0.dataset.kind.isRealtime) }?.at.boot
    }

    /// Returns the number of requests after a moment. Requests are recorded in the order of their times.
    private func count(since moment: BootTime) -> Int {
        var (low, high) = (0, spends.count)
        while low < high {
            let middle = (low + high) / 2
            if spends[middle].at.boot > moment { high = middle } else { low = middle + 1 }
        }
        return spends.count - low
    }

    /// The number of seconds between two probes of a failing host, so that early probes use at most a quarter of each
    /// window. 0 if the key has no limits; `nil` if a quarter is less than one request.
    var probeSpacing: Int? {
        var spacing = 0
        for limit in policy.limits {
            let maximumProbes = limit.fetches / 4
            guard maximumProbes > 0 else { return nil }
            spacing = max(spacing, (Self.length(limit) - Self.margin + maximumProbes - 1) / maximumProbes)
        }
        return spacing
    }

    /// Returns the earliest time at which the preceding `seconds` contain fewer than `count` requests.
    private func availability(for count: Int, in seconds: Int) -> BootTime {
        guard spends.count >= count else { return BootTime(milliseconds: .min) }
        return spends[spends.count - count].at.boot.advanced(by: seconds)
    }

    /// Returns the earliest time at which the preceding `seconds` contain fewer than `count` requests for realtime
    /// data.
    private func realtimeAvailability(for count: Int, in seconds: Int) -> BootTime {
        let recent = spends.lazy.reversed().filter(\.dataset.kind.isRealtime).dropFirst(count - 1)
        return recent.first.map { $0.at.boot.advanced(by: seconds) } ?? BootTime(milliseconds: .min)
    }

    /// Returns the number of seconds for which a request counts against a limit.
    package static func windowSeconds(_ limit: BudgetLimit) -> Int { length(limit) }

    /// Returns the length of a limit's window in seconds, including the margin.
    static func length(_ limit: BudgetLimit) -> Int {
        switch limit.window {
        case .rolling(let seconds): max(1, seconds) + margin
        case .calendarDay: 25 * 3600 + margin
        }
    }

    func spent(since moment: BootTime) -> Int { count(since: moment) }
}

extension RequestBudget {
    /// Returns the report that the `budget` command shows.
    public func report(at now: ClockReading) -> BudgetReport {
        BudgetReport(key: policy.key, windows: policy.limits.map { window($0, now) }, spenders: spenders(at: now.boot))
    }

    private func window(_ limit: BudgetLimit, _ now: ClockReading) -> BudgetReport.Window {
        let length = Self.length(limit)
        let begin = now.boot.advanced(by: -length)
        let spent = spent(since: begin)
        let (ends, passed) = end(of: limit, begin, now)
        // The forecast is the number of current requests that still count at the end of the window, plus those expected
        // by then at the current rate.
        let seconds = Int(clamping: now.boot.milliseconds(to: ends) / 1000)
        let quarter = max(1, length / 4)
        let rate = Double(self.spent(since: now.boot.advanced(by: -quarter))) / Double(quarter)
        let forecast = Double(spent - passed) + rate * Double(max(0, seconds))
        return BudgetReport.Window(
            limit: limit, spent: spent, left: max(0, limit.fetches - spent),
            forecast: min(limit.fetches, Int(forecast.rounded())), ends: now.wall(at: ends))
    }

    /// Returns the end of the window, and the number of its requests that will have expired by then.
    private func end(of limit: BudgetLimit, _ begin: BootTime, _ now: ClockReading) -> (BootTime, passed: Int) {
        switch limit.window {
        case .rolling:
            guard let oldest = spends.first(where: { $0.at.boot > begin }) else { return (now.boot, 0) }
            return (oldest.at.boot.advanced(by: Self.length(limit)), 1)
        case .calendarDay(let zone):
            let midnight = zone.instant(date: zone.civil(at: now.wall).date.advanced(by: 1), secondsOfDay: 0)
            return (now.boot(at: midnight), 0)
        }
    }

    private func spenders(at now: BootTime) -> [BudgetReport.Spender] {
        struct Name: Hashable {
            var dataset: DatasetID
            var priority: FetchPriority
        }
        let begin = now.advanced(by: -(policy.limits.map(Self.length).max() ?? 0))
        var counts: [Name: Int] = [:]
        for spend in spends where spend.at.boot > begin {
            counts[Name(dataset: spend.dataset, priority: spend.priority), default: 0] += 1
        }
        return counts.map {
            BudgetReport.Spender(dataset: $0.key.dataset, priority: $0.key.priority, fetches: $0.value)
        }
        .sorted {
            ($1.fetches, $0.dataset, $0.priority) < ($0.fetches, $1.dataset, $1.priority)
        }
    }
}
