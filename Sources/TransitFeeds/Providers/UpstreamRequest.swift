/// What is asked of an upstream: a GET, without the key, which whoever asks adds.
public struct UpstreamRequest: Hashable, Sendable {
    /// An absolute URL, its query encoded.
    public var url: String
    /// Headers besides those of every request, such as `X-Agency-Id`.
    public var headers: [Header]
    /// The `Accept` header.
    public var accept: String
    /// The most bytes that the body may have, unpacked.
    public var bodyLimit: Int
    /// Seconds for the whole request.
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
        deadline: Int = 30
    ) {
        self.url = url
        self.headers = headers
        self.accept = accept
        self.bodyLimit = bodyLimit
        self.deadline = deadline
    }
}
