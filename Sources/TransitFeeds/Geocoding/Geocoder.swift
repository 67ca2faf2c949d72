public import TransitModel

/// A service that finds addresses: how it is asked. How its answers are read is in `PhotonResponse` and `NominatimResponse`.
public struct Geocoder: Hashable, Sendable {
    /// What it speaks.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Photon: `/api`, answered in GeoJSON.
        case photon
        /// Nominatim: `/search`, answered in its `jsonv2`.
        case nominatim
    }

    public var kind: Kind
    /// `https`, or `http` to a loopback address; without a slash at its end.
    public var url: String

    public init(kind: Kind, url: String) {
        self.kind = kind
        self.url = url
    }

    /// Whether it may be asked for what somebody has typed so far. The usage policy of the Nominatim server that
    /// OpenStreetMap's foundation runs forbids that; a server of one's own may be asked.
    public var allowsSuggestions: Bool {
        kind == .photon || !url.lowercased().contains("://nominatim.openstreetmap.org")
    }

    /// How many addresses are asked for: whoever wants fewer is answered from the same answer.
    public static let count = 10

    /// The languages that Photon knows without being told otherwise. It refuses a question in another one; without any it
    /// answers in the local one.
    private static let photonLanguages: Set<Substring> = ["de", "en", "fr"]

    /// The question for an address.
    ///
    /// - Parameters:
    ///   - place: Addresses near it are preferred.
    ///   - language: An IETF BCP 47 code, in which the names are told where there are such names.
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

    /// The addresses of an answer, best first, each in one line, no name twice, and no more than are asked for. Those without a name or a place
    /// on the Earth are left out, and those whose name nobody could read.
    ///
    /// - Throws: a ``FeedError`` for what is no such answer.
    public func addresses(_ body: [UInt8]) throws(FeedError) -> [GeocodedAddress] {
        var found = try kind == .photon ? PhotonResponse.read(body) : NominatimResponse.read(body)
        for position in found.indices {
            let words = found[position].name.split { $0.isWhitespace }
            found[position].name = words.joined(separator: " ")
        }
        var told: Set<String> = []
        let named = found.filter {
            !$0.name.isEmpty && $0.name.utf8.count <= Self.maximumNameLength && told.insert($0.name).inserted
        }
        return Array(named.prefix(Self.count))
    }

    /// Bytes of an address in words: answers are kept, and who gives them is not known.
    private static let maximumNameLength = 1000

    /// Half a degree in each direction: about the surroundings of a city. The order is that of Nominatim's `viewbox`.
    private static func box(around place: Coordinate) -> String {
        [-0.5, 0.5].map { step in
            "\(degrees(place.longitude + step)),\(degrees(max(-90, min(90, place.latitude + step))))"
        }.joined(separator: ",")
    }

    /// To two digits, about a kilometre: enough to prefer what is near.
    private static func degrees(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
