/// Formats URLs for logs and recordings, without secrets. Keys that are part of a configured URL are removed too.
enum RedactedURL {
    /// Lowercase names of query parameters that usually contain a key or a signature.
    private static let secretParameters: Set<String> = [
        "key", "api_key", "apikey", "api-key", "app_key", "appkey", "appid", "app_id", "token", "access_token", "auth",
        "authorization", "password", "passwd", "secret", "client_secret", "sig", "signature", "subscription-key",
        "ocp-apim-subscription-key", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "googleaccessid",
    ]

    /// A URL that cannot be parsed is omitted entirely.
    static func text(_ url: String, redactor: Redactor) -> String {
        if url.hasPrefix("file:") { return url }
        guard let address = WebURL(url) else { return "(invalid URL)" }
        return redactor.redact(address.hiding("REDACTED") { secretParameters.contains($0.lowercased()) }.text)
    }
}
