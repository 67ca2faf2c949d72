import Testing
import TransitModel

struct PublishedTextTests {
    @Test(arguments: [
        ("More trains \n", "More trains"), ("\u{00A0}a b\t", "a b"), (" \n ", nil), ("", nil), ("電梯 ", "電梯"),
    ])
    func surroundingWhitespaceIsRemoved(text: String, trimmed: String?) {
        #expect(PublishedText.trimmed(text) == trimmed)
    }

    @Test(arguments: [
        ("www.example.org/worldcup26 ", "https://www.example.org/worldcup26"),
        ("https://example.org/a?b=c", "https://example.org/a?b=c"), ("HTTP://example.org", "HTTP://example.org"),
        ("example.org", "https://example.org"), ("example.org:8080/a", "https://example.org:8080/a"),
        ("ftp://example.org/a", nil), ("javascript:alert(1)", nil), ("see our page", nil), ("", nil), ("none", nil),
        (".org", nil), ("https://example.org/\u{1B}[2J", nil),
    ])
    func webAddressesGetAScheme(text: String, address: String?) {
        #expect(PublishedText.address(text) == address)
    }
}
