internal import TransitControl

/// The presentation of a result: a page for people and rows of fields for scripts.
///
/// Both are pure functions of the result. Relative times are relative to the `at` of the result.
struct View<Result: Sendable>: Sendable {
    let page: @Sendable (Result) -> Page
    let rows: @Sendable (Result) -> [[String]]
    /// The notices to print on standard error.
    let notices: @Sendable (Result) -> [Line]
    /// The page with numbered rows; `nil` if the rows have no numbers.
    private(set) var listed: (@Sendable (Result) -> ListedPage)?

    init(page: @escaping @Sendable (Result) -> Page, rows: @escaping @Sendable (Result) -> [[String]]) {
        self.page = page
        self.rows = rows
        notices = { _ in [] }
    }

    init(page: @escaping @Sendable (Result) -> Page, rows: @escaping @Sendable (Result) -> [[String]])
    where Result: HasNotices {
        self.page = page
        self.rows = rows
        // The page itself shows that there is no service.
        notices = { result in
            result.notices.filter { $0.kind != .noService }.map { $0.line(from: result.at) }
        }
    }
}

extension View {
    /// Returns the view with a page whose rows have numbers, for terminals.
    func numbered(_ listed: @escaping @Sendable (Result) -> ListedPage) -> View {
        var view = self
        view.listed = listed
        return view
    }
}

extension View where Result: HasNotices {
    /// A view of a single sentence, which is also the only row, for commands that change something.
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
        // Sanitizing replaces tabs and line breaks within a field with spaces.
        rows.map { $0.map(SafeText.clean).joined(separator: "\t") + "\n" }.joined()
    }
}

/// A result with notices.
protocol HasNotices {
    var at: Timestamp { get }
    var notices: [Notice] { get }
}

extension NotificationsResult: HasNotices {}
extension NotifyListResult: HasNotices {}
extension NotifySetResult: HasNotices {}
extension NotifyMuteResult: HasNotices {}
extension NotifyTestResult: HasNotices {}
extension NotifyActResult: HasNotices {}
extension NotifyDaysOffResult: HasNotices {}
extension NotifyRehearseResult: HasNotices {}
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
extension WeatherResult: HasNotices {}
extension EventsResult: HasNotices {}
extension DoctorResult: HasNotices {}
extension TakenResult: HasNotices {}
extension TakenListResult: HasNotices {}
extension TakenImportResult: HasNotices {}
extension UsualListResult: HasNotices {}
extension UsualResult: HasNotices {}
extension UsualExplainResult: HasNotices {}
extension InsightsResult: HasNotices {}
extension InsightsForgetResult: HasNotices {}
