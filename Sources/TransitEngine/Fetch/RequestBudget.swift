public import TransitModel

/// The spends of one API key and who may spend now.
///
/// Everything is counted in boot time, which nobody can set back. A calendar day is counted as any 25 hours: no wall
/// clock, right or wrong, and no change to winter time can then make two days' budgets fall into one day of the upstream.
public struct RequestBudget: Hashable, Sendable {
    public private(set) var policy: BudgetPolicy
    /// Oldest first.
    private(set) var spends: [BudgetSpend] = []

    /// A request may reach the upstream so many seconds after it was counted here.
    public static let margin = 60
    /// The part of every limit that the priority may use up; the rest is kept for those who matter more.
    static func share(_ priority: FetchPriority) -> Double {
        switch priority {
        case .background: 0.6
        case .commute: 0.85
        case .user: 1
        }
    }
    /// Who does not wait in person spends evenly: in each such part of the window its part of the budget.
    static let parts = 12
    /// A part is divided again where it is longer than so many seconds: a day's parts are two hours, and nobody wants all
    /// of one at its beginning and then nothing.
    static let longestPartSeconds = 600

    /// - Parameter spends: in any order; those of other keys are left out.
    public init(_ policy: BudgetPolicy, spends: [BudgetSpend] = []) {
        self.policy = policy
        self.spends = spends.filter { $0.key == policy.key }.sorted { $0.at.boot < $1.at.boot }
        self.spends.removeFirst(max(0, self.spends.count - most))
    }

    /// The most spends that are kept: what the limits allow within ``memory``. A machine that boots again and again with its
    /// clock behind makes old spends young each time, so that they would never go; but a limit of so many fetches looks at
    /// the last so many spends alone.
    var most: Int {
        let counts = policy.limits.map { limit in
            let windows = Self.memory / Self.length(limit) + 1
            let (count, overflow) = limit.fetches.multipliedReportingOverflow(by: windows)
            return overflow ? limit.fetches : count
        }
        return counts.max() ?? Self.maximumUnlimitedSpends
    }

    /// Spends of a key without limits: they matter when it gets some.
    private static let maximumUnlimitedSpends = 2000
    /// Seconds for which a spend is kept at least: the longest window that another configuration may bring.
    private static let memory = 25 * 3600

    /// A book for every key that has limits or has spent something.
    static func requestBudgets(_ policies: [KeyName: BudgetPolicy], _ spends: [BudgetSpend]) -> [KeyName: RequestBudget]
    {
        var policies = policies
        for key in Set(spends.map(\.key)) where policies[key] == nil {
            policies[key] = BudgetPolicy(key: key, limits: [])
        }
        return policies.mapValues { RequestBudget($0, spends: spends) }
    }

    /// Puts other limits in force; what was spent stays.
    mutating func setPolicy(_ policy: BudgetPolicy) { self.policy = policy }

    /// Counts a fetch that begins.
    mutating func spend(_ spend: BudgetSpend) {
        spends.append(spend)
    }

    /// Takes back a spend whose fetch did not begin.
    mutating func refund(_ spend: BudgetSpend) {
        if let position = spends.lastIndex(of: spend) { spends.remove(at: position) }
    }

    /// Lets go of what counts in no window any more, and of more than ``most``.
    ///
    /// - Returns: the moment before which nothing is needed, when anything went.
    mutating func prune(at now: BootTime) -> BootTime? {
        let seconds = policy.limits.map(Self.length).max() ?? 0
        let end = now.advanced(by: -max(seconds, Self.memory))
        let old = spends.prefix { $0.at.boot < end }.count
        let surplus = spends.count - most
        guard max(old, surplus) > 0 else { return nil }
        spends.removeFirst(max(old, surplus))
        return surplus > old ? spends.first?.at.boot : end
    }

    /// When a fetch of that priority may begin; not later than `now` when it may at once.
    ///
    /// - Parameter isLive: whether the fetch is for realtime data, which is fetched all day. Only such fetches are
    ///   limited by and counted in the smallest parts of a window, so that a burst of timetable requests does not block
    ///   realtime data for minutes.
    func earliest(_ priority: FetchPriority, isLive: Bool = true, now: BootTime) -> BootTime {
        var earliest = BootTime(milliseconds: .min)
        for limit in policy.limits {
            let allowance = max(1, Int((Double(limit.fetches) * Self.share(priority)).rounded(.up)))
            let length = Self.length(limit)
            earliest = max(earliest, room(for: allowance, in: length))
            guard priority != .user else { continue }
            earliest = max(earliest, room(for: (allowance - 1) / Self.parts + 1, in: length / Self.parts))
            let parts = length / Self.longestPartSeconds
            guard isLive, parts > Self.parts else { continue }
            earliest = max(earliest, realtimeRoom(for: (allowance - 1) / parts + 1, in: length / parts))
        }
        return earliest
    }

    /// Seconds between two probes of a failing host, so that early probes spend at most a quarter of each window. 0
    /// without limits; `nil` if a quarter is less than one request.
    var probeSpacing: Int? {
        var longest = 0
        for limit in policy.limits {
            let most = limit.fetches / 4
            guard most > 0 else { return nil }
            longest = max(longest, (Self.length(limit) - Self.margin + most - 1) / most)
        }
        return longest
    }

    /// When fewer than `count` spends lie within the last `seconds`.
    private func room(for count: Int, in seconds: Int) -> BootTime {
        guard spends.count >= count else { return BootTime(milliseconds: .min) }
        return spends[spends.count - count].at.boot.advanced(by: seconds)
    }

    /// The same, for realtime data alone.
    private func realtimeRoom(for count: Int, in seconds: Int) -> BootTime {
        let live = spends.lazy.reversed().filter(\.dataset.kind.isRealtime).dropFirst(count - 1)
        return live.first.map { $0.at.boot.advanced(by: seconds) } ?? BootTime(milliseconds: .min)
    }

    /// The seconds in which a limit is held.
    static func length(_ limit: BudgetLimit) -> Int {
        switch limit.window {
        case .rolling(let seconds): max(1, seconds) + margin
        case .calendarDay: 25 * 3600 + margin
        }
    }

    func spent(since moment: BootTime) -> Int { spends.reversed().prefix { $0.at.boot > moment }.count }
}

extension RequestBudget {
    /// What `budget` shows.
    public func report(at now: ClockReading) -> BudgetReport {
        BudgetReport(key: policy.key, windows: policy.limits.map { window($0, now) }, spenders: spenders(at: now.boot))
    }

    private func window(_ limit: BudgetLimit, _ now: ClockReading) -> BudgetReport.Window {
        let length = Self.length(limit)
        let begin = now.boot.advanced(by: -length)
        let spent = spent(since: begin)
        let (ends, passed) = end(of: limit, begin, now)
        // What of today's spends still counts when the window ends, and what is added by then at today's pace.
        let seconds = Int(clamping: now.boot.milliseconds(to: ends) / 1000)
        let quarter = max(1, length / 4)
        let pace = Double(self.spent(since: now.boot.advanced(by: -quarter))) / Double(quarter)
        let forecast = Double(spent - passed) + pace * Double(max(0, seconds))
        return BudgetReport.Window(
            limit: limit, spent: spent, left: max(0, limit.fetches - spent),
            forecast: min(limit.fetches, Int(forecast.rounded())), ends: now.wall(at: ends))
    }

    /// When the window ends, and how many of its spends have stopped to count by then.
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
