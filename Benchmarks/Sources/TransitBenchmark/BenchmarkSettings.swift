/// The settings of a run.
struct BenchmarkSettings {
    /// The directory of the generated feeds, the timetable files and the compiled floor programs.
    var cache: String
    /// The directory of the release builds of `transitd` and `transitctl`.
    var binaries: String
    /// The directory of the scripts that run other programs for comparison.
    var comparisons: String
    /// The directory of the recorded real feeds; `nil` if there is none.
    var shared: String?
    /// The Python interpreter with the module `duckdb`; `nil` if there is none.
    var python: String?
    /// The program transit-notification-bench; `nil` if it was not built.
    var notifications: String?
    /// The folder of the recorded days, each a file of messages; `nil` if there is none.
    var days: String?
    /// The output of scripts/instructions; `nil` if it did not run.
    var instructions: String?
    var results: String
    var quick: Bool

    var floor: String { cache + "/floor-import" }
    var realtimeFloor: String { cache + "/floor-realtime" }
    var journeysFloor: String { cache + "/floor-journeys" }
    var echo: String { cache + "/floor-echo" }
    var awake: String { cache + "/floor-awake" }
    var client: String { cache + "/floor-client" }

    /// Parses `--name value` pairs.
    init(_ arguments: [String]) throws(BenchmarkError) {
        var values: [String: String] = [:]
        var rest = arguments[...]
        quick = false
        while let name = rest.popFirst() {
            if name == "--quick" {
                quick = true
            } else if name.hasPrefix("--"), let value = rest.popFirst() {
                values[String(name.dropFirst(2))] = value
            } else {
                throw BenchmarkError("unknown argument: \(name)")
            }
        }
        func value(_ name: String) throws(BenchmarkError) -> String {
            guard let value = values[name] else { throw BenchmarkError("--\(name) is missing") }
            return value
        }
        cache = try value("cache")
        binaries = try value("binaries")
        comparisons = try value("comparisons")
        results = try value("results")
        shared = values["shared"]
        python = values["python"]
        notifications = values["notifications"]
        instructions = values["instructions"]
        days = values["days"]
    }
}
