/// What is asked of a WaBus server, by its address.
struct WaBusAddresses: Hashable, Sendable {
    /// Without a slash at its end.
    let base: String

    init(base: String) {
        var base = base[...]
        while base.last == "/" { base = base.dropLast() }
        self.base = String(base)
    }

    /// Lines, stops and calendars: about 2 MB unpacked.
    var sync: UpstreamRequest { UpstreamRequest("\(base)/v1/sync", bodyLimit: 32 << 20, deadline: 60) }

    func syncCheck(since version: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/sync/check?since=\(Self.encoded(version))", bodyLimit: 64 << 10)
    }

    /// Where a line calls. The server knows a line by what riders call it, not by its identifier.
    func stops(ofLine line: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/routes/\(Self.encoded(line))/stops")
    }

    /// The ways of a line over the ground: 50 to 100 kB.
    func shapes(ofLine line: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/routes/\(Self.encoded(line))/shape")
    }

    /// - Parameter date: `YYYY-MM-DD`. The server also knows "today", but counts it in a zone of its own.
    func schedule(ofStop stop: String, on date: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/stops/\(Self.encoded(stop))/schedule?date=\(Self.encoded(date))")
    }

    var vehicles: UpstreamRequest { UpstreamRequest("\(base)/v1/vehicles") }

    /// The WebSocket; `wss` where the base is `https`.
    var socket: UpstreamRequest {
        guard let scheme = base.firstRange(of: "://") else { return UpstreamRequest("ws://\(base)/v1/ws") }
        let isSecure = base[..<scheme.lowerBound].lowercased() == "https"
        return UpstreamRequest((isSecure ? "wss" : "ws") + base[scheme.lowerBound...] + "/v1/ws")
    }

    /// Percent-encodes everything but the unreserved characters (RFC 3986 section 2.3): stops are named "7901p2&3".
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded += "%"
                if byte < 0x10 { encoded += "0" }
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
