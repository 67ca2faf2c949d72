internal import CCurl

/// The options for every libcurl connection, and the meanings of libcurl's result codes.
enum CurlOptions {
    /// Sets the URL, the allowed protocols, the TLS options and the proxy. Returns libcurl's result code for each
    /// option; 0 means success.
    static func set(_ handle: UnsafeMutableRawPointer, url: String, host: String, caFile: String?) -> [Int32] {
        var codes = [
            ccurl_set_text(handle, CCURL_URL, url),
            ccurl_set_text(handle, CCURL_PROTOCOLS, "http,https"),
            ccurl_set_long(handle, CCURL_NO_SIGNAL, 1),
            ccurl_set_long(handle, CCURL_VERIFY_PEER, 1),
            ccurl_set_long(handle, CCURL_VERIFY_HOST, 2),
            // RFC 9325 section 3.1.1 requires TLS 1.2, even if the system's OpenSSL accepts less.
            ccurl_set_long(handle, CCURL_TLS_VERSION, CCURL_TLS_1_2),
        ]
        if let caFile {
            codes.append(ccurl_set_text(handle, CCURL_CA_FILE, caFile))
            // Otherwise libcurl would also trust the system's certificate folder.
            codes.append(ccurl_set_text(handle, CCURL_CA_FOLDER, nil))
        }
        // Requests to this machine's own addresses must not go through a proxy set in the environment.
        if WebURL.isLoopback(host) { codes.append(ccurl_set_text(handle, CCURL_PROXY, "")) }
        return codes
    }

    /// - Throws: ``TransportFailure/other(_:)`` with libcurl's message for the first option that it rejected.
    static func check(_ codes: [Int32]) throws(TransportFailure) {
        if let failed = codes.first(where: { $0 != 0 }) { throw .other(String(cString: ccurl_describe(failed))) }
    }

    /// Returns the connection failure that a libcurl result code represents; `nil` if the code does not indicate a
    /// connection failure.
    ///
    /// - Parameters:
    ///   - noted: libcurl's message about the TLS handshake.
    ///   - redactor: Removes secrets from libcurl's messages.
    static func failure(_ code: Int32, noted: String, redactor: Redactor) -> TransportFailure? {
        switch ccurl_kind(code) {
        case CCURL_DNS: .dns
        case CCURL_CONNECT: .connect
        case CCURL_TLS: .tls(tlsReason(redactor.redact(noted)) ?? message(code, redactor))
        case CCURL_INTERRUPTED: .interrupted
        default: nil
        }
    }

    /// Returns libcurl's message for a code.
    static func message(_ code: Int32, _ redactor: Redactor) -> String {
        redactor.redact(String(cString: ccurl_describe(code)))
    }

    /// Shortens the message and drops characters that are not printable ASCII, because the message may contain names
    /// from a certificate.
    private static func tlsReason(_ noted: String) -> String? {
        let plain = String(noted.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }.map(Character.init))
        return plain.isEmpty ? nil : String(plain.prefix(160))
    }
}
