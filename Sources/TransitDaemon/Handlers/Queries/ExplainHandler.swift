internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitReplies

/// Handles `explain`.
struct ExplainHandler: MethodHandler {
    let refresh: RefreshService

    func reply(to parameters: ExplainParameters, _ context: RequestContext) throws -> ExplainResult {
        let reply = ExplainReply(
            parameters,
            format: { try context.feed($0.feed).configuration.resolvedProvider.traits.format(of: $0.kind) },
            record: refresh.record)
        return try reply.result(context.query)
    }
}
