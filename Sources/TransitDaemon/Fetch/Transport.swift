/// Asks upstreams: over the network, or from a recording.
///
/// One request is one question, redirections included; nothing is retried here, for whether and when is decided by those
/// who know the budgets.
protocol Transport: Sendable {
    /// Begins at once and does not block.
    ///
    /// - Parameters:
    ///   - flag: Ends the request with ``FetchFailure/canceled`` when it is set.
    ///   - completion: Called exactly once, also after a cancellation, on a thread that must not be kept for long.
    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void)
}

extension Transport {
    /// Waits without a thread; setting the flag ends the request, and cancelling the task sets the flag.
    func fetch(_ request: FetchRequest, until flag: CancellationFlag = CancellationFlag()) async -> FetchResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(request, until: flag) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            flag.set()
        }
    }

    /// Blocks: for work that has a thread of its own.
    func fetchAndWait(_ request: FetchRequest, until flag: CancellationFlag) -> FetchResult {
        let answer = ResultBox<FetchResult>()
        start(request, until: flag) { answer.fulfill($0) }
        return answer.wait()
    }
}
