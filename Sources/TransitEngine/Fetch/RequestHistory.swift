internal import TransitModel

/// When endpoints and hosts were called last. It is bounded: what is long ago makes no difference.
struct RequestHistory: Hashable, Sendable {
    private struct Call: Hashable, Sendable {
        var began: BootTime
        var ended: BootTime?
        /// The latest moment that is known of it.
        var latest: BootTime { ended ?? began }
    }

    private var endpoints: [EndpointID: Call] = [:]
    private var hosts: [HostID: Call] = [:]

    /// Seconds after which a call is forgotten; no spacing is longer.
    static let memory = 600

    mutating func begin(_ source: DatasetSource, at now: BootTime) {
        endpoints[source.endpoint] = Call(began: now)
        if let host = source.host { hosts[host] = Call(began: now) }
        guard endpoints.count + hosts.count > 64 else { return }
        let old = now.advanced(by: -Self.memory)
        endpoints = endpoints.filter { $0.value.latest > old }
        hosts = hosts.filter { $0.value.latest > old }
    }

    /// Takes note of a call of an earlier run, unless a later one is known.
    mutating func remember(_ source: DatasetSource, endedAt moment: BootTime) {
        let call = Call(began: moment, ended: moment)
        if endpoints[source.endpoint].map({ $0.latest < moment }) ?? true { endpoints[source.endpoint] = call }
        guard let host = source.host else { return }
        if hosts[host].map({ $0.latest < moment }) ?? true { hosts[host] = call }
    }

    mutating func end(_ source: DatasetSource, at now: BootTime) {
        endpoints[source.endpoint]?.ended = now
        if let host = source.host { hosts[host]?.ended = now }
    }

    /// When an endpoint may be called, so many seconds after the end of its last call: what lies between two orders may
    /// shrink on the way, but not below that.
    func earliest(_ endpoint: EndpointID, spacing: Int) -> BootTime? {
        endpoints[endpoint].map { $0.latest.advanced(by: spacing) }
    }

    /// The same for the first calls of a run to a host.
    func earliest(_ host: HostID, spacing: Int) -> BootTime? {
        hosts[host].map { $0.latest.advanced(by: spacing) }
    }

    var count: Int { endpoints.count + hosts.count }
}
