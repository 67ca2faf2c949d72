/// An answer without what merely grows: two answers with the same essence tell the same.
enum AnswerFingerprint {
    /// Members whose numbers change with time alone, at any depth.
    private static let growing = ["age", "uptime", "memory", "connections", "free"].map { Array($0.utf8) }
    /// The time of the answer itself, or of a board in it; deeper down, a time is news.
    private static let time = Array("at".utf8)
    /// How deep the time of an answer lies.
    static let ofAnswer: Set<Int> = [1]
    /// The same of an answer that is a list of boards, each with a time of its own.
    static let ofBoards: Set<Int> = [1, 3]

    /// - Parameters:
    ///   - json: an object as the daemon writes it: compact and sound.
    ///   - times: how deep the times of the answer lie.
    static func of(_ json: [UInt8], times: Set<Int> = ofAnswer) -> [UInt8] {
        var fingerprint: [UInt8] = []
        fingerprint.reserveCapacity(json.count)
        var (position, depth) = (0, 0)
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "\""):
                let end = endOfText(json, from: position)
                fingerprint.append(contentsOf: json[position..<end])
                let name = json[position + 1..<max(position + 1, end - 1)]
                position = end
                guard end < json.count, json[end] == UInt8(ascii: ":") else { continue }
                if isLeftOut(name, depth, times) { position = endOfScalar(json, from: end + 1) }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            fingerprint.append(json[position])
            position += 1
        }
        return fingerprint
    }

    private static func isLeftOut(_ name: ArraySlice<UInt8>, _ depth: Int, _ times: Set<Int>) -> Bool {
        growing.contains { $0.elementsEqual(name) } || (times.contains(depth) && time.elementsEqual(name))
    }

    /// Behind the closing quote of the text that begins at `start`.
    private static func endOfText(_ json: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""): return position + 1
            default: position += 1
            }
        }
        return json.count
    }

    /// Behind a number, a word or a text; an object or array is not passed over.
    private static func endOfScalar(_ json: [UInt8], from start: Int) -> Int {
        guard start < json.count else { return json.count }
        if json[start] == UInt8(ascii: "\"") { return endOfText(json, from: start) }
        var position = start
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "["):
                return position
            default: position += 1
            }
        }
        return position
    }
}
