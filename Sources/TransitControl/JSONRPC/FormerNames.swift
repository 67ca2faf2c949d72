internal import TransitWire

/// Method names of earlier releases, for the hints in error responses. The former names themselves are rejected.
enum FormerNames {
    /// A hint that names the replacement of a method; `nil` if there never was such a method.
    static func hint(method: String) -> String? {
        switch method {
        case "favorite.change": "\"favorite.change\" is now \"favorite.rename\" and \"favorite.category\"."
        case "providers": "\"providers\" is now \"provider.list\"."
        default: nil
        }
    }
}
