internal import CCurl
package import TransitSystem

/// A connection, with TLS if required, that libcurl establishes for a protocol other than HTTP. Must be used on a
/// single thread.
package final class CurlConnection {
    private let handle: UnsafeMutableRawPointer
    private let flag: CancellationFlag
    private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_REASON_SIZE))
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)
    private let seconds: Int

    /// Connects to the server. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - address: An `https` URL for an encrypted connection.
    ///   - caFile: A PEM file whose certificates replace the system's trusted certificates.
    ///   - seconds: The timeout for the connection attempt.
    ///   - flag: Aborts the attempt within about a second when it is set.
    package init(_ address: WebURL, caFile: String?, seconds: Int, flag: CancellationFlag) throws(TransportFailure) {
        if let error = CurlTransport.loadError { throw .unavailable(error) }
        guard let handle = ccurl_create() else { throw .unavailable("out of memory") }
        self.handle = handle
        self.flag = flag
        self.seconds = seconds
        reason[0] = 0
        try CurlOptions.check(optionCodes(address, caFile))
        _ = ccurl_set_reason(handle, reason)
        let code = ccurl_connect(handle)
        guard code == 0 else { throw failure(code) }
    }

    deinit {
        ccurl_destroy(handle)
        reason.deallocate()
    }

    private func optionCodes(_ address: WebURL, _ caFile: String?) -> [Int32] {
        let context = Unmanaged.passUnretained(flag).toOpaque()
        return CurlOptions.set(handle, url: address.text, host: address.host, caFile: caFile) + [
            ccurl_set_long(handle, CCURL_CONNECT_TIMEOUT_MS, max(1, seconds) * 1000),
            ccurl_set_connect_only(
                handle,
                { context, _, _, _, _ in
                    guard let context else { return 0 }
                    return Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue().isSet ? 1 : 0
                }, context),
        ]
    }

    /// The socket to poll; -1 if the connection is closed.
    package var descriptor: Int32 { ccurl_socket(handle) }

    /// Sends bytes without blocking and returns how many were sent.
    package func send(_ bytes: [UInt8]) throws(TransportFailure) -> Int {
        var sent = 0
        let code = ccurl_send(handle, bytes, bytes.count, &sent)
        guard code == 0 || code == CCURL_CODE_AGAIN else { throw failure(code) }
        return code == 0 ? sent : 0
    }

    /// Returns the received bytes: `nil` if there are none yet, an empty slice if the server has closed the connection.
    package func receive() throws(TransportFailure) -> ArraySlice<UInt8>? {
        var received = 0
        let code = ccurl_receive(handle, &buffer, buffer.count, &received)
        if code == CCURL_CODE_AGAIN { return nil }
        guard code == 0 else { throw failure(code) }
        return buffer[..<received]
    }

    private func failure(_ code: Int32) -> TransportFailure {
        if code == CCURL_CODE_ENDED_HERE { return .canceled }
        let redactor = Redactor([])
        if let failure = CurlOptions.failure(code, noted: String(cString: reason), redactor: redactor) {
            return failure
        }
        return ccurl_kind(code) == CCURL_TIMED_OUT
            ? .timedOut(seconds: seconds) : .other(CurlOptions.message(code, redactor))
    }
}
