/// Reports the instructions of requests to the real daemon, which scripts/instructions counts.
struct InstructionBenchmark {
    var settings: BenchmarkSettings

    /// The limits and goals of the figures that have one, in thousands.
    private static let limits: [String: (must: Double, aim: Double)] = ["departures": (120, 80)]

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        guard let file = settings.instructions, Files.exists(file) else {
            report.remark("Instructions were not counted, because there is no valgrind or no recorded feed.")
            return
        }
        for line in Files.text(file).split(separator: "\n") {
            guard let colon = line.lastIndex(of: ":"), let count = Double(line[line.index(colon, offsetBy: 2)...])
            else {
                throw BenchmarkError("scripts/instructions printed: \(line)")
            }
            let name = String(line[..<colon])
            let limit = Self.limits[name]
            report.add(
                BenchmarkReport.Row(
                    job: "instructions", subject: name, measured: Figure.fixed(count / 1000, 0) + " k",
                    must: limit.map { Figure.fixed($0.must, 0) + " k" } ?? "",
                    aim: limit.map { Figure.fixed($0.aim, 0) + " k" } ?? "",
                    verdict: limit.map { .init(count / 1000, must: $0.must, aim: $0.aim) },
                    details: "hart-2018, the second of two equal passes"))
        }
    }
}
