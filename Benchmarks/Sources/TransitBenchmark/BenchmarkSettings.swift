/// What one run of the benchmark uses.
struct BenchmarkSettings {
    /// Folder of the generated feeds, of the stores that are made, and of the compiled floor.
    var cache: String
    /// Folder with the release builds of `transitd` and `transitctl`.
    var binaries: String
    /// Folder of the scripts that other programs are compared with.
    var comparisons: String
    /// Where real feeds lie beside the checkout; `nil` when they do not.
    var shared: String?
    /// The interpreter that has the module duckdb; `nil` when there is none.
    var python: String?
    var results: String
    var quick: Bool

    var floor: String { cache + "/floor-import" }
    var realtimeFloor: String { cache + "/floor-realtime" }
    var echo: String { cache + "/floor-echo" }
    var awake: String { cache + "/floor-awake" }
    var client: String { cache + "/floor-client" }

    /// Reads `--name value` pairs.
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
    }
}
