/// The size of a generated feed. The number of stop times follows from the seed and these numbers.
struct FeedSize {
    var name: String
    var routes: Int
    /// The number of intersections from west to east, and from south to north. Stops are at intersections.
    var columns: Int
    var rows: Int
    /// The headway, in percent of the headway in a dense city.
    var headwayPercent: Int
    var agencies: Int

    static let all = [
        FeedSize(name: "small", routes: 5, columns: 12, rows: 12, headwayPercent: 480, agencies: 1),
        FeedSize(name: "city", routes: 30, columns: 32, rows: 32, headwayPercent: 100, agencies: 1),
        FeedSize(name: "medium", routes: 116, columns: 56, rows: 56, headwayPercent: 100, agencies: 2),
        FeedSize(name: "large", routes: 1010, columns: 180, rows: 180, headwayPercent: 130, agencies: 9),
    ]
}
