import Testing
import TransitModel

struct PercentEncodingTests {
    @Test(arguments: [
        ("7901p2&3", "7901p2%263"), ("a-b._~Z09", "a-b._~Z09"), ("Łódź 1/2", "%C5%81%C3%B3d%C5%BA%201%2F2"),
        ("\n%", "%0A%25"), ("", ""),
    ])
    func reservedCharactersArePercentEncoded(text: String, encoded: String) {
        #expect(PercentEncoding.of(text) == encoded)
    }
}
