internal import TransitModel

/// The reason why a redirect is not followed.
package enum RedirectionRefusal: String, Error, Hashable, Sendable, CustomStringConvertible {
    case tooMany, nowhere, malformed, downgrade, unprotected, carriesSecret

    package var description: String {
        switch self {
        case .tooMany: "there are more than \(RedirectionRule.maximumCount) redirects"
        case .nowhere: "it names no target"
        case .malformed: "the target is not a valid URL"
        case .downgrade: "it leads from https to an unencrypted URL"
        case .unprotected: "the target is not an https URL"
        case .carriesSecret: "it would send the key to another host"
        }
    }
}

/// The next URL of a request. Each redirect target must satisfy the configuration's rule for URLs, and secrets are sent
/// only to the scheme, host and port for which they are intended. A body that contains a secret does not leave them
/// either.
struct RedirectionRule {
    /// Maximum number of redirects per request.
    static let maximumCount = 5

    /// The requested URL without secrets.
    private(set) var address: WebURL
    /// Becomes false when the request leaves the origin and stays false, because another host could redirect the
    /// request back to the origin with a path of its choice.
    private(set) var carriesSecrets = true
    /// The method of the next request.
    private(set) var method: RequestMethod
    /// The body of the next request; `nil` for GET.
    private(set) var body: RequestBody?
    private var count = 0
    private let secrets: [SecretLocation]

    /// Returns `nil` if requests to the URL are not allowed.
    init?(_ url: String, secrets: [SecretLocation], method: RequestMethod = .get, body: RequestBody? = nil) {
        guard let address = WebURL(url), address.isAllowed else { return nil }
        self.address = address
        self.secrets = secrets
        self.method = method
        self.body = method == .get ? nil : body
    }

    /// The URL as requested, including secrets.
    var requested: String {
        guard carriesSecrets else { return address.text }
        var full = address
        for case .query(let name, let secret) in secrets { full = full.adding(name, secret.reveal()) }
        return full.text
    }

    /// The headers with secrets for the next request.
    var secretHeaders: [HTTPHeader] {
        guard carriesSecrets else { return [] }
        return secrets.flatMap { part in
            switch part {
            case .query: [HTTPHeader]()
            case .header(let name, let secret): [HTTPHeader(name: name, value: secret.reveal())]
            case .authorization(let scheme, let secret):
                [HTTPHeader(name: "Authorization", value: "\(scheme) \(secret.reveal())")]
            case .bearerAndHeader(let name, let secret):
                [
                    HTTPHeader(name: "Authorization", value: "Bearer " + secret.reveal()),
                    HTTPHeader(name: name, value: secret.reveal()),
                ]
            }
        }
    }

    /// - Parameters:
    ///   - target: The absolute URL to which the server redirects.
    ///   - status: The status of the redirect.
    mutating func follow(_ target: String?, status: Int) throws(RedirectionRefusal) {
        count += 1
        guard count <= Self.maximumCount else { throw .tooMany }
        guard let target else { throw .nowhere }
        guard var next = WebURL(target) else {
            throw target.lowercased().hasPrefix("http") ? .malformed : .unprotected
        }
        if address.scheme == "https" && next.scheme != "https" { throw .downgrade }
        guard next.isAllowed else { throw .unprotected }
        if carriesSecrets && !next.hasSameOrigin(as: address) { carriesSecrets = false }
        next = withoutSecrets(next)
        let nextMethod = method.redirected(by: status)
        let nextBody = nextMethod == .get ? nil : body
        if !carriesSecrets {
            let redactor = Redactor(secrets)
            guard !redactor.matches(Array(next.text.utf8)), !redactor.matches(nextBody?.bytes ?? []) else {
                throw .carriesSecret
            }
        }
        (address, method, body) = (next, nextMethod, nextBody)
    }

    /// Removes the secrets from a URL. Within the origin, ``requested`` adds them again.
    private func withoutSecrets(_ address: WebURL) -> WebURL {
        address.removing { name, value in
            secrets.contains { part in
                if case .query(name, _) = part { return true }
                return part.secret.reveal() == value
            }
        }
    }
}
