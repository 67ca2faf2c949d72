/// Why a redirection is not followed.
enum RedirectionRefusal: String, Error, Hashable, Sendable, CustomStringConvertible {
    case tooMany, nowhere, malformed, downgrade, unprotected, carriesSecret

    var description: String {
        switch self {
        case .tooMany: "it redirects more than \(RedirectionRule.most) times"
        case .nowhere: "it redirects to nowhere"
        case .malformed: "it redirects to an address that is none"
        case .downgrade: "it redirects from https to an unprotected address"
        case .unprotected: "it redirects to an address that is not https"
        case .carriesSecret: "it redirects to another host with the key in the address"
        }
    }
}

/// Where a request goes next. A plain value: the rule of the configuration holds for every address on the way, and secrets
/// stay with the scheme, host and port that they were meant for.
struct RedirectionRule {
    /// Redirections of one request.
    static let most = 5

    /// What is asked; without the secrets.
    private(set) var address: WebURL
    /// False once the request has left the origin, for good: another host could send it back with a path of its choice.
    private(set) var carriesSecrets = true
    private var count = 0
    private let secrets: [SecretLocation]

    /// `nil` when the address may not be asked.
    init?(_ url: String, secrets: [SecretLocation]) {
        guard let address = WebURL(url), address.isAllowed else { return nil }
        self.address = address
        self.secrets = secrets
    }

    /// The address as it is requested, secrets included.
    var requested: String {
        guard carriesSecrets else { return address.text }
        var full = address
        for case .query(let name, let secret) in secrets { full = full.adding(name, secret.reveal()) }
        return full.text
    }

    /// The secret headers of the next request.
    var secretHeaders: [HTTPHeader] {
        guard carriesSecrets else { return [] }
        return secrets.flatMap { part in
            switch part {
            case .query: [HTTPHeader]()
            case .header(let name, let secret): [HTTPHeader(name: name, value: secret.reveal())]
            case .bearerAndHeader(let name, let secret):
                [
                    HTTPHeader(name: "Authorization", value: "Bearer " + secret.reveal()),
                    HTTPHeader(name: name, value: secret.reveal()),
                ]
            }
        }
    }

    /// - Parameter target: Absolute, as the server wants it.
    mutating func follow(_ target: String?) throws(RedirectionRefusal) {
        count += 1
        guard count <= Self.most else { throw .tooMany }
        guard let target else { throw .nowhere }
        guard var next = WebURL(target) else {
            throw target.lowercased().hasPrefix("http") ? .malformed : .unprotected
        }
        if address.scheme == "https" && next.scheme != "https" { throw .downgrade }
        guard next.isAllowed else { throw .unprotected }
        if carriesSecrets && !next.hasOrigin(of: address) { carriesSecrets = false }
        next = withoutSecrets(next)
        if !carriesSecrets && Redactor(secrets).isNeeded(Array(next.text.utf8)) { throw .carriesSecret }
        address = next
    }

    /// Within the origin they are put back by ``requested``.
    private func withoutSecrets(_ address: WebURL) -> WebURL {
        address.removing { name, value in
            secrets.contains { part in
                if case .query(name, _) = part { return true }
                return part.secret.reveal() == value
            }
        }
    }
}
