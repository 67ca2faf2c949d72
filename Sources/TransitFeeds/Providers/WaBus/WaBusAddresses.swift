internal import TransitModel

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
        UpstreamRequest("\(base)/v1/sync/check?since=\(PercentEncoding.of(version))", bodyLimit: 64 << 10)
    }

    /// Where a line calls. The server knows a line by what riders call it, not by its identifier.
    func stops(ofLine line: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/routes/\(PercentEncoding.of(line))/stops")
    }

    /// The ways of a line over the ground: 50 to 100 kB.
    func shapes(ofLine line: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/routes/\(PercentEncoding.of(line))/shape")
    }

    /// - Parameter date: `YYYY-MM-DD`. The server also knows "today", but counts it in a zone of its own.
    func schedule(ofStop stop: String, on date: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/stops/\(PercentEncoding.of(stop))/schedule?date=\(PercentEncoding.of(date))")
    }

    /// Which lines call at a stop. Each question about the stop reads the answer again, so it must be small: the largest stops
    /// have some 30 lines, of 200 bytes.
    func lines(ofStop stop: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/stops/\(PercentEncoding.of(stop))/lines", bodyLimit: 64 << 10)
    }

    var vehicles: UpstreamRequest { UpstreamRequest("\(base)/v1/vehicles") }

    /// The WebSocket; `wss` where the base is `https`.
    var socket: UpstreamRequest {
        guard let scheme = base.firstRange(of: "://") else { return UpstreamRequest("ws://\(base)/v1/ws") }
        let isSecure = base[..<scheme.lowerBound].lowercased() == "https"
        return UpstreamRequest((isSecure ? "wss" : "ws") + base[scheme.lowerBound...] + "/v1/ws")
    }
}
