import Testing
import TransitFeeds

/// The path of a position in a document.
struct JSONPathTests {
    /// Returns the path of the position that `|` marks.
    private func path(_ marked: String) -> String {
        let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts.joined()
        return Array(text.utf8).withUnsafeBufferPointer {
            JSONReader.path(to: parts[0].utf8.count, in: $0)
        }
    }

    @Test(arguments: [
        (#"{"a":|1}"#, "a"), (#"{"a":{"b":[1,{"c":|2}]}}"#, "a.b[1].c"), (#"[[],[|3]]"#, "[1][0]"),
        (#"{"a":|{"b":1}}"#, "a"), (#"{"a":1|}"#, "the document"), (#"|{"a":1}"#, "the document"),
        (#"{"a":1,|"b":2}"#, "b"), (#"{"a.b[0]":|1}"#, "a?b?0]"),
        // Malformed JSON before the position ends the walk.
        (#"{"a":{"b":tru},"c":|1}"#, "a.b"), (#"{"a":[1,2|"#, "a"),
    ])
    func pathLeadsToPosition(marked: String, path: String) {
        #expect(self.path(marked) == path)
    }

    @Test func pathIsLimitedAndPrintable() {
        let name = String(repeating: "x", count: 100)
        #expect(path("{\"\(name)\":|1}") == String(repeating: "x", count: 40))
        #expect(path("{\"a\u{1B}[2J\":|1}") == "a??2J")
        let deep = String(repeating: #"{"a":"#, count: 20)
        #expect(path(deep + "|1") == "a.a.a.a.a.a")
    }
}
