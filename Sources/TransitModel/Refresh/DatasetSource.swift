/// The subject of ``HostID``.
public enum UpstreamHost {}
/// A host and port that is asked, such as `api.511.org` or `127.0.0.1:8443`: the thing that breaks as a whole.
public typealias HostID = Identifier<UpstreamHost>

/// The subject of ``EndpointID``.
public enum UpstreamEndpoint {}
/// One address of a host without its query, where keys live: `https://api.511.org/transit/tripupdates`.
public typealias EndpointID = Identifier<UpstreamEndpoint>

/// The subject of ``KeyName``.
public enum APIKey {}
/// The name under which an API key is kept; never the key itself. Feeds that share a key share its budget.
public typealias KeyName = Identifier<APIKey>

/// Where a dataset comes from, as far as politeness is concerned.
public struct DatasetSource: Hashable, Sendable {
    public var endpoint: EndpointID
    /// `nil` for what needs no network: a file, the demo city.
    public var host: HostID?
    /// Whose budget a fetch is paid from; `nil` where nobody counts.
    public var key: KeyName?
    /// Whether requests carry a key, which the upstream may reject.
    public var isKeyed: Bool

    public init(endpoint: EndpointID, host: HostID?, key: KeyName? = nil, isKeyed: Bool = false) {
        self.endpoint = endpoint
        self.host = host
        self.key = key
        self.isKeyed = isKeyed
    }
}
