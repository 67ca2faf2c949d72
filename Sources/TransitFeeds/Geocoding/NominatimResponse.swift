internal import TransitModel

/// Reads Nominatim responses in the format `jsonv2`: a list of places whose coordinates are strings.
enum NominatimResponse {
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
