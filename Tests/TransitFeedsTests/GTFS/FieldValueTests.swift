import Testing

@testable import TransitFeeds

@Suite struct FieldValueTests {
    private func value<Value>(_ text: String, _ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        Array(text.utf8).withUnsafeBufferPointer(read)
    }

    @Test(arguments: [
        ("0", 0), ("007", 7), ("-3", -3), ("+4", 4), ("4294967295", 4_294_967_295), ("", nil), ("-", nil), ("1a", nil),
        ("1.0", nil), ("12345678901", nil), (" 1", nil),
    ]) func integersAreParsed(text: String, expected: Int?) {
        #expect(value(text, FieldValue.integer) == expected)
    }

    @Test(arguments: [("3.0", 3), ("3", 3), ("3.5", nil), ("1e2", 100), ("", nil), ("9e99", nil), ("nan", nil)])
    func decimalIntegersAreParsed(text: String, expected: Int?) {
        #expect(value(text, FieldValue.wholeNumber) == expected)
    }

    @Test(arguments: [
        "0", "1.5", "-122.41941550000001", "37.77492949999999999999", ".5", "5.", "1e3", "-0.000001", "123456789012345",
        "1234567890123456789", "0.1", "53.55", "9.99999", "+1.5", "1E-5",
    ]) func decimalsGiveNearestDouble(text: String) {
        #expect(value(text, FieldValue.decimal) == Double(text == "5." ? "5" : text))
    }

    @Test(arguments: ["", "-", ".", "1,5", "NaN", "inf", "0x10", "1.2.3", "1e999", "--1", "1 2", "12°"])
    func invalidDecimalsAreRejected(text: String) {
        #expect(value(text, FieldValue.decimal) == nil)
    }

    @Test func excerptsAreShortened() {
        #expect(FieldValue.excerpt(String(repeating: "a", count: 64)).count == 64)
        #expect(FieldValue.excerpt(String(repeating: "a", count: 65)) == String(repeating: "a", count: 63) + "…")
    }
}
