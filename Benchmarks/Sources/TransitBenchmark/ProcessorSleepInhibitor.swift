import Glibc

/// Keeps the machine's processors from sleeping while answers of some microseconds are timed.
///
/// A virtual machine takes 50 us and more to wake a processor that sleeps, twice for a question and its answer: that is the
/// machine's, and hides what is measured. One process for each processor runs while nobody else wants to.
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
