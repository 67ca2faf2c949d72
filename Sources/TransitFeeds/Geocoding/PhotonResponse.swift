internal import TransitModel

/// Reads Photon responses: a GeoJSON feature collection (RFC 7946 section 3.3) with the parts of each address in
/// `properties`.
enum PhotonResponse {
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
