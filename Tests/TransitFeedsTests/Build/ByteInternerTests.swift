import Testing
import TransitModel

@testable import TransitFeeds

@Suite struct ByteInternerTests {
    @Test func textsAreNumberedByFirstAppearance() {
        var interner = ByteInterner()
        let texts = (0..<5000).map { "\($0 % 1700) \(String(repeating: "x", count: $0 % 1700 % 20))" }
        var seen: [String: UInt32] = [:]
        for text in texts {
            let (number, isNew) = interner.intern(Array(text.utf8))
            #expect(isNew == (seen[text] == nil))
            #expect(number == seen[text, default: UInt32(seen.count)])
            seen[text] = number
        }
        #expect(interner.count == 1700)
        for (text, number) in seen {
            #expect(interner.text(number) == text)
            #expect(Array(text.utf8).withUnsafeBufferPointer { interner.find($0) } == number)
        }
        #expect([0x7A].withUnsafeBufferPointer { interner.find($0) } == nil)
        #expect(interner.column()[1] == texts[1])
    }

    @Test func emptyTextIsInterned() {
        var interner = ByteInterner()
        #expect(interner.intern([]) == (0, true))
        #expect(interner.intern([0]) == (1, true))
        #expect(interner.intern([0, 0]) == (2, true))
        #expect(interner.intern([]) == (0, false))
        #expect(interner.intern([0, 0]) == (2, false))
        #expect(interner.text(0) == "")
    }

    @Test func numberMatchesOnlyItsOwnText() {
        var interner = ByteInterner()
        for text in ["stop", "stop1", ""] { _ = interner.intern(Array(text.utf8)) }
        func matches(_ number: UInt32, _ text: String) -> Bool {
            Array(text.utf8).withUnsafeBufferPointer { interner.matches(number, $0) }
        }
        #expect(matches(0, "stop") && matches(1, "stop1") && matches(2, ""))
        #expect(!matches(0, "stop1") && !matches(0, "stip") && !matches(1, "") && !matches(3, ""))
    }

    @Test(arguments: [0, 1, 127, 128, 300, 1 << 35, UInt64.max]) func varintsRoundTrip(value: UInt64) {
        var bytes: [UInt8] = []
        Varint.append(value, to: &bytes)
        Varint.append(7, to: &bytes)
        bytes.withUnsafeBufferPointer { buffer in
            var reader = Varint.Reader(buffer)
            #expect(reader.next() == value)
            #expect(reader.next() == 7)
            #expect(reader.isAtEnd)
        }
    }
}
