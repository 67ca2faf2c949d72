internal import CCurl

/// What every connection that libcurl makes is told, and how its codes are understood.
enum CurlOptions {
    /// Where libcurl may go and whom it believes; the codes of libcurl, 0 for what it took.
    static func set(_ handle: UnsafeMutableRawPointer, url: String, host: String, caFile: String?) -> [Int32] {
        var codes = [
            ccurl_set_text(handle, CCURL_URL, url),
            ccurl_set_text(handle, CCURL_PROTOCOLS, "http,https"),
            ccurl_set_long(handle, CCURL_NO_SIGNAL, 1),
            ccurl_set_long(handle, CCURL_VERIFY_PEER, 1),
            ccurl_set_long(handle, CCURL_VERIFY_HOST, 2),
            // RFC 9325 section 3.1.1 requires this, whatever the system's OpenSSL accepts.
            ccurl_set_long(handle, CCURL_TLS_VERSION, CCURL_TLS_1_2),
        ]
        if let caFile {
            codes.append(ccurl_set_text(handle, CCURL_CA_FILE, caFile))
            // The system's folder of certificates would be asked too.
            codes.append(ccurl_set_text(handle, CCURL_CA_FOLDER, nil))
        }
        // A proxy of the environment has no business with this machine's own addresses.
        if StaticSource.isLoopback(host) { codes.append(ccurl_set_text(handle, CCURL_PROXY, "")) }
        return codes
    }

    /// - Throws: ``FetchFailure/other(_:)`` with libcurl's words for the first option that it did not take.
    static func check(_ codes: [Int32]) throws(FetchFailure) {
        if let failed = codes.first(where: { $0 != 0 }) { throw .other(String(cString: ccurl_describe(failed))) }
    }

    /// What went wrong with a connection, by libcurl's code; `nil` for what is no matter of the connection.
    ///
    /// - Parameters:
    ///   - noted: what libcurl noted of the handshake.
    ///   - redactor: of the secrets that may be in libcurl's words.
    static func failure(_ code: Int32, noted: String, redactor: Redactor) -> FetchFailure? {
        switch ccurl_kind(code) {
        case CCURL_DNS: .dns
        case CCURL_CONNECT: .connect
        case CCURL_TLS: .tls(tlsReason(redactor.redact(noted)) ?? words(code, redactor))
        case CCURL_INTERRUPTED: .interrupted
        default: nil
        }
    }

    /// libcurl's words for a code.
    static func words(_ code: Int32, _ redactor: Redactor) -> String {
        redactor.redact(String(cString: ccurl_describe(code)))
    }

    /// Names of a certificate may be in it, so that it is kept short and in plain characters.
    private static func tlsReason(_ noted: String) -> String? {
        let plain = String(noted.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }.map(Character.init))
        return plain.isEmpty ? nil : String(plain.prefix(160))
    }
}
