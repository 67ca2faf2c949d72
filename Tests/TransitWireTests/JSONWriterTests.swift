import Testing

@testable import TransitWire

struct JSONWriterTests {
    private enum Word: String, WireEnum {
        case short = "ab"
        case long = "a_word_that_is_longer_than_sixteen_bytes"
    }

    @Test(arguments: 0...70) func textsOfAllLengthsAreCopied(count: Int) throws {
        let text = String((0..<count).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
        var writer = JSONWriter(reserving: 1)
        writer.beginArray()
        for _ in 0..<3 {
            writer.string(text)
            writer.string(plain: text)
        }
        writer.endArray()
        let expected = Array(repeating: "\"\(text)\"", count: 6).joined(separator: ",")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[\(expected)]")
    }

    @Test func membersHaveNamesOfAllLengths() {
        let names: [StaticString] = [
            "", "a", "ab", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghijklmno", "abcdefghijklmnop",
            "abcdefghijklmnopqrstuvwxyzabcdef", "abcdefghijklmnopqrstuvwxyzabcdefg",
        ]
        var writer = JSONWriter(reserving: 1)
        writer.beginObject()
        var expected: [String] = []
        for name in names {
            writer.member(name, 47)
            writer.member(name, -5 as Int?)
            writer.member(name, nil as Int?)
            writer.member(name, Word.short)
            writer.member(name, Word.long as Word?)
            writer.member(name, nil as Word?)
            writer.member(name, true)
            let values = ["47", "-5", "null", "\"ab\"", "\"\(Word.long.rawValue)\"", "null", "true"]
            expected += values.map { "\"\(name)\":\($0)" }
        }
        writer.endObject()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\(expected.joined(separator: ","))}")
    }

    @Test func wholeNumbersHaveAllDigits() {
        let limits = (0...18).flatMap { exponent in
            let power = (0..<exponent).reduce(1) { number, _ in number * 10 }
            return [power - 1, power, power + 1]
        }
        let numbers = Array(-1100...1100) + limits + limits.map { -$0 } + [.min, .max]
        for number in numbers {
            var writer = JSONWriter(reserving: 1)
            writer.int(Int64(number))
            writer.int(Int64(number))
            writer.member("n", number)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == "\(number),\(number),\"n\":\(number)")
        }
    }
}
