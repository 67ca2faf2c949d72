/// How large a generated feed is. The counts of stop times are what the seed and these numbers come to.
struct FeedSize {
    var name: String
    var routes: Int
    /// Crossings of streets from west to east and from south to north; stops stand at crossings.
    var columns: Int
    var rows: Int
    /// How many times longer than in a dense city the time between two trips is, in percent.
    var headwayPercent: Int
    var agencies: Int

    static let all = [
        FeedSize(name: "small", routes: 5, columns: 12, rows: 12, headwayPercent: 480, agencies: 1),
        FeedSize(name: "city", routes: 30, columns: 32, rows: 32, headwayPercent: 100, agencies: 1),
        FeedSize(name: "medium", routes: 116, columns: 56, rows: 56, headwayPercent: 100, agencies: 2),
        FeedSize(name: "large", routes: 1010, columns: 180, rows: 180, headwayPercent: 130, agencies: 9),
    ]
}
