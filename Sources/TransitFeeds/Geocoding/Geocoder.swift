public import TransitModel

/// A service that finds the coordinates of addresses. `PhotonResponse` and `NominatimResponse` read the responses.
public struct Geocoder: Hashable, Sendable {
    /// The API of a geocoder.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Photon: requests to `/api`, responses in GeoJSON.
        case photon
        /// Nominatim: requests to `/search`, responses in its format `jsonv2`.
        case nominatim
    }

    public var kind: Kind
    /// The base URL without a trailing slash. The scheme is `https`, or `http` for a loopback address.
    public var url: String

    public init(kind: Kind, url: String) {
        self.kind = kind
        self.url = url
    }

    /// Whether the service may be used for suggestions while the user types. The usage policy of the Nominatim server
    /// of the OpenStreetMap Foundation forbids this, but a self-hosted server allows it.
    public var allowsSuggestions: Bool {
        kind == .photon || !url.lowercased().contains("://nominatim.openstreetmap.org")
    }

    /// The number of addresses to request. A query for fewer addresses uses the beginning of the same response.
    public static let count = 10

    /// The languages of a Photon server in its default configuration. Photon rejects requests for other languages.
    /// Without a language, it returns local names.
    private static let photonLanguages: Set<Substring> = ["de", "en", "fr"]

    /// Returns the request for an address.
    ///
    /// - Parameters:
    ///   - text: The text to search for.
    ///   - place: A coordinate. Addresses near it are preferred.
    ///   - language: The preferred language of the names, as an IETF BCP 47 code.
    public func request(
        _ text: String, near place: Coordinate? = nil, language: String? = nil
    ) -> UpstreamRequest {
        var query = [("q", text), ("limit", String(Self.count))]
        switch kind {
        case .photon:
            if let place { query += [("lat", Self.degrees(place.latitude)), ("lon", Self.degrees(place.longitude))] }
            let language = language?.prefix { $0 != "-" }.lowercased()
            if let language, Self.photonLanguages.contains(language[...]) { query.append(("lang", language)) }
        case .nominatim:
            query.append(("format", "jsonv2"))
            if let place { query.append(("viewbox", Self.box(around: place))) }
            if let language { query.append(("accept-language", language)) }
        }
        let path = kind == .photon ? "/api" : "/search"
        let parameters = query.map { "\($0.0)=\(PercentEncoding.of($0.1))" }.joined(separator: "&")
        return UpstreamRequest("\(url)\(path)?\(parameters)", bodyLimit: 1 << 20, deadline: 8)
    }

    /// Returns at most ``count`` addresses of a response, best first. Each name is a single line and occurs only once.
    ///
    /// Addresses without a name or valid coordinates and addresses with an overlong name are omitted.
    ///
    /// - Throws: A ``FeedError`` if the body is not a response from the geocoder.
    public func addresses(_ body: [UInt8]) throws(FeedError) -> [GeocodedAddress] {
        var found = try kind == .photon ? PhotonResponse.read(body) : NominatimResponse.read(body)
        for position in found.indices {
            let words = found[position].name.split { $0.isWhitespace }
            found[position].name = words.joined(separator: " ")
        }
        var seen: Set<String> = []
        let named = found.filter {
            !$0.name.isEmpty && $0.name.utf8.count <= Self.maximumNameLength && seen.insert($0.name).inserted
        }
        return Array(named.prefix(Self.count))
    }

    /// The maximum length of a name in bytes. The length is limited because responses are cached and the server is not
    /// trusted.
    private static let maximumNameLength = 1000

    /// Returns Nominatim's `viewbox` of half a degree in each direction, which covers a city and its surroundings.
    private static func box(around place: Coordinate) -> String {
        [-0.5, 0.5].map { step in
            "\(degrees(place.longitude + step)),\(degrees(max(-90, min(90, place.latitude + step))))"
        }.joined(separator: ",")
    }

    /// Rounds degrees to two decimal places (about one kilometer), which is sufficient to prefer nearby addresses.
    private static func degrees(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
