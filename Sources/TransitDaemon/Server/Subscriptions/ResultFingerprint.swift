/// Detects whether a result has new content. A fingerprint is a result without the members that change with time alone.
enum ResultFingerprint {
    /// Members whose numbers change with time alone, at any depth.
    private static let growing = ["age", "uptime", "memory", "connections", "free"].map { Array($0.utf8) }
    /// The member with the time of a result, or of a board in the result. At greater depths, a time is content.
    private static let time = Array("at".utf8)
    /// The depth of `at` in a single result.
    static let ofResult: Set<Int> = [1]
    /// The depths of `at` in a result that lists boards, each with its own `at`.
    static let ofBoards: Set<Int> = [1, 3]

    /// - Parameters:
    ///   - json: An object as the daemon writes it: valid JSON without whitespace.
    ///   - times: The depths at which `at` is left out.
    static func of(_ json: [UInt8], times: Set<Int> = ofResult) -> [UInt8] {
        var fingerprint: [UInt8] = []
        fingerprint.reserveCapacity(json.count)
        var (position, depth) = (0, 0)
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "\""):
                let end = endOfString(json, from: position)
                fingerprint.append(contentsOf: json[position..<end])
                let name = json[position + 1..<max(position + 1, end - 1)]
                position = end
                guard end < json.count, json[end] == UInt8(ascii: ":") else { continue }
                if isExcluded(name, depth, times) { position = endOfScalar(json, from: end + 1) }
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

    private static func isExcluded(_ name: ArraySlice<UInt8>, _ depth: Int, _ times: Set<Int>) -> Bool {
        growing.contains { $0.elementsEqual(name) } || (times.contains(depth) && time.elementsEqual(name))
    }

    /// Returns the index after the closing quote of the string that begins at `start`.
    private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
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

    /// Returns the index after a number, a literal or a string. Does not skip an object or array.
    private static func endOfScalar(_ json: [UInt8], from start: Int) -> Int {
        guard start < json.count else { return json.count }
        if json[start] == UInt8(ascii: "\"") { return endOfString(json, from: start) }
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
