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

/// An address found by a geocoder.
public struct GeocodedAddress: Hashable, Sendable {
    /// The address for display, such as "Mill Lane 7, 24103 Kiel, Germany".
    public var name: String
    public var coordinate: Coordinate
}

/// Reads Photon responses: a GeoJSON feature collection (RFC 7946 section 3.3) with the parts of each address in
/// `properties`.
private enum PhotonResponse {
    /// - Throws: A ``FeedError`` if the body is not a feature collection, for example an error message from Photon.
    static func read(_ body: [UInt8]) throws(FeedError) -> [GeocodedAddress] {
        try JSONResponse.read(body, as: "a Photon response") {
            (json) throws(MalformedMessageError) -> [GeocodedAddress]? in
            guard try json.beginObject() else { return nil }
            var found: [GeocodedAddress]?
            while let member = try json.nextMember() {
                if member.string == "features" { found = try features(&json) }
            }
            guard let found else { throw MalformedMessageError(.missing("features"), at: 0) }
            return found
        }
    }

    private static func features(_ json: inout JSONReader) throws(MalformedMessageError) -> [GeocodedAddress] {
        guard [.array, .object, .null].contains(try json.kind()) else {
            throw MalformedMessageError(.expected(.array), at: json.offset)
        }
        return try json.addresses(with: "coordinates", feature)
    }

    private static func feature(_ json: inout JSONReader) throws(MalformedMessageError) -> GeocodedAddress? {
        var coordinate: Coordinate?
        var name = ""
        guard try json.beginObject() else { return nil }
        while let member = try json.nextMember() {
            switch member.string {
            case "geometry": coordinate = try point(&json)
            case "properties": name = try words(&json)
            default: break
            }
        }
        return coordinate.flatMap { name.isEmpty ? nil : GeocodedAddress(name: name, coordinate: $0) }
    }

    /// Reads a point. In GeoJSON the longitude precedes the latitude (RFC 7946 section 3.1.1).
    private static func point(_ json: inout JSONReader) throws(MalformedMessageError) -> Coordinate? {
        var numbers: [Double?] = []
        guard try json.beginObject() else { return nil }
        while let member = try json.nextMember() {
            guard member.string == "coordinates" else { continue }
            var list = try json.list()
            while try json.next(&list) { numbers.append(try json.double()) }
        }
        guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1] else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static let parts: Set<String> = [
        "name", "street", "housenumber", "postcode", "city", "district", "country",
    ]

    /// Composes a name such as "Mill Lane 7, 24103 Kiel, Germany". The parts are ordered from the smallest to the
    /// largest, without duplicates.
    private static func words(_ json: inout JSONReader) throws(MalformedMessageError) -> String {
        var values: [String: String] = [:]
        guard try json.beginObject() else { return "" }
        while let member = try json.nextMember() {
            let part = member.string
            if parts.contains(part), let value = try json.string(), !value.isEmpty { values[part] = value }
        }
        let street = values["street"].map { joined([$0, values["housenumber"]], by: " ") }
        let town = joined([values["postcode"], values["city"] ?? values["district"]], by: " ")
        var words: [String] = []
        for part in [values["name"], street, town, values["country"]] {
            if let part, !part.isEmpty, !words.contains(part) { words.append(part) }
        }
        return joined(words, by: ", ")
    }

    private static func joined(_ words: [String?], by separator: String) -> String {
        words.compactMap(\.self).joined(separator: separator)
    }
}

/// Reads Nominatim responses in the format `jsonv2`: a list of places whose coordinates are strings.
private enum NominatimResponse {
    /// - Throws: A ``FeedError`` if the body is not a list. Nominatim reports errors as an object.
    static func read(_ body: [UInt8]) throws(FeedError) -> [GeocodedAddress] {
        try JSONResponse.read(body, as: "a Nominatim response") {
            (json) throws(MalformedMessageError) -> [GeocodedAddress]? in
            guard try json.kind() == .array else {
                try json.skip()
                return nil
            }
            return try json.addresses(with: "lat", place)
        }
    }

    private static func place(_ json: inout JSONReader) throws(MalformedMessageError) -> GeocodedAddress? {
        var (latitude, longitude): (Double?, Double?)
        var name: String?
        guard try json.beginObject() else { return nil }
        while let member = try json.nextMember() {
            switch member.string {
            case "lat": latitude = try json.double()
            case "lon": longitude = try json.double()
            case "display_name": name = try json.string()
            default: break
            }
        }
        guard let latitude, let longitude, let name, !name.isEmpty else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude).map { GeocodedAddress(name: name, coordinate: $0) }
    }
}

extension JSONReader {
    /// Reads a list of addresses and skips invalid ones.
    ///
    /// - Parameters:
    ///   - member: The name of a required member, for the error message.
    ///   - address: Reads one address. Returns `nil` if it is invalid.
    /// - Throws: ``MalformedMessageError`` if the list is not empty and all of its addresses are invalid.
    fileprivate mutating func addresses(
        with member: String, _ address: (inout JSONReader) throws(MalformedMessageError) -> GeocodedAddress?
    ) throws(MalformedMessageError) -> [GeocodedAddress] {
        var found: [GeocodedAddress] = []
        var count = 0
        let start = offset
        var list = try list()
        while try next(&list) {
            count += 1
            if let address = try address(&self) { found.append(address) }
        }
        if found.isEmpty, count > 0 { throw MalformedMessageError(.missing(member), at: start) }
        return found
    }
}
