internal import TransitModel

/// The requests to a WaBus server.
struct WaBusURLs: Hashable, Sendable {
    /// The base URL, without a trailing slash.
    let base: String

    init(base: String) {
        var base = base[...]
        while base.last == "/" { base = base.dropLast() }
        self.base = String(base)
    }

    /// Lines, stops and calendars: about 2 MB uncompressed.
    var sync: UpstreamRequest { UpstreamRequest("\(base)/v1/sync", bodyLimit: 32 << 20, deadline: 60) }

    func syncCheck(since version: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/sync/check?since=\(PercentEncoding.of(version))", bodyLimit: 64 << 10)
    }

    /// The stops of a line. The server identifies a line by its public name, not by its `id`.
    func stops(ofLine line: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/routes/\(PercentEncoding.of(line))/stops")
    }

    /// The shapes of a line: 50 to 100 kB.
    func shapes(ofLine line: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/routes/\(PercentEncoding.of(line))/shape")
    }

    /// - Parameter date: `YYYY-MM-DD`. The server also accepts "today" but computes it in its own time zone.
    func schedule(ofStop stop: String, on date: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/stops/\(PercentEncoding.of(stop))/schedule?date=\(PercentEncoding.of(date))")
    }

    /// The lines that call at a stop. The response is parsed again for each query about the stop, so it must be small:
    /// the largest stops have about 30 lines of 200 bytes each.
    func lines(ofStop stop: String) -> UpstreamRequest {
        UpstreamRequest("\(base)/v1/stops/\(PercentEncoding.of(stop))/lines", bodyLimit: 64 << 10)
    }

    var vehicles: UpstreamRequest { UpstreamRequest("\(base)/v1/vehicles") }

    /// The WebSocket; `wss` if the base URL is `https`.
    var socket: UpstreamRequest {
        guard let scheme = base.firstRange(of: "://") else { return UpstreamRequest("ws://\(base)/v1/ws") }
        let isSecure = base[..<scheme.lowerBound].lowercased() == "https"
        return UpstreamRequest((isSecure ? "wss" : "ws") + base[scheme.lowerBound...] + "/v1/ws")
    }
}
