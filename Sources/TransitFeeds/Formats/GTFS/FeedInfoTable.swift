internal import TransitModel

enum FeedInfoColumn: Int, TableColumn {
    case publisher, url, language, start, end, version

    static let file = "feed_info.txt"
    static let names = [
        "feed_publisher_name", "feed_publisher_url", "feed_lang", "feed_start_date", "feed_end_date", "feed_version",
    ]
    static let ignoredNames = ["default_lang", "feed_contact_email", "feed_contact_url", "feed_id"]
    static let required: [FeedInfoColumn] = []
}

/// Reads feed_info.txt, which has at most one row.
struct FeedInfoTable {
    private(set) var feedInfo: FeedInfo?

    init(_ files: FeedFiles) throws(FeedError) {
        let context = files.context
        try files.read(FeedInfoColumn.self) { row throws(FeedError) in
            guard feedInfo == nil else {
                context.add(
                    "more_than_one_entity", .warning, at: row.place,
                    "feed_info.txt must have one row; only the first row is used")
                return
            }
            feedInfo = FeedInfo(
                publisher: context.text(row, FeedInfoColumn.publisher),
                publisherURL: context.text(row, FeedInfoColumn.url),
                language: context.text(row, FeedInfoColumn.language),
                startDate: context.date(row, FeedInfoColumn.start),
                endDate: context.date(row, FeedInfoColumn.end), version: context.text(row, FeedInfoColumn.version))
            if let start = feedInfo?.startDate, let end = feedInfo?.endDate, start > end {
                context.reject(
                    row, FeedInfoColumn.end, "start_and_end_range_out_of_order", .error,
                    "feed_end_date is before feed_start_date; both are ignored")
                feedInfo?.startDate = nil
                feedInfo?.endDate = nil
            }
        }
    }
}
