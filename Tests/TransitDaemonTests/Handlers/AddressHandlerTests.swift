import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

@Suite(.ownThreads) struct AddressHandlerTests {
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { _ in
            let place = #"{"lat":"53.5405","lon":"9.9805","display_name":"Quay 1"}"#
            let body = "[\(place),\(place.replacing("1\"", with: "2\""))]"
            return "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        }
    }

    /// Runs the geocoding service while an address search is in progress.
    private func ask(_ daemon: TestDaemon, _ call: AddressSearchParameters) async throws -> AddressSearchResult {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.daemon.geocoding.run() }
            defer { group.cancelAll() }
            return try await daemon.askLengthy(call, uid: 1000)
        }
    }

    private func refusal(_ daemon: TestDaemon, _ call: AddressSearchParameters) async -> ControlError? {
        await #expect(throws: ControlError.self) { _ = try await ask(daemon, call) }
    }

    @Test func addressSearchIsBiasedToTimetable() async throws {
        let server = try Self.server()
        let daemon = try await TestDaemon.imported(["city": .small]) {
            $0.geocoder = Geocoder(kind: .nominatim, url: server.url(""))
        }
        let result = try await ask(daemon, AddressSearchParameters(text: "  quay \t 1 ", count: 1, language: "de"))
        #expect(result.addresses == [AddressMatch(name: "Quay 1", position: Position(lat: 53.5405, lon: 9.9805))])
        let asked = try #require(server.requests.first)
        #expect(asked.path.hasPrefix("/search?q=quay%201&limit=10&format=jsonv2&viewbox=9."))
        #expect(asked.path.hasSuffix("&accept-language=de"))
        #expect(asked.headers["user-agent"] == "transitd")
    }

    @Test func searchWithoutGeocoderFails() async throws {
        let error = await refusal(try TestDaemon(), AddressSearchParameters(text: "home"))
        #expect(error?.kind == .addressNotConfigured)
        #expect(error?.hint?.contains("[geocoder]") == true)
    }

    @Test func suggestionsAreRefusedForGeocoderThatForbidsThem() async throws {
        let daemon = try TestDaemon {
            $0.geocoder = Geocoder(kind: .nominatim, url: "https://nominatim.openstreetmap.org")
        }
        let error = await refusal(daemon, AddressSearchParameters(text: "home", partial: true))
        #expect(error?.kind == .addressNoSuggestions)
        #expect(await refusal(daemon, AddressSearchParameters(text: " \n"))?.kind == .invalidParameters)
    }

    @Test(
        arguments: [
            ("kind = \"photon\"\nurl = \"https://photon.example/\"", nil),
            ("kind = \"google\"\nurl = \"https://a.example\"", "there is no geocoder \"google\""),
            ("kind = \"photon\"", "[geocoder] has no `url`"),
            ("url = \"https://a.example\"", "[geocoder] has no `kind`"),
            ("kind = \"photon\"\nurl = \"http://a.example\"", "is not this machine"),
            ("kind = \"photon\"\nurl = \"/a/file\"", "is not a base URL"),
            ("kind = \"photon\"\nurl = \"https://a.example/?x=1\"", "is not a base URL"),
            ("kind = \"photon\"\nurl = \"https://a.example\"\nkey = 1", "has no key `key`"),
        ] as [(String, String?)])
    func geocoderConfigurationIsParsed(_ text: String, _ problem: String?) throws {
        do {
            let configuration = try Configuration(text: "[geocoder]\n" + text, file: "/c.toml")
            #expect(problem == nil)
            #expect(configuration.geocoder == Geocoder(kind: .photon, url: "https://photon.example"))
            #expect(configuration.changes(from: Configuration()) == ["The geocoder has changed."])
        } catch {
            #expect(error.problems.contains { $0.message.contains(problem ?? "-") }, "\(error)")
        }
    }
}
