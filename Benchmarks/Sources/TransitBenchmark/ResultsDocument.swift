/// Formats RESULTS.md.
enum ResultsDocument {
    static func markdown(_ report: BenchmarkReport, _ settings: BenchmarkSettings, minutes: Double) -> String {
        var text = "# Results\n\nWritten by `Benchmarks/run`; [README.md](README.md) describes the measurements.\n\n"
        text += "Measured on \(Machine.describe()), in \(Figure.fixed(minutes, 1)) minutes"
        text += settings.quick ? ", with --quick: few repetitions, only the small and medium feeds.\n\n" : ".\n\n"
        text += report.table
        if !report.remarks.isEmpty {
            text += "\n" + report.remarks.map { "- \($0)\n" }.joined()
        }
        return text
    }
}
