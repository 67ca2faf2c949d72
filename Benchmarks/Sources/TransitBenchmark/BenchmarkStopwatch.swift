import Glibc

/// Reads the monotonic clock and the processor clock.
enum BenchmarkStopwatch {
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns the processor time of all threads of this process, in nanoseconds.
    static func processor() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns the running time of `body` in seconds.
    static func seconds<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = now()
        try body()
        return Double(now() - start) / 1e9
    }
}

/// Repeated measurements of the same value.
struct Samples {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }
    mutating func add(contentsOf other: Samples) { values += other.values }

    var isEmpty: Bool { values.isEmpty }
    var median: Double { percentile(50) }

    /// Returns the smallest sample that is not less than `percent` of the samples.
    func percentile(_ percent: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let rank = (percent / 100 * Double(sorted.count)).rounded(.up)
        return sorted[max(0, min(sorted.count - 1, Int(rank) - 1))]
    }
}
