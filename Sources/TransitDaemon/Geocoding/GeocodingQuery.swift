internal import TransitFeeds

/// A geocoder query. Equal requests of different clients have equal queries.
struct GeocodingQuery: Hashable, Sendable {
    var geocoder: Geocoder
    var request: UpstreamRequest
    /// A PEM file whose certificates are trusted instead of the system's.
    var caFile: String?
}

/// The outcome of a geocoder request.
enum GeocodingOutcome: Hashable, Sendable {
    /// Best first; empty if no address matches.
    case found([GeocodedAddress])
    case failed
    /// The geocoder asks the daemon to wait for this number of seconds.
    case overloaded(seconds: Int)
}

/// The reason why a query is rejected.
enum GeocodingRefusal: Hashable, Sendable {
    /// Too many queries are waiting already.
    case tooMany
    /// The geocoder asked the daemon to wait; seconds until the next request is allowed.
    case backingOff(seconds: Int)
}
