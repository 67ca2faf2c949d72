internal import TransitControl
internal import TransitModel
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles `feed.validate`.
struct FeedValidateHandler: MethodHandler {
    let controller: FeedController
    let state: StateStore
    let realtime: RealtimeReport

    func reply(to parameters: FeedValidateParameters, _ context: RequestContext) throws -> FeedValidateResult {
        if parameters.realtime { return try realtime.result(for: parameters, context) }
        let (feed, library) = try controller.opened(parameters.feed, context)
        if parameters.attempt, let report = try state.refusal(of: feed.id) {
            return Self.rendered(report, of: nil, feed, context, isRefused: true)
        }
        guard let number = parameters.version ?? library.currentNumber else {
            if let report = try state.refusal(of: feed.id) {
                return Self.rendered(report, of: nil, feed, context, isRefused: true)
            }
            throw ControlError.noData([feed.view])
        }
        let report = try library.file(version: number, of: feed.id).report()
        return Self.rendered(report, of: number, feed, context, isRefused: false)
    }

    private static func rendered(
        _ report: ValidationReport, of number: Int?, _ feed: FeedSnapshot, _ context: RequestContext, isRefused: Bool
    ) -> FeedValidateResult {
        FeedValidateResult(
            at: context.at, feed: feed.id, version: number, isRefused: isRefused, counts: FindingCounts(report),
            findings: report.findings.sorted { $0.severity > $1.severity }.map { Finding($0) },
            notices: FeedNotices(now: context.now).about(feed.view))
    }
}
