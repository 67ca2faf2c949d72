package import TransitModel
package import TransitSystem

/// Replays the responses of a recording at the clock's time. Sends no requests.
///
/// A request gets the latest exchange with its method, URL and body that had started by that time: a body, a status or a failure. If that
/// exchange is "not modified" but the client does not have the body, the client gets the body. If the client already
/// has the recorded body, it gets "not modified". The server would have responded in the same way.
package struct ReplayTransport: Transport {
    private let recording: Recording
    private let clock: any WallClock

    package init(_ recording: Recording, clock: any WallClock) {
        self.recording = recording
        self.clock = clock
    }

    package func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        completion(flag.isSet ? FetchResult(failure: .canceled) : result(for: request))
    }

    private func result(for request: FetchRequest) -> FetchResult {
        guard let (exchange, content) = recording.latest(RecordedRequest(request), at: clock.now()) else {
            return FetchResult(failure: .notRecorded)
        }
        var result = FetchResult(outcome: outcome(exchange, content, request))
        result.headers = exchange.headers
        if case .fetched = result.outcome, let content { result.headers = content.headers }
        result.redirections = exchange.redirections
        result.received = exchange.received
        result.latency = exchange.latency
        result.host = WebURL(exchange.redirections.last?.location ?? exchange.key.url)?.host
        return result
    }

    private func outcome(_ exchange: RecordedExchange, _ content: RecordedExchange?, _ request: FetchRequest)
        -> FetchResult.Outcome
    {
        switch exchange.outcome {
        case .http(let status, let retryAfter): return .http(status: status, retryAfter: retryAfter)
        case .failed(let failure): return .failed(failure)
        case .notModified, .fetched:
            guard let content else {
                return request.validators.isEmpty ? .failed(.notRecorded) : .notModified
            }
            if isKnown(content.validators, to: request.validators) { return .notModified }
            return body(content, request)
        }
    }

    /// Whether a server with this version would respond "not modified" (RFC 9110 section 13.2.2).
    private func isKnown(_ server: Validators, to client: Validators) -> Bool {
        if let etag = client.etag { return etag == server.etag }
        return client.lastModified != nil && client.lastModified == server.lastModified
    }

    private func body(_ exchange: RecordedExchange, _ request: FetchRequest) -> FetchResult.Outcome {
        do throws(TransportFailure) {
            let bodyWriter = try ResponseBodyWriter(request.destination, limit: request.bodyLimit)
            try bodyWriter.append(contentsOf: recording.folder + "/" + exchange.bodyName)
            return .fetched(bodyWriter.finish())
        } catch {
            return .failed(error)
        }
    }
}
