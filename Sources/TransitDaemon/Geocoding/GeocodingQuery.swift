internal import TransitFeeds

/// A geocoder query. Identical requests from different clients have equal queries.
struct GeocodingQuery: Hashable, Sendable {
    var geocoder: Geocoder
    var request: UpstreamRequest
    /// A PEM file whose certificates are trusted instead of the system's.
    var caFile: String?
}

/// The outcome of a geocoder request.
enum GeocodingOutcome: Hashable, Sendable {
    /// The matching addresses, best first; empty if there are none.
    case found([GeocodedAddress])
    case failed
    /// The geocoder asked the daemon to wait for this number of seconds.
    case overloaded(seconds: Int)
}

/// The reason why a query is rejected.
enum GeocodingRefusal: Hashable, Sendable {
    /// Too many queries are waiting already.
    case tooMany
    /// The geocoder asked the daemon to wait. The value is the number of seconds until the next request is allowed.
    case backingOff(seconds: Int)
}
