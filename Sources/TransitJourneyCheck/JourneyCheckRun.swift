internal import Glibc
internal import TransitQueries
internal import TransitTestSupport

/// The comparisons of one start of `transit-journeys-check`.
package struct JourneyCheckRun {
    private let options: JourneyCheckOptions
    /// The folder with the archives.
    private let archives: String
    /// Where timetable files are written.
    private let folder: String
    private var tables: [String: ReferenceTables] = [:]
    private var differences = 0

    package init(_ options: JourneyCheckOptions, archives: String, folder: String) {
        self.options = options
        self.archives = archives
        self.folder = folder
    }

    /// Runs all comparisons and prints a summary of each.
    ///
    /// - Returns: The number of questions that were answered differently.
    package mutating func run() throws -> Int {
        for name in options.feeds {
            try check([name], .window, options.questions)
            try check([name], .realtime, options.realtime)
            try check([name], .arriveBy, options.arriveBy)
            // Those of pairs are imported again, so that few timetables are in memory.
            tables.removeAll()
        }
        for pair in options.pairs { try check(pair, .window, options.twoFeeds) }
        return differences
    }

    private mutating func check(_ names: [String], _ kind: JourneyCheck.Kind, _ count: Int) throws {
        guard count > 0 else { return }
        let tables = try names.map { try table($0) }
        var check = JourneyCheck(kind, tables, seed: options.seed) { line in
            print(line)
            fflush(nil)
        }
        let start = Self.seconds()
        let summary = try check.run(count)
        differences += summary.differences
        let title = "\(names.joined(separator: " + ")), \(kind.rawValue), seed \(options.seed)"
        print("\(title): \(summary.text); \(Int(Self.seconds() - start)) s")
        fflush(nil)
    }

    private mutating func table(_ name: String) throws -> ReferenceTables {
        if let known = tables[name] { return known }
        let feed = try CheckedFeed(archive: "\(archives)/\(name).zip", name: name, folder: folder)
        if !feed.omissions.findings.isEmpty {
            print("\(name): the network lacks \(feed.omissions)")
        }
        let table = ReferenceTables(feed)
        tables[name] = table
        return table
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The arguments of `transit-journeys-check`.
package struct JourneyCheckOptions {
    /// The archives without the extension, relative to the folder.
    package var feeds = [
        "bart/2018-05", "other/raba-2025", "partridge/region-nord-v2", "other/rapidkl-mrtfeeder-2026",
        "other/sacramento-rt-2024", "other/soundtransit-2024", "large/vta-2014", "other/hart-2018",
        "large/nyc-subway-2018", "large/vilnius-2014",
    ]
    package var pairs = [["large/vta-2014", "caltrain/vintage-2014-10-08"]]
    package var seed: UInt64 = 1
    /// The number of questions for each feed or pair.
    package var questions = 1000
    package var realtime = 300
    package var twoFeeds = 300
    package var arriveBy = 200

    package static let usage = """
        usage: transit-journeys-check [--seed NUMBER] [--questions COUNT] [--realtime COUNT] [--arrive-by COUNT]
                   [--two-feeds COUNT] [FEED...]
        FEED is an archive in the folder of feeds without its extension, or FEED+FEED for two feeds together.
        """

    /// Returns `nil` if the arguments are invalid.
    package init?(_ arguments: some Sequence<String>) {
        var names: [String] = []
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            guard let text = arguments.next(), let number = Int(text), number >= 0 else { return nil }
            switch argument {
            case "--seed": seed = UInt64(number)
            case "--questions": questions = number
            case "--realtime": realtime = number
            case "--two-feeds": twoFeeds = number
            case "--arrive-by": arriveBy = number
            default: return nil
            }
        }
        guard !names.isEmpty else { return }
        feeds = names.filter { !$0.contains("+") }
        pairs = names.filter { $0.contains("+") }.map { $0.split(separator: "+").map(String.init) }
    }
}
