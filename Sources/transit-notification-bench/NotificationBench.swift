internal import Glibc
internal import TransitModel
internal import TransitNotificationSimulation
internal import TransitNotifications

/// `transit-notification-bench TIMETABLE [--users N]`: measures notifications in process, and prints a line
/// `NAME VALUE UNIT` for each result. The messages are about 5,000 trips of the timetable file.
///
/// It belongs to `make bench`. It is a target of this package because Benchmarks/ sees only public declarations.
@main struct NotificationBench {
    static func main() {
        var words = CommandLine.arguments.dropFirst()
        let timetable = words.popFirst()
        let option = words.popFirst()
        let users = words.popFirst().flatMap { Int($0) } ?? 100
        guard let timetable, option == nil || option == "--users", words.isEmpty, users > 0 else {
            print("usage: transit-notification-bench TIMETABLE [--users N]")
            exit(64)
        }
        do {
            var decisions = try DecisionBench(timetable: timetable)
            for (name, changes) in [("all", DecisionBench.Changes.all), ("few", .few), ("none", .none)] {
                let result = try decisions.measure(changes)
                show("\(name).p50", result.total.percentile(50), "ms")
                show("\(name).p99", result.total.percentile(99), "ms")
                show("\(name).finding.p50", result.finding.percentile(50), "ms")
                show("\(name).decisions", Double(result.decisions), "decisions")
            }
            show("trips", Double(decisions.trips), "trips")
            show("subjects", Double(decisions.subjects), "subjects")
        } catch {
            print("\(error)")
            exit(1)
        }
        simulate(users: users)
    }

    /// Simulates a month of each user, one after the other.
    private static func simulate(users: Int) {
        guard let zone = ServiceZone(name: "America/Los_Angeles", posixRule: "PST8PDT,M3.2.0,M11.1.0"),
            let first = ServiceDate(iso8601: "2026-03-02")
        else { return }
        let settings = NotificationSettings(machine: [:], personal: ["notifications.on": "on"])
        let began = MonotonicTime.milliseconds
        var (evaluations, shown) = (0, 0)
        for seed in 1...users {
            let month = SimulatedMonth(
                seed: UInt64(seed), first: first, days: 30, zone: zone, settings: settings, rendersDiary: false)
            evaluations += month.evaluations
            shown += month.shown.count
        }
        show("month", (MonotonicTime.milliseconds - began) / 1e3, "s")
        show("month.users", Double(users), "users")
        show("month.evaluations", Double(evaluations), "evaluations")
        show("month.told", Double(shown), "notifications")
    }

    private static func show(_ name: String, _ value: Double, _ unit: String) {
        print("\(name) \((value * 10_000).rounded() / 10_000) \(unit)")
        fflush(nil)
    }
}

enum MonotonicTime {
    /// The time of the monotonic clock.
    static var milliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

/// Repeated measurements of the same value.
struct Series {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    /// Returns the smallest value that is not less than `percent` of the values.
    func percentile(_ percent: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let rank = Int((percent / 100 * Double(values.count)).rounded(.up))
        return values.sorted()[max(0, min(values.count, rank) - 1)]
    }
}
