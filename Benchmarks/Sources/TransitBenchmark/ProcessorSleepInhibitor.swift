import Glibc

/// Keeps the processors awake during measurements of a few microseconds.
///
/// A virtual machine needs 50 us or more to wake a sleeping processor, twice for each request and reply. This latency
/// would hide the measured time. One process with idle priority runs for each processor.
struct ProcessorSleepInhibitor {
    /// The program that keeps one processor awake.
    var program: String

    func during<Value>(_ body: () throws(BenchmarkError) -> Value) throws(BenchmarkError) -> Value {
        var processes: [ChildProcess] = []
        defer { for process in processes { _ = try? process.stop() } }
        for _ in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) { processes.append(try ChildProcess([program])) }
        return try body()
    }
}
