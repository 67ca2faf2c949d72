internal import CCurl
internal import Glibc
internal import TransitModel
internal import TransitSystem

/// One libcurl request, including its redirects. Used only on the transport's thread.
final class CurlTransfer {
    /// The next step after a response.
    enum Next: Hashable {
        /// The handle is ready for the next request.
        case redirected
        /// The result has been delivered.
        case finished
    }

    let handle: UnsafeMutableRawPointer
    private let pending: CurlTransport.Pending
    private let redactor: Redactor
    private let bodyWriter: ResponseBodyWriter
    private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_REASON_SIZE))
    private var route: RedirectionRule
    private var head = ResponseHead()
    private var headers: OpaquePointer?
    /// The reason why the daemon aborted the transfer.
    private var abortReason: TransportFailure?
    /// The number of requests that libcurl sent, and whether one of them is for the current URL.
    private var sent = 0
    private var isSent = false
    private var result = FetchResult(failure: .canceled)

    var number: Int { pending.number }
    private var request: FetchRequest { pending.request }

    /// The handle holds an unowned pointer to the transfer, so the transfer must not be released before the handle is
    /// removed from the multi handle.
    init(_ pending: CurlTransport.Pending) throws(TransportFailure) {
        let request = pending.request
        guard
            let route = RedirectionRule(
                request.url, secrets: request.secrets, method: request.method, body: request.body)
        else { throw .address }
        let bodyWriter = try ResponseBodyWriter(request.destination, limit: request.bodyLimit)
        guard let handle = ccurl_create() else { throw .unavailable("out of memory") }
        self.handle = handle
        self.pending = pending
        self.route = route
        self.bodyWriter = bodyWriter
        redactor = Redactor(request.secrets)
        try prepare()
    }

    deinit {
        ccurl_destroy(handle)
        ccurl_free_list(headers)
        reason.deallocate()
    }

    // MARK: Sending the request

    /// Prepares the handle for a request to the next URL.
    private func prepare() throws(TransportFailure) {
        let remaining = request.deadline - pending.watch.elapsed
        guard remaining > 0 else { throw timedOut }
        head = ResponseHead()
        bodyWriter.restart()
        reason[0] = 0
        isSent = false
        result.host = route.address.host
        let lines = headerLines
        ccurl_free_list(headers)
        headers = lines.reduce(nil) { list, line in ccurl_append(list, line) ?? list }
        let codes = optionCodes(milliseconds: max(1, Int(min(remaining, 86_400) * 1000)))
        try CurlOptions.check(codes)
        attach()
        // This option keeps a slow name lookup from delaying other transfers. The result is ignored, because the option
        // requires libcurl 7.87.
        _ = ccurl_set_long(handle, CCURL_QUICK_EXIT, 1)
    }

    private func optionCodes(milliseconds: Int) -> [Int32] {
        let address = CurlOptions.set(
            handle, url: route.requested, host: route.address.host, caFile: request.caFile)
        return address + [
            ccurl_set_text(handle, CCURL_USER_AGENT, "transitd"),
            ccurl_set_text(handle, CCURL_ENCODINGS, "gzip, deflate"),
            ccurl_set_list(handle, CCURL_HEADERS, headers), methodCode,
            ccurl_set_long(handle, CCURL_TIMEOUT_MS, milliseconds),
            ccurl_set_long(
                handle, CCURL_CONNECT_TIMEOUT_MS, min(milliseconds, max(1, Int(request.connectTimeout * 1000)))),
            ccurl_set_long(handle, CCURL_LOW_SPEED, FetchRequest.minimumSpeed),
            ccurl_set_long(handle, CCURL_LOW_SPEED_SECONDS, max(1, request.stallTimeout)),
            ccurl_set_offset(handle, CCURL_MAXIMUM_SIZE, Int64(clamping: request.bodyLimit)),
        ]
    }

    private var methodCode: Int32 {
        guard route.method != .get else { return ccurl_set_method(handle, nil, nil, 0) }
        let bytes = route.body?.bytes ?? []
        return ccurl_set_method(handle, route.method.rawValue, bytes, bytes.count)
    }

    /// ``FeedKeys`` guarantees that a secret contains no line break.
    private var headerLines: [String] {
        (request.plainHeaders + bodyHeaders + route.secretHeaders).map { "\($0.name): \($0.value)" }
    }

    /// `Expect` without a value keeps libcurl from waiting a second for `100 Continue` before it sends a large body.
    private var bodyHeaders: [HTTPHeader] {
        guard route.method != .get else { return [] }
        let type = HTTPHeader(name: "Content-Type", value: route.body?.contentType ?? "")
        return [HTTPHeader(name: "Expect", value: ""), type].filter(\.isOneLine)
    }

    // MARK: Receiving the response

    private func attach() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_set_reason(handle, reason)
        _ = ccurl_set_body(
            handle, { bytes, _, count, context in CurlTransfer.of(context)?.body(bytes, count) ?? 0 }, context)
        _ = ccurl_set_header(
            handle, { bytes, _, count, context in CurlTransfer.of(context)?.line(bytes, count) ?? 0 }, context)
        _ = ccurl_set_gate(
            handle, { context, _, _, _, _ in CurlTransfer.of(context)?.beginRequest() == true ? 0 : 1 }, context)
    }

    /// Counts a request that is about to be sent. If a server closes a connection that was kept open, libcurl would
    /// repeat the request at once, over each connection in turn. The refresh engine decides when to repeat a request.
    private func beginRequest() -> Bool {
        guard !isSent else {
            abortReason = .interrupted
            return false
        }
        (sent, isSent) = (sent + 1, true)
        return true
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func body(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        do throws(TransportFailure) {
            try bodyWriter.append(UnsafeRawBufferPointer(start: bytes, count: count), isKept: head.status == 200)
        } catch {
            abortReason = error
            // Any return value other than `count` aborts the transfer. For an empty chunk, 0 would be the count.
            return count == 0 ? 1 : 0
        }
        if head.status == 200 { request.progress?(bodyWriter.received, head.length ?? 0) }
        return count
    }

    private func line(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        head.parse(String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self))
        return count
    }

    // MARK: Finishing

    /// Handles the end of a response.
    ///
    /// - Parameter code: libcurl's code.
    func responseEnded(_ code: Int32) -> Next {
        result.received += UInt64(clamping: ccurl_received(handle))
        result.headers = head.headers.map { HTTPHeader(name: $0.name, value: redactor.redact($0.value)) }
        do throws(TransportFailure) {
            if let abortReason { throw abortReason }
            guard code == 0 else { throw failure(code) }
            if head.isRedirection {
                try follow()
                // Many servers close the connection of a redirection without notice, after libcurl has chosen it for the
                // next request. That request would then count as repeated.
                try CurlOptions.check([ccurl_set_long(handle, CCURL_NEW_CONNECTION, 1)])
                try prepare()
                return .redirected
            }
            end(with: outcome)
        } catch {
            end(error)
        }
        return .finished
    }

    private func follow() throws(TransportFailure) {
        let target = ccurl_redirection(handle).map { String(cString: $0) }
        do throws(RedirectionRefusal) {
            defer {
                let location = RedactedURL.text(target ?? "", redactor: redactor)
                result.redirections.append(.init(status: head.status, location: location))
            }
            try route.follow(target, status: head.status)
        } catch {
            throw .redirection(error)
        }
    }

    private var outcome: FetchResult.Outcome {
        switch head.status {
        case 200: .fetched(bodyWriter.finish())
        case 304 where !request.validators.isEmpty: .notModified
        default: .http(status: head.status, retryAfter: head["retry-after"].map(redactor.redact))
        }
    }

    func end(_ failure: TransportFailure) { end(with: .failed(failure)) }

    private func end(with outcome: FetchResult.Outcome) {
        result.outcome = outcome
        result.requests = requests(outcome)
        result.latency = Int((pending.watch.elapsed * 1000).rounded())
        pending.completion(result)
    }

    /// The number of requests that left this machine. An attempt to connect counts: it reached out to the server, and an
    /// old libcurl does not report whether the request followed.
    private func requests(_ outcome: FetchResult.Outcome) -> Int {
        if case .failed(let failure) = outcome, failure.isBeforeConnecting { return sent }
        return max(1, sent)
    }

    private func failure(_ code: Int32) -> TransportFailure {
        if isHeaderTooLong(code) { return .headerTooLong }
        if let failure = CurlOptions.failure(code, noted: String(cString: reason), redactor: redactor) {
            return failure
        }
        return switch ccurl_kind(code) {
        case CCURL_TIMED_OUT: timedOut
        case CCURL_TOO_LARGE: .tooLarge(limit: request.bodyLimit)
        case CCURL_ENCODING: .encoding
        default: .other(CurlOptions.message(code, redactor))
        }
    }

    /// Whether libcurl refused the header of the response: a line of more than 100 KiB, which it reports as exhausted memory,
    /// or all lines together, which later versions limit to 300 KiB and report as a failed transfer.
    private func isHeaderTooLong(_ code: Int32) -> Bool {
        switch ccurl_kind(code) {
        case CCURL_BUFFER_LIMIT: ccurl_is_connected(handle) != 0 && bodyWriter.received == 0
        case CCURL_INTERRUPTED: String(cString: reason).hasPrefix("Too large response headers")
        default: false
        }
    }

    /// Distinguishes the deadline of the whole request, the connection timeout, which is usually shorter, and a slow
    /// transfer.
    private var timedOut: TransportFailure {
        let isDeadline = pending.watch.elapsed + 0.05 >= request.deadline
        if !isDeadline, ccurl_is_connected(handle) != 0 { return .tooSlow(seconds: request.stallTimeout) }
        let seconds = isDeadline ? request.deadline : min(request.connectTimeout, request.deadline)
        return .timedOut(seconds: Int(seconds.rounded(.up)))
    }
}
