internal import Glibc
internal import TransitSimulation

/// `transit-simulate [--seed FIRST] [--seeds COUNT] [--days DAYS]`: runs the refresh engine and the arrivals scheduler through
/// many simulated days and prints the seeds that violate a guarantee.
@main struct Simulate {
    static func main() async {
        guard let options = SimulationOptions(CommandLine.arguments.dropFirst()) else {
            print(SimulationOptions.usage)
            exit(64)
        }
        var total = SimulationTotals()
        await withTaskGroup(of: SimulationReport.self) { group in
            var seeds = options.seeds.makeIterator()
            for _ in 0..<2 { if let seed = seeds.next() { add(seed, options, &group) } }
            for await report in group {
                total.add(report)
                if let seed = seeds.next() {
                    add(seed, options, &group)
                }
            }
        }
        total.printSummary()
        exit(total.failures.isEmpty ? 0 : 1)
    }

    private static func add(_ seed: UInt64, _ options: SimulationOptions, _ group: inout TaskGroup<SimulationReport>) {
        group.addTask {
            var simulation = Simulation(seed: seed)
            var report = simulation.run(days: options.days)
            report.addSharedKey(days: options.days)
            return report
        }
    }
}

/// The combined results of all seeds.
struct SimulationTotals {
    private var days = 0.0
    private var seeds = 0
    private var requests = 0
    private var arrivals = 0
    private var events = 0
    private var disturbances: [String: Int] = [:]
    private(set) var failures: [SimulationReport] = []

    mutating func add(_ report: SimulationReport) {
        days += report.days
        seeds += 1
        requests += report.requests
        arrivals += report.arrivals
        events += report.events
        disturbances.merge(report.disturbances, uniquingKeysWith: +)
        if let violation = report.violation {
            failures.append(report)
            print("seed \(report.seed), day \(report.days): \(violation)")
        } else if seeds % 10 == 0 {
            print(summary)
        }
        fflush(nil)
    }

    func printSummary() {
        guard failures.isEmpty else { return printFailures() }
        for (name, count) in disturbances.sorted(by: { $0.key < $1.key }) { print("  \(count) x \(name)") }
        print("\(summary): no violations")
    }

    private var summary: String {
        "\(seeds) seeds, \(Int(days)) days, \(requests) requests, \(arrivals) of them for arrivals, \(events) events"
    }

    /// Prints the log of a single failed seed, and the command that reproduces each failure.
    private func printFailures() {
        if failures.count == 1 { for line in failures[0].log { print(line) } }
        for failure in failures {
            guard let violation = failure.violation else { continue }
            print("seed \(failure.seed), day \(failure.days): \(violation)")
            print("reproduce with: transit-simulate --seed \(failure.seed) --days \(failure.days.rounded(.up))")
        }
    }
}
