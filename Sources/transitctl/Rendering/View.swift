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
    where Result: Noticed {
        self.page = page
        self.rows = rows
        // That nothing runs is the answer itself, which the page tells.
        notices = { result in
            result.notices.filter { $0.kind != .noService }.map { $0.line(from: result.at) }
        }
    }
}

extension View where Result: Noticed {
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
protocol Noticed {
    var at: Timestamp { get }
    var notices: [Notice] { get }
}

extension NextResult: Noticed {}
extension DeparturesResult: Noticed {}
extension StopsSearchResult: Noticed {}
extension StopsNearResult: Noticed {}
extension StopsShowResult: Noticed {}
extension RoutesSearchResult: Noticed {}
extension RoutesShowResult: Noticed {}
extension RoutesStopsResult: Noticed {}
extension TripShowResult: Noticed {}
extension CommuteListResult: Noticed {}
extension CommuteResult: Noticed {}
extension PlaceListResult: Noticed {}
extension PlaceResult: Noticed {}
extension AddressSearchResult: Noticed {}
extension FavoriteListResult: Noticed {}
extension FavoriteShowResult: Noticed {}
extension FavoriteResult: Noticed {}
extension KeyResult: Noticed {}
extension RecentListResult: Noticed {}
extension FeedListResult: Noticed {}
extension FeedUpdateResult: Noticed {}
extension FeedValidateResult: Noticed {}
extension FeedVersionsResult: Noticed {}
extension FeedRollbackResult: Noticed {}
extension FeedDiffResult: Noticed {}
extension StatusResult: Noticed {}
extension ConfigCheckResult: Noticed {}
extension ConfigReloadResult: Noticed {}
extension RefreshResult: Noticed {}
extension BudgetResult: Noticed {}
extension ExplainResult: Noticed {}
extension VehiclesResult: Noticed {}
extension AlertsResult: Noticed {}
extension DoctorResult: Noticed {}
