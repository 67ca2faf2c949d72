internal import TransitModel

/// The times of the last requests to endpoints and hosts. Old entries are dropped because they have no effect.
struct RequestHistory: Hashable, Sendable {
    private struct Request: Hashable, Sendable {
        var began: BootTime
        var ended: BootTime?
        /// The end of the request, or its start while it is in flight.
        var latest: BootTime { ended ?? began }
    }

    private var endpoints: [EndpointID: Request] = [:]
    private var hosts: [HostID: Request] = [:]

    /// The number of seconds after which a request is dropped. No spacing is longer.
    static let memory = 600

    mutating func recordStart(of source: DatasetSource, at now: BootTime) {
        endpoints[source.endpoint] = Request(began: now)
        if let host = source.host { hosts[host] = Request(began: now) }
        guard endpoints.count + hosts.count > 64 else { return }
        let old = now.advanced(by: -Self.memory)
        endpoints = endpoints.filter { $0.value.latest > old }
        hosts = hosts.filter { $0.value.latest > old }
    }

    /// Records a request of an earlier run, unless a later one is known.
    mutating func record(_ source: DatasetSource, endedAt moment: BootTime) {
        let request = Request(began: moment, ended: moment)
        if endpoints[source.endpoint].map({ $0.latest < moment }) ?? true { endpoints[source.endpoint] = request }
        guard let host = source.host else { return }
        if hosts[host].map({ $0.latest < moment }) ?? true { hosts[host] = request }
    }

    mutating func recordEnd(of source: DatasetSource, at now: BootTime) {
        endpoints[source.endpoint]?.ended = now
        if let host = source.host { hosts[host]?.ended = now }
    }

    /// Returns the time at which an endpoint may be requested: a number of seconds after the end of its last request.
    /// Because the spacing starts at the end of that request, delays in transit cannot reduce the interval at the
    /// upstream below the spacing.
    func earliest(_ endpoint: EndpointID, spacing: Int) -> BootTime? {
        endpoints[endpoint].map { $0.latest.advanced(by: spacing) }
    }

    /// Returns the earliest time for the first request to a host in a run: a number of seconds after the last recorded
    /// request to the host.
    func earliest(_ host: HostID, spacing: Int) -> BootTime? {
        hosts[host].map { $0.latest.advanced(by: spacing) }
    }

    var count: Int { endpoints.count + hosts.count }
}
