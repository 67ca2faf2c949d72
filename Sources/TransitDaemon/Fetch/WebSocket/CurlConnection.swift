internal import CCurl

/// A connection that libcurl makes, with its TLS, and on which something other than a request is spoken; belongs to one thread.
final class CurlConnection {
    private let handle: UnsafeMutableRawPointer
    private let flag: CancellationFlag
    private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_REASON_SIZE))
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)
    private let seconds: Int

    /// Connects, which blocks.
    ///
    /// - Parameters:
    ///   - address: `https` for a protected connection.
    ///   - caFile: a PEM file whose certificates are trusted instead of the system's.
    ///   - seconds: for all of it.
    ///   - flag: ends it within about a second.
    init(_ address: WebAddress, caFile: String?, seconds: Int, flag: CancellationFlag) throws(FetchFailure) {
        if let refusal = CurlTransport.refusal { throw .unavailable(refusal) }
        guard let handle = ccurl_create() else { throw .unavailable("there is no memory") }
        self.handle = handle
        self.flag = flag
        self.seconds = seconds
        reason[0] = 0
        let codes = optionCodes(address, caFile)
        if let failed = codes.first(where: { $0 != 0 }) { throw .other(String(cString: ccurl_describe(failed))) }
        _ = ccurl_set_reason(handle, reason)
        let code = ccurl_connect(handle)
        guard code == 0 else { throw failure(code) }
    }

    deinit {
        ccurl_destroy(handle)
        reason.deallocate()
    }

    private func optionCodes(_ address: WebAddress, _ caFile: String?) -> [Int32] {
        let context = Unmanaged.passUnretained(flag).toOpaque()
        var codes = [
            ccurl_set_text(handle, CCURL_URL, address.text),
            ccurl_set_text(handle, CCURL_PROTOCOLS, "http,https"),
            ccurl_set_long(handle, CCURL_NO_SIGNAL, 1),
            ccurl_set_long(handle, CCURL_VERIFY_PEER, 1),
            ccurl_set_long(handle, CCURL_VERIFY_HOST, 2),
            ccurl_set_long(handle, CCURL_CONNECT_TIMEOUT_MS, max(1, seconds) * 1000),
            ccurl_set_connect_only(
                handle,
                { context, _, _, _, _ in
                    guard let context else { return 0 }
                    return Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue().isSet ? 1 : 0
                }, context),
        ]
        if let caFile {
            codes.append(ccurl_set_text(handle, CCURL_CA_FILE, caFile))
            codes.append(ccurl_set_text(handle, CCURL_CA_FOLDER, nil))
        }
        // A proxy of the environment has no business with this machine's own addresses.
        if StaticSource.isLoopback(address.host) { codes.append(ccurl_set_text(handle, CCURL_PROXY, "")) }
        return codes
    }

    /// To wait for; -1 when the connection is gone.
    var descriptor: Int32 { ccurl_socket(handle) }

    /// How many of the bytes could be sent without waiting.
    func send(_ bytes: [UInt8]) throws(FetchFailure) -> Int {
        var sent = 0
        let code = ccurl_send(handle, bytes, bytes.count, &sent)
        guard code == 0 || code == CCURL_CODE_AGAIN else { throw failure(code) }
        return code == 0 ? sent : 0
    }

    /// What has come; `nil` when nothing has, nothing at all when the server has ended the connection.
    func receive() throws(FetchFailure) -> ArraySlice<UInt8>? {
        var received = 0
        let code = ccurl_receive(handle, &buffer, buffer.count, &received)
        if code == CCURL_CODE_AGAIN { return nil }
        guard code == 0 else { throw failure(code) }
        return buffer[..<received]
    }

    private func failure(_ code: Int32) -> FetchFailure {
        if code == CCURL_CODE_ENDED_HERE { return .cancelled }
        return switch ccurl_kind(code) {
        case CCURL_DNS: .dns
        case CCURL_CONNECT: .connect
        case CCURL_TLS: .tls(tlsReason(code))
        case CCURL_TIMED_OUT: .timedOut(seconds: seconds)
        case CCURL_INTERRUPTED: .interrupted
        default: .other(String(cString: ccurl_describe(code)))
        }
    }

    /// Kept short and in plain characters: names of a certificate may be in it.
    private func tlsReason(_ code: Int32) -> String {
        let noted = String(cString: reason).unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }
        return noted.isEmpty ? String(cString: ccurl_describe(code)) : String(noted.prefix(160).map(Character.init))
    }
}
