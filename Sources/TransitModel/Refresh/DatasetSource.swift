/// The subject of ``HostID``.
public enum UpstreamHost {}
/// The host and port of an upstream server, such as `api.511.org` or `127.0.0.1:8443`. A host fails as a whole.
public typealias HostID = Identifier<UpstreamHost>

/// The subject of ``EndpointID``.
public enum UpstreamEndpoint {}
/// A URL without its query, which may contain keys: `https://api.511.org/transit/tripupdates`.
public typealias EndpointID = Identifier<UpstreamEndpoint>

/// The subject of ``KeyName``.
public enum APIKey {}
/// The name of an API key, never the key itself. Feeds that share a key share its budget.
public typealias KeyName = Identifier<APIKey>

/// The attributes of a dataset's source that determine rate limits and backoff.
public struct DatasetSource: Hashable, Sendable {
    public var endpoint: EndpointID
    /// The endpoint, or `nil` for a source that needs no network: a file or the demo city.
    public var host: HostID?
    /// The key whose budget a fetch is charged to, or `nil` if the source has no budget.
    public var key: KeyName?
    /// Whether requests include a key, which the upstream server may reject.
    public var isKeyed: Bool

    public init(endpoint: EndpointID, host: HostID?, key: KeyName? = nil, isKeyed: Bool = false) {
        self.endpoint = endpoint
        self.host = host
        self.key = key
        self.isKeyed = isKeyed
    }
}
