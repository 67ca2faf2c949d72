package import TransitSystem

/// Sends requests to upstreams or replays their recorded responses.
///
/// Redirects are part of the request. A transport never retries, because the refresh engine decides when to retry
/// within the budgets. ``FetchResult/requests`` counts the requests that the upstream received or may have received.
package protocol Transport: Sendable {
    /// Starts a request without blocking.
    ///
    /// - Parameters:
    ///   - flag: Ends the request with ``TransportFailure/canceled`` when it is set.
    ///   - completion: Called exactly once, even after cancellation, on a thread that it must not block for long.
    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void)
}

extension Transport {
    /// Suspends until the result is available. Setting the flag or canceling the task ends the request.
    package func fetch(_ request: FetchRequest, until flag: CancellationFlag = CancellationFlag()) async -> FetchResult
    {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(request, until: flag) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            flag.set()
        }
    }

    /// Blocks the calling thread. Intended for work that runs on its own thread.
    package func fetchAndWait(_ request: FetchRequest, until flag: CancellationFlag) -> FetchResult {
        let result = ResultBox<FetchResult>()
        start(request, until: flag) { result.fulfill($0) }
        return result.wait()
    }
}
