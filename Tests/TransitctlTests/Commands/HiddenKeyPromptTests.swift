import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct HiddenKeyPromptTests {
    private func typed(_ text: String) -> HiddenKeyPrompt.Typing {
        var typing = HiddenKeyPrompt.Typing()
        for byte in text.utf8 where typing.handle(byte) != .unfinished { break }
        return typing
    }

    @Test func handlesEditingKeys() {
        #expect(typed("ab\u{7F}c\n").bytes == Array("ac".utf8))
        #expect(typed("wrong\u{15}right\r").bytes == Array("right".utf8))
        #expect(typed("\u{7F}\u{8}a").bytes == Array("a".utf8))
        var typing = HiddenKeyPrompt.Typing()
        #expect(typing.handle(0x03) == .interrupted)
        #expect(typing.handle(0x0D) == .ended)
    }

    @Test func limitsLengthOfPastedInput() {
        #expect(typed(String(repeating: "x", count: 100_000)).bytes.count < 5000)
    }

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
