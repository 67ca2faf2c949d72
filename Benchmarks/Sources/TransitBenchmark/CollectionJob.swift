import Glibc
import TransitFeeds
import TransitModel
import TransitStore

/// The child's part: one network that is put together from the answers that lie in a folder, up to a timetable file on disk.
enum CollectionJob {
    /// Puts the answers of the generated city into a folder, by the names of their steps, as the daemon keeps them. Returns how
    /// many there are.
    static func makeAnswers(in folder: String) throws(BenchmarkError) -> Int {
        mkdir(folder, 0o755)
        let city = GeneratedHongKong.whole
        return try collect { step throws(BenchmarkError) in
            guard let body = city.answer(step.request.url) else {
                throw BenchmarkError("the city does not know \(step.request.url)")
            }
            try Files.write(body, to: "\(folder)/\(step.name)")
            return body
        }.answers
    }

    /// Prints how many stops the network has.
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
            throw BenchmarkError("the provider collects nothing")
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
