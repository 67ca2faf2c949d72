import Glibc
import Synchronization

/// Keeps the machine's processors from sleeping while answers of some microseconds are timed.
///
/// A virtual machine takes 50 us and more to wake a processor that sleeps, twice for a question and its answer: that is the
/// machine's, and hides what is measured. One thread for each processor runs while nobody else wants to (`SCHED_IDLE`,
/// sched(7)); whoever wants to run takes its place at once.
enum WakefulProcessors {
    private static let isOver = Atomic<Bool>(true)
    /// `SCHED_IDLE`, which the C library hides from strict C.
    private static let idle: Int32 = 5

    static func during<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        isOver.store(false, ordering: .relaxed)
        var threads: [pthread_t] = []
        for _ in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
            var thread = pthread_t()
            if pthread_create(&thread, nil, { _ in WakefulProcessors.spin() }, nil) == 0 { threads.append(thread) }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            for thread in threads { pthread_join(thread, nil) }
        }
        return try body()
    }

    private static func spin() -> UnsafeMutableRawPointer? {
        var parameters = sched_param()
        parameters.sched_priority = 0
        // Without leave it would take the others' time: better none than that.
        guard sched_setscheduler(0, idle, &parameters) == 0 else { return nil }
        while !isOver.load(ordering: .relaxed) {}
        return nil
    }
}
