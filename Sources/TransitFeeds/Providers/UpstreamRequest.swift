public import TransitModel

/// A request to an upstream. It does not contain the key, which the fetcher adds.
public struct UpstreamRequest: Hashable, Sendable {
    /// An absolute URL with a percent-encoded query.
    public var url: String
    public var method: RequestMethod
    /// Sent unless the method is GET.
    public var body: RequestBody?
    /// Headers in addition to the standard ones, such as `X-Agency-Id`.
    public var headers: [Header]
    /// The `Accept` header.
    public var accept: String
    /// The maximum size of the body in bytes, after decompression.
    public var bodyLimit: Int
    /// The timeout for the whole request in seconds.
    public var deadline: Int

    public struct Header: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        _ url: String, headers: [Header] = [], accept: String = "application/json", bodyLimit: Int = 10 << 20,
        deadline: Int = 30, method: RequestMethod = .get, body: RequestBody? = nil
    ) {
        self.url = url
        self.method = method
        self.body = body
        self.headers = headers
        self.accept = accept
        self.bodyLimit = bodyLimit
        self.deadline = deadline
    }
}
