internal import TransitModel

/// Answers from a recording, as the upstream did at the clock's time. Asks nobody.
///
/// A request gets the latest exchange of its URL that had begun by then, be it a body, a status or a failure. Where that says
/// "not modified" to a client that does not have the body, or has the body that an answer brings, it is put right, as the
/// server would have.
struct ReplayTransport: Transport {
    private let recording: Recording
    private let clock: any WallClock

    init(_ recording: Recording, clock: any WallClock) {
        self.recording = recording
        self.clock = clock
    }

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        completion(flag.isSet ? FetchResult(failure: .canceled) : answer(request))
    }

    private func answer(_ request: FetchRequest) -> FetchResult {
        let url = RedactedURL.text(request.url, redactor: Redactor(request.secrets))
        guard let (exchange, content) = recording.latest(url, at: clock.now()) else {
            return FetchResult(failure: .notRecorded)
        }
        var result = FetchResult(outcome: outcome(exchange, content, request))
        result.headers = exchange.headers
        if case .fetched = result.outcome, let content { result.headers = content.headers }
        result.redirections = exchange.redirections
        result.received = exchange.received
        result.latency = exchange.latency
        result.host = WebURL(exchange.redirections.last?.location ?? exchange.url)?.host
        return result
    }

    private func outcome(_ exchange: RecordedExchange, _ content: RecordedExchange?, _ request: FetchRequest)
        -> FetchResult.Outcome
    {
        switch exchange.answer {
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

    /// Whether a server with this version would say that it has not changed (RFC 9110 section 13.2.2).
    private func isKnown(_ there: Validators, to here: Validators) -> Bool {
        if let etag = here.etag { return etag == there.etag }
        return here.lastModified != nil && here.lastModified == there.lastModified
    }

    private func body(_ exchange: RecordedExchange, _ request: FetchRequest) -> FetchResult.Outcome {
        do throws(FetchFailure) {
            let sink = try ResponseBodyWriter(request.destination, limit: request.bodyLimit)
            try sink.take(contentsOf: recording.folder + "/" + exchange.bodyName)
            return .fetched(sink.finish())
        } catch {
            return .failed(error)
        }
    }
}
