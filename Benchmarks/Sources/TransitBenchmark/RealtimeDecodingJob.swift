import TransitFeeds
import TransitModel

/// Runs in the child process: decodes a message many times, and prints the median time in milliseconds and the counts.
enum RealtimeDecodingJob {
    static func run(message path: String, repeats: Int) throws(BenchmarkError) {
        let bytes = try Files.bytes(path)
        var samples = Samples()
        var counted = (updates: 0, sum: Int64(0))
        do throws(FeedError) {
            for _ in 0..<repeats {
                let started = BenchmarkStopwatch.now()
                counted = try decode(bytes)
                samples.add(Double(BenchmarkStopwatch.now() - started) / 1e6)
            }
        } catch {
            throw BenchmarkError("\(error)")
        }
        print("\(samples.median) \(counted.updates) \(counted.sum)")
    }

    /// Returns the number of stop time updates and the sum of their arrival times, which must equal those of the floor.
    private static func decode(_ bytes: [UInt8]) throws(FeedError) -> (updates: Int, sum: Int64) {
        var (updates, sum) = (0, Int64(0))
        let problems = try RealtimeReader(bytes).read { entity in
            guard case .tripUpdate(let update) = entity else { return }
            updates += update.updates.count
            for position in update.updates.indices {
                sum &+= update.updates[position].arrival?.time?.secondsSince1970 ?? 0
            }
        }
        return (problems.isEmpty ? updates : 0, sum)
    }
}
