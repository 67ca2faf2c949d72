internal import Glibc

/// Returns the seeds of a test with random input, or the single seed in the environment variable `TRANSIT_TEST_SEED` if
/// it is set. As an argument of a test, a seed is printed with each failure.
public func testSeeds(_ standard: UInt64...) -> [UInt64] {
    guard let text = getenv("TRANSIT_TEST_SEED"), let seed = UInt64(String(cString: text)) else { return standard }
    return [seed]
}
