import Glibc

/// The table of results.
struct BenchmarkReport {
    /// A measured value.
    struct Row {
        var job: String
        var subject: String
        var measured: String
        var must = ""
        var aim = ""
        var verdict: Rating?
        /// The floor and the ratio to it, or other details.
        var details = ""
    }

    enum Rating: String {
        case aim = "goal met"
        case must = "limit met"
        case fail = "FAIL"

        /// Rates a value; smaller is better.
        init(_ value: Double, must: Double, aim: Double?) {
            if let aim, value <= aim {
                self = .aim
            } else {
                self = value <= must ? .must : .fail
            }
        }
    }

    private(set) var rows: [Row] = []
    private(set) var remarks: [String] = []

    mutating func add(_ row: Row) {
        rows.append(row)
        print("  \(row.job), \(row.subject): \(row.measured) \(row.details) \(row.verdict?.rawValue ?? "")")
        fflush(nil)
    }

    /// Adds a sentence below the table, and prints it immediately.
    mutating func remark(_ text: String) {
        remarks.append(text)
        print("  \(text)")
        fflush(nil)
    }

    private static let header = ["measurement", "subject", "result", "limit", "goal", "rating", "details"]

    /// A Markdown table with padded columns, which is also readable in a terminal.
    var table: String {
        let cells = rows.map {
            [$0.job, $0.subject, $0.measured, $0.must, $0.aim, $0.verdict?.rawValue ?? "", $0.details]
        }
        let widths = Self.header.indices.map { column in
            ([Self.header] + cells).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            "| " + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
                + " |\n"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|\n"
        return line(Self.header) + rule + cells.map(line).joined()
    }
}

/// Formats measured values.
enum Figure {
    /// Returns a number with a fixed number of decimal places: `fixed(1.2345, 2)` is `1.23`.
    static func fixed(_ value: Double, _ places: Int) -> String {
        guard value.isFinite else { return "-" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let rounded = Int((value * scale).rounded())
        let digits = String(rounded.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let whole = padded.dropLast(places)
        return (rounded < 0 ? "-" : "") + whole + (places == 0 ? "" : "." + padded.suffix(places))
    }

    static func seconds(_ value: Double) -> String { fixed(value, value < 10 ? 2 : 1) + " s" }
    static func microseconds(_ value: Double) -> String { fixed(value, value < 100 ? 1 : 0) }
    static func megabytes(_ bytes: Double) -> String { fixed(bytes / 1e6, 1) + " MB" }
    static func ratio(_ value: Double) -> String { fixed(value, 2) + "x" }
    static func count(_ value: Int) -> String {
        value >= 1_000_000
            ? fixed(Double(value) / 1e6, 2) + " M" : value >= 10_000 ? "\(value / 1000) k" : String(value)
    }
}
