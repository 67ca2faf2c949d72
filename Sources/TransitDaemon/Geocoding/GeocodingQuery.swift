internal import TransitFeeds

/// What a geocoder is asked: the same for everybody who wants to know the same.
struct GeocodingQuery: Hashable, Sendable {
    var geocoder: Geocoder
    var request: UpstreamRequest
    /// A PEM file whose certificates are trusted instead of the system's.
    var caFile: String?
}

/// What became of a question.
enum GeocodingOutcome: Hashable, Sendable {
    /// Best first; none where there is no such address.
    case found([GeocodedAddress])
    case failed
    /// The geocoder asks to be left alone for so many seconds.
    case overloaded(seconds: Int)
}

/// Why a question is not asked.
enum GeocodingRefusal: Hashable, Sendable {
    /// So many are waiting already that this one would wait for long.
    case tooMany
    /// The geocoder asked to be left alone; seconds until it may be asked again.
    case backingOff(seconds: Int)
}
