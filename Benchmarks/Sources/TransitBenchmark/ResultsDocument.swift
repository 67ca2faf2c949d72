/// Writes what was measured.
enum ResultsDocument {
    static func markdown(_ report: BenchmarkReport, _ settings: BenchmarkSettings, minutes: Double) -> String {
        var text = "# Results\n\nWritten by `Benchmarks/run`; [README.md](README.md) says what is measured and how.\n\n"
        text += "Measured on \(Machine.describe()), in \(Figure.fixed(minutes, 1)) minutes"
        text += settings.quick ? ", quickly: few repeats, small and medium only.\n\n" : ".\n\n"
        text += report.table
        if !report.remarks.isEmpty {
            text += "\n" + report.remarks.map { "- \($0)\n" }.joined()
        }
        return text
    }
}
