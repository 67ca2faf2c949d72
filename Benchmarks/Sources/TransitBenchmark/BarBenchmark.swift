import Glibc

/// Measures `transitctl watch next --format waybar` beside a real daemon with the medium feed: memory and wakeups.
struct BarBenchmark {
    var daemon: DaemonUnderTest
    var quick: Bool

    /// The time between two heartbeats of the daemon, in seconds. Each one wakes the bar.
    private static let heartbeat = 30

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        try daemon.prepare()
        try daemon.importFeed()
        try daemon.withProcess { (_) throws(BenchmarkError) in
            _ = try daemon.connect(seconds: 10)
            let lines = daemon.settings.cache + "/bar.out"
            let bar = try ChildProcess(
                [
                    daemon.settings.binaries + "/transitctl", "watch", "next", "home-to-work", "--format", "waybar",
                    "--socket", daemon.socket,
                ],
                output: lines)
            do throws(BenchmarkError) {
                try measure(bar, lines, &report)
            } catch {
                _ = try bar.stop()
                throw error
            }
            _ = try bar.stop()
        }
    }

    private func measure(
        _ bar: ChildProcess, _ lines: String, _ report: inout BenchmarkReport
    ) throws(BenchmarkError) {
        sleep(5)
        guard Files.text(lines).contains(" min (") || Files.text(lines).contains("leave by") else {
            throw BenchmarkError("the bar shows no departure: \(Files.text(lines))")
        }
        let before = Counters(bar.process, lines)
        // Whole intervals of the heartbeat.
        let seconds = Self.heartbeat * (quick ? 2 : 6)
        sleep(UInt32(seconds))
        let after = Counters(bar.process, lines)
        let changes = after.lines - before.lines
        let heartbeats = seconds / Self.heartbeat
        let reads = after.reads - before.reads
        let others = max(0, after.wakeups - before.wakeups - changes - heartbeats - reads)
        report.add(
            BenchmarkReport.Row(
                job: "status bar, private memory", subject: "medium", measured: Figure.megabytes(Double(after.memory)),
                must: "6 MB", aim: "3 MB", verdict: .init(Double(after.memory) / 1e6, must: 6, aim: 3),
                details:
                    "while transitctl watch next --format waybar waits; peak resident \(Figure.megabytes(Double(after.peak)))"
            ))
        report.add(
            BenchmarkReport.Row(
                job: "status bar, wakeups between changes", subject: "\(seconds) s", measured: "\(others)", must: "0",
                aim: "0", verdict: .init(Double(others), must: 0, aim: 0),
                details:
                    "besides \(changes) changes of the line, \(heartbeats) heartbeats, \(reads) page reads"
            ))
    }

    private struct Counters {
        /// The private memory in bytes.
        var memory: Int
        /// The largest resident memory so far, in bytes. It includes pages of the executable.
        var peak: Int
        /// The number of times that the process gave up the processor to wait.
        var wakeups: Int
        /// The number of times that it waited for a page of its executable that the system had removed from the page cache.
        var reads: Int
        var lines: Int

        init(_ process: pid_t, _ output: String) {
            memory = ProcessCounters.privateMemory(in: Files.text("/proc/\(process)/smaps_rollup"))
            let status = Files.text("/proc/\(process)/status")
            peak = (Machine.number(after: "VmHWM:", in: status) ?? 0) * 1024
            wakeups = Machine.number(after: "voluntary_ctxt_switches:", in: status) ?? 0
            // proc_pid_stat(5): majflt is the tenth field after the name.
            let fields = Files.text("/proc/\(process)/stat").split(separator: ") ").last?.split(separator: " ") ?? []
            reads = fields.count > 9 ? Int(fields[9]) ?? 0 : 0
            lines = Files.text(output).utf8.count { $0 == UInt8(ascii: "\n") }
        }
    }
}
