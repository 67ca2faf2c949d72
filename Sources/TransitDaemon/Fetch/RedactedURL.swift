/// An address as it may be written down: without secrets, also those that stand in a configured URL.
enum RedactedURL {
    /// Parameters that usually carry a key or a signature, in lower case.
    private static let secretParameters: Set<String> = [
        "key", "api_key", "apikey", "api-key", "app_key", "appkey", "appid", "app_id", "token", "access_token", "auth",
        "authorization", "password", "passwd", "secret", "client_secret", "sig", "signature", "subscription-key",
        "ocp-apim-subscription-key", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "googleaccessid",
    ]

    /// What cannot be taken apart is not written down at all.
    static func text(_ url: String, redactor: Redactor) -> String {
        if url.hasPrefix("file:") { return url }
        guard let address = WebURL(url) else { return "(no address)" }
        return redactor.redact(address.hiding("REDACTED") { secretParameters.contains($0.lowercased()) }.text)
    }
}
