internal import TransitControl

/// How a result is told: to people as a page, to scripts as rows of fields.
///
/// Both are pure functions of the result, whose own `at` says when "now" is.
struct View<Result: Sendable>: Sendable {
    let page: @Sendable (Result) -> Page
    let rows: @Sendable (Result) -> [[String]]
    /// What to know about the result, for people, apart from it.
    let notices: @Sendable (Result) -> [Line]

    init(page: @escaping @Sendable (Result) -> Page, rows: @escaping @Sendable (Result) -> [[String]]) {
        self.page = page
        self.rows = rows
        notices = { _ in [] }
    }

    init(page: @escaping @Sendable (Result) -> Page, rows: @escaping @Sendable (Result) -> [[String]])
    where Result: HasNotices {
        self.page = page
        self.rows = rows
        // That nothing runs is the answer itself, which the page tells.
        notices = { result in
            result.notices.filter { $0.kind != .noService }.map { $0.line(from: result.at) }
        }
    }
}

extension View where Result: HasNotices {
    /// One sentence, which is also the only row: for what was done rather than what was asked.
    static func sentence(_ words: @escaping @Sendable (Result) -> String) -> View {
        View(
            page: { result in
                var page = Page()
                page.line(words(result))
                return page
            },
            rows: { [[words($0)]] })
    }
}

/// Rows for scripts: fields separated by tabs, one row per line.
enum PlainRows {
    static func text(_ rows: [[String]]) -> String {
        // Cleaning turns tabs and line ends inside a field into blanks, so that they separate nothing.
        rows.map { $0.map(SafeText.clean).joined(separator: "\t") + "\n" }.joined()
    }
}

/// A result that says what to know about it.
protocol HasNotices {
    var at: Timestamp { get }
    var notices: [Notice] { get }
}

extension NextResult: HasNotices {}
extension DeparturesResult: HasNotices {}
extension StopsSearchResult: HasNotices {}
extension StopsNearResult: HasNotices {}
extension StopsShowResult: HasNotices {}
extension RoutesSearchResult: HasNotices {}
extension RoutesShowResult: HasNotices {}
extension RoutesStopsResult: HasNotices {}
extension TripShowResult: HasNotices {}
extension CommuteListResult: HasNotices {}
extension CommuteResult: HasNotices {}
extension PlaceListResult: HasNotices {}
extension PlaceResult: HasNotices {}
extension AddressSearchResult: HasNotices {}
extension FavoriteListResult: HasNotices {}
extension FavoriteShowResult: HasNotices {}
extension FavoriteResult: HasNotices {}
extension KeyResult: HasNotices {}
extension RecentListResult: HasNotices {}
extension FeedListResult: HasNotices {}
extension FeedUpdateResult: HasNotices {}
extension FeedValidateResult: HasNotices {}
extension FeedVersionsResult: HasNotices {}
extension FeedRollbackResult: HasNotices {}
extension FeedDiffResult: HasNotices {}
extension StatusResult: HasNotices {}
extension ConfigCheckResult: HasNotices {}
extension ConfigReloadResult: HasNotices {}
extension RefreshResult: HasNotices {}
extension BudgetResult: HasNotices {}
extension ExplainResult: HasNotices {}
extension VehiclesResult: HasNotices {}
extension AlertsResult: HasNotices {}
extension DoctorResult: HasNotices {}
