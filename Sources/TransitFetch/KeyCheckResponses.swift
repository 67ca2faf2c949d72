internal import Synchronization
internal import TransitModel
package import TransitSystem

/// Sends each key check once. The provider's response is used again for a minute: when the key is stored after it was
/// checked, and for the same request of the first collection. Other requests pass through.
package final class KeyCheckResponses: Transport {
    private struct Response {
        var request: FetchRequest
        var result: FetchResult
        var body: [UInt8]
        /// The requests that no budget has been charged for, because the feed was not configured yet.
        var uncharged: Int
        var watch = Stopwatch()
    }

    /// How long a response is used again, in seconds of real time.
    private static let lifetime = 60.0
    private static let maximumCount = 8

    private let network: any Transport
    private let responses = Mutex<[Response]>([])

    package init(_ network: any Transport) { self.network = network }

    /// Sends a key check, or returns the response to the same one a moment ago.
    ///
    /// - Parameter isCharged: Whether the caller charges ``FetchResult/requests`` to the key's budget. Requests that one
    ///   caller does not charge are reported to the next one.
    /// - Parameter usesEarlierResponse: Whether an earlier response suffices. A person who checks a stored key needs a new
    ///   one.
    package func check(
        _ request: FetchRequest, isCharged: Bool, usesEarlierResponse: Bool = true
    ) async -> FetchResult {
        guard usesEarlierResponse else { return await network.fetch(request) }
        let known = responses.withLock { responses -> FetchResult? in
            guard let position = Self.position(of: request, in: &responses) else { return nil }
            var result = responses[position].result
            result.requests = isCharged ? responses[position].uncharged : 0
            if isCharged { responses[position].uncharged = 0 }
            return result
        }
        if let known { return known }
        let result = await network.fetch(request)
        guard case .fetched(.memory(let body)) = result.outcome else { return result }
        responses.withLock { responses in
            responses.append(
                Response(
                    request: request, result: result, body: body, uncharged: isCharged ? 0 : result.requests))
            if responses.count > Self.maximumCount { responses.removeFirst() }
        }
        return result
    }

    package func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        let known = responses.withLock { responses -> Response? in
            // The response is used for one other request, so that a second collection receives a new one.
            Self.position(of: request, in: &responses).map { responses.remove(at: $0) }
        }
        guard let known else { return network.start(request, until: flag, completion: completion) }
        do throws(TransportFailure) {
            let writer = try ResponseBodyWriter(request.destination, limit: request.bodyLimit)
            var failure: TransportFailure?
            known.body.withUnsafeBytes { bytes in
                do throws(TransportFailure) { try writer.append(bytes, isKept: true) } catch { failure = error }
            }
            if let failure { throw failure }
            var result = known.result
            result.outcome = .fetched(writer.finish())
            result.requests = known.uncharged
            completion(result)
        } catch {
            completion(FetchResult(failure: error))
        }
    }

    /// Returns the position of the response to an equal request. Removes responses that are too old.
    private static func position(of request: FetchRequest, in responses: inout [Response]) -> Int? {
        responses.removeAll { $0.watch.elapsed > lifetime }
        return responses.firstIndex { known in
            known.request.url == request.url && known.request.method == request.method
                && known.request.plainHeaders == request.plainHeaders && known.request.secrets == request.secrets
                && known.request.caFile == request.caFile && request.method == .get
        }
    }
}
