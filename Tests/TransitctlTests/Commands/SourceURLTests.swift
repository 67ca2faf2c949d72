import Testing
import TransitControl

@testable import transitctl

@Suite struct SourceURLTests {
    @Test(
        arguments: [
            ("https://a.example/x.zip", "https://a.example/x.zip", nil, nil),
            ("https://a.example/x.zip?api_key=K1", "https://a.example/x.zip", "api_key", "K1"),
            (
                "https://a.example/x?v=2&Subscription-Key=a%2Fb&w=3#f", "https://a.example/x?v=2&w=3#f",
                "Subscription-Key", "a/b"
            ),
            ("https://a.example/x?token=", "https://a.example/x?token=", nil, nil),
            ("https://a.example/x?keyword=bus", "https://a.example/x?keyword=bus", nil, nil),
            ("https://a.example/x?key=a%20b", "https://a.example/x?key=a%20b", nil, nil),
            ("https://a.example/x#?key=K1", "https://a.example/x#?key=K1", nil, nil),
        ] as [(String, String, String?, String?)])
    func findsKeyInQuery(text: String, url: String, parameter: String?, key: String?) {
        let source = SourceURL(text)
        #expect(source.url == url)
        #expect(source.key?.parameter == parameter)
        #expect(source.key?.value == key)
    }

    @Test(arguments: [
        ("https://A.example:8443/x", "a.example"), ("http://[::1]:80/x", "::1"),
        ("https://u:p@a.example?x", "a.example"),
        ("http://127.0.0.1:8080", "127.0.0.1"),
    ])
    func findsHost(text: String, host: String) {
        #expect(SourceURL(text).host == host)
    }

    @Test func furtherKeysAreNamed() {
        let source = SourceURL("https://a.example/x?token=A&line=1&key=B")
        #expect(source.url == "https://a.example/x?line=1&key=B")
        #expect(source.key?.value == "A")
        #expect(source.otherKeys == ["key"])
        #expect(SourceURL("https://a.example/x?token=A").otherKeys.isEmpty)
    }

    @Test func writesHowTheKeyIsSent() {
        let header = SourceKey(key: "K1", place: .header("Authorization: Bearer"), hosts: ["a.example", "b.example"])
        let hosts = ["a.example", "b.example"]
        #expect(
            header.settings
                == [
                    ConfigurationSetting("key_header", "Authorization: Bearer"),
                    ConfigurationSetting(key: "key_hosts", values: hosts),
                ])
        let parameter = SourceKey(key: "K1", place: .parameter("api_key"), hosts: ["a.example"])
        #expect(parameter.settings.first == ConfigurationSetting("key_parameter", "api_key"))
    }
}
