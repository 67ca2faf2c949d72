import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct HiddenKeyPromptTests {
    @Test func trimsWhitespace() throws {
        #expect(try HiddenKeyPrompt.trimmed(Array(" k3y\r\n".utf8)) == "k3y")
        #expect(throws: HiddenKeyPrompt.Failure.empty) { try HiddenKeyPrompt.trimmed(Array(" \n".utf8)) }
        #expect(throws: HiddenKeyPrompt.Failure.tooLong) {
            try HiddenKeyPrompt.trimmed([UInt8](repeating: 65, count: 5000))
        }
    }

    @Test func showsResultAsSentence() throws {
        let result = KeyResult(
            at: try Sample.time("08:05"), feed: "caltrain", state: .accepted, origin: .store,
            message: "The source accepts the key. It is stored.")
        #expect(paint(.keyResult, result) == "caltrain: The source accepts the key. It is stored.\n")
        #expect(
            PlainRows.text(View.keyResult.rows(result))
                == "caltrain\taccepted\tstore\tThe source accepts the key. It is stored.\n")
    }
}
