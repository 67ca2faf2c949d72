/// The method of a request to an upstream (RFC 9110 section 9.3).
public enum RequestMethod: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"

    /// Returns the method of the request to which a response with a redirecting status leads (RFC 9110 section 15.4).
    ///
    /// Status 303 leads to a GET request. After a POST request, so do 301 and 302, as in every browser. 307 and 308
    /// repeat the request.
    public func redirected(by status: Int) -> RequestMethod {
        switch status {
        case 303: .get
        case 301, 302: self == .post ? .get : self
        default: self
        }
    }
}

/// The content of a request to an upstream. Like the URL, it does not contain the feed's key.
public struct RequestBody: Hashable, Sendable {
    /// The value of the `Content-Type` header, such as `application/json`.
    public var contentType: String
    public var bytes: [UInt8]
}
