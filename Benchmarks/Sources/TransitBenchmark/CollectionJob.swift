import Glibc
import TransitFeeds
import TransitModel
import TransitStore

/// Runs in the child process: imports a collected network from a directory of responses to a timetable file on disk.
enum CollectionJob {
    /// Writes the responses of the generated city to a directory. Each file has the name of its step, as in the daemon.
    /// Returns the number of responses.
    static func makeAnswers(in folder: String) throws(BenchmarkError) -> Int {
        mkdir(folder, 0o755)
        let city = GeneratedHongKong.whole
        return try collect { step throws(BenchmarkError) in
            guard let body = city.answer(step.request.url) else {
                throw BenchmarkError("the generated city has no response for \(step.request.url)")
            }
            try Files.write(body, to: "\(folder)/\(step.name)")
            return body
        }.answers
    }

    /// Imports the network and prints its number of stops.
    static func run(answers folder: String, store: String) throws(BenchmarkError) {
        let reading = try collect { step throws(BenchmarkError) in try Files.bytes("\(folder)/\(step.name)") }.reading
        let origin = TimetableSummary.Origin(
            url: GeneratedHongKong.host, fetched: Instant(secondsSince1970: 1_781_676_000))
        do {
            let summary = try TimetableFile.write(
                reading.draft, origin: origin, contentDigest: reading.contentDigest, report: reading.report, to: store)
            print(summary.counts.stops)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private static func collect(
        _ answer: (CollectionStep) throws(BenchmarkError) -> [UInt8]
    ) throws(BenchmarkError) -> (reading: GTFSReading, answers: Int) {
        guard var collection = GeneratedHongKong.provider.collection() else {
            throw BenchmarkError("the provider does not support collection")
        }
        var answers = 0
        while let step = collection.next() {
            let body = try answer(step)
            do { try collection.add(body, for: step) } catch { throw BenchmarkError("\(step.name): \(error)") }
            answers += 1
        }
        do { return (try collection.finish(), answers) } catch { throw BenchmarkError("\(error)") }
    }
}
