/// A feed for the import benchmark, with the limits for its size.
struct FeedUnderTest {
    var name: String
    var path: String
    /// The limits for the peak memory of the import, in MB. `nil` if the feed has no limits, not even for the time,
    /// because most of the import of a small feed is the start of the process.
    var memory: (must: Double, aim: Double)?
    /// The number of runs of each program.
    var repeats: Int
    /// Whether the import is also compared with other programs.
    var isCompared: Bool
    /// The radius in meters of a part that is also imported, with about 5 % of the stop times; `nil` for none.
    var partRadius: Int?

    /// Returns the existing feeds for a run.
    static func all(_ settings: BenchmarkSettings) -> [FeedUnderTest] {
        let few = settings.quick
        var feeds = [
            FeedUnderTest(
                name: "small", path: "\(settings.cache)/small.zip", memory: nil, repeats: few ? 3 : 9,
                isCompared: false),
            FeedUnderTest(
                name: "medium", path: "\(settings.cache)/medium.zip", memory: (96, 64), repeats: few ? 3 : 7,
                isCompared: true),
        ]
        guard !few else { return feeds }
        feeds.append(
            FeedUnderTest(
                name: "city", path: "\(settings.cache)/city.zip", memory: (48, 32), repeats: 9, isCompared: true))
        feeds.append(
            FeedUnderTest(
                name: "large", path: "\(settings.cache)/large.zip", memory: (220, 160), repeats: 3, isCompared: true,
                partRadius: 5500))
        guard let shared = settings.shared else { return feeds }
        let real = ["other/hart-2018.zip", "large/nyc-subway-2018.zip", "large/vilnius-2014.zip"]
        for path in real {
            let name = path.split(separator: "/").last!.dropLast(4)
            feeds.append(
                FeedUnderTest(
                    name: String(name), path: "\(shared)/gtfs/\(path)", memory: (48, 32), repeats: 9,
                    isCompared: false))
        }
        return feeds.filter { Files.exists($0.path) }
    }
}
