import Testing
import TransitFeeds
import TransitModel

@Suite("Geocoders")
struct GeocoderTests {
    private static let photon = Geocoder(kind: .photon, url: "https://photon.example")
    private static let nominatim = Geocoder(kind: .nominatim, url: "https://nominatim.example")

    private func expect(_ pair: GoldenPair, by geocoder: Geocoder) throws {
        try pair.expect(
            geocoder.addresses(pair.input()).map {
                ["name": $0.name, "latitude": $0.coordinate.latitude, "longitude": $0.coordinate.longitude]
            })
    }

    @Test(arguments: GoldenPair.all("Photon"))
    func photonResponseIsDecoded(_ pair: GoldenPair) throws { try expect(pair, by: Self.photon) }

    @Test(arguments: GoldenPair.all("Nominatim"))
    func nominatimResponseIsDecoded(_ pair: GoldenPair) throws { try expect(pair, by: Self.nominatim) }

    @Test func goldenPairsExist() {
        #expect(GoldenPair.all("Photon").count == 3)
        #expect(GoldenPair.all("Nominatim").count == 3)
    }

    @Test func requestContainsExactTextAndRoundedPosition() throws {
        let place = try #require(Coordinate(latitude: 54.3234567, longitude: -10.5))
        #expect(
            Self.photon.request("M\u{FC}hlweg 7 & co", near: place, language: "de-AT").url
                == "https://photon.example/api?q=M%C3%BChlweg%207%20%26%20co&limit=10&lat=54.32&lon=-10.5&lang=de")
        #expect(Self.photon.request("x", language: "pl").url == "https://photon.example/api?q=x&limit=10")
        #expect(
            Self.nominatim.request("x", near: place, language: "pl").url
                == "https://nominatim.example/search?q=x&limit=10&format=jsonv2"
                + "&viewbox=-11.0%2C53.82%2C-10.0%2C54.82&accept-language=pl")
    }

    @Test func byteOrderMarkAndInvalidUTF8AreAccepted() throws {
        let body: [UInt8] =
            [0xEF, 0xBB, 0xBF] + Array(#"[{"lat":"1","lon":"2","display_name":"a"#.utf8) + [0xFF] + Array(#""}]"#.utf8)
        #expect(try Self.nominatim.addresses(body).map(\.name) == ["a\u{FFFD}"])
    }

    @Test func addressIsOnOneLine() throws {
        let body = #"[{"lat":"1","lon":"2","display_name":" a\nb\r\n\t c "},{"lat":"1","lon":"2","display_name":"\n"}]"#
        #expect(try Self.nominatim.addresses(Array(body.utf8)).map(\.name) == ["a b c"])
    }

    @Test func excessAddressesAndOverlongNamesAreDropped() throws {
        let long = String(repeating: "a", count: 1001)
        let rows = ([long] + (0..<30).map { "\($0)" }).map { #"{"lat":"1","lon":"2","display_name":"\#($0)"}"# }
        let found = try Self.nominatim.addresses(Array("[\(rows.joined(separator: ","))]".utf8))
        #expect(found.map(\.name) == (0..<10).map { "\($0)" })
    }

    @Test(arguments: [
        (photon, "", "empty"), (photon, "<html><body>", "HTML"),
        (photon, #"{"message":"The language is wrong"}"#, "features"),
        (photon, #"{"features":[{]}"#, "features[0]"), (photon, #"{"features":7}"#, "features"),
        (photon, #"{"features":[{"properties":{"name":"a"}}]}"#, "coordinates"), (photon, "[]", "JSON"),
        (nominatim, #"{"error":{"code":400,"message":"no"}}"#, "JSON"), (nominatim, #"[{"lat":"1","lon""#, "[0]"),
        (nominatim, #"[{"lat":"x"}]"#, "lat"), (nominatim, "Bandwidth limit exceeded", "text"),
    ])
    func errorNamesContentOrMember(_ geocoder: Geocoder, _ body: String, _ word: String) {
        let error = #expect(throws: FeedError.self) { try geocoder.addresses(Array(body.utf8)) }
        #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
    }

    @Test func publicNominatimServerAllowsNoSuggestions() {
        #expect(Self.photon.allowsSuggestions)
        #expect(Self.nominatim.allowsSuggestions)
        #expect(!Geocoder(kind: .nominatim, url: "https://Nominatim.openstreetmap.org").allowsSuggestions)
    }
}
