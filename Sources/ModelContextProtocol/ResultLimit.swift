package import TransitWire

/// Keeps the results of tools small enough for a model.
package enum ResultLimit {
    /// The maximum size of the text of a result, in bytes.
    package static let text = 8 << 10
    /// The maximum size of the structured content of a result, in bytes as JSON.
    package static let structured = 32 << 10

    /// Cuts a text between two lines, and says how much is missing.
    package static func shortened(_ text: String) -> String {
        guard text.utf8.count > Self.text else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        var size = 0
        for line in lines {
            size += line.utf8.count + 1
            if size > Self.text { break }
            kept.append(line)
        }
        // A line may be longer than the whole text may be.
        guard !kept.isEmpty else { return String(text.prefix(Self.text / 4)) + " … (shortened)" }
        return kept.joined(separator: "\n")
            + "\n… \(lines.count - kept.count) more lines. Ask for less, or for one item."
    }

    /// A result whose longest lists were cut, with a sentence for each.
    package struct Shortened: Hashable, Sendable {
        package var value: JSONValue
        package var remarks: [String]
    }

    /// Halves the longest list until the JSON is small enough. It stays valid for the schema, which limits no list.
    ///
    /// - Returns: `nil` if the JSON is too large even without its lists.
    package static func shortened(_ value: JSONValue) -> Shortened? {
        var value = value
        var cuts: [(name: String, total: Int, kept: Int)] = []
        // Each step halves a list, so the number of steps is small.
        while size(of: value) > structured {
            guard let largest = largestList(in: value) else { return nil }
            let total = count(at: largest.path[...], in: value)
            let kept = total / 2
            value = truncated(value, at: largest.path[...], to: kept)
            let name = largest.path.joined(separator: ".")
            if let position = cuts.firstIndex(where: { $0.name == name }) {
                cuts[position].kept = kept
            } else {
                cuts.append((name, total, kept))
            }
        }
        return Shortened(
            value: value,
            remarks: cuts.map { "The structured content has only \($0.kept) of \($0.total) elements of \($0.name)." })
    }

    private static func size(of value: JSONValue) -> Int { value.encoded.count }

    /// Returns the path to the list with the largest JSON that is not empty.
    private static func largestList(in value: JSONValue) -> (path: [String], size: Int)? {
        switch value {
        case .object(let object):
            return object.members.compactMap { member in
                largestList(in: member.value).map { (path: [member.name] + $0.path, size: $0.size) }
            }.max { $0.size < $1.size }
        case .array(let elements):
            guard !elements.isEmpty else { return nil }
            let own = (path: [String](), size: size(of: value))
            // A single large element is cut inside.
            guard elements.count == 1, let inner = largestList(in: elements[0]), inner.size * 2 > own.size else {
                return own
            }
            return (path: ["0"] + inner.path, size: inner.size)
        case .null, .bool, .int, .double, .string: return nil
        }
    }

    private static func count(at path: ArraySlice<String>, in value: JSONValue) -> Int {
        guard let name = path.first else {
            if case .array(let elements) = value { return elements.count }
            return 0
        }
        if case .array(let elements) = value, let index = Int(name) {
            return count(at: path.dropFirst(), in: elements[index])
        }
        return value[name].map { count(at: path.dropFirst(), in: $0) } ?? 0
    }

    private static func truncated(_ value: JSONValue, at path: ArraySlice<String>, to count: Int) -> JSONValue {
        switch (value, path.first) {
        case (.array(let elements), nil): return .array(Array(elements.prefix(count)))
        case (.array(var elements), let name?):
            guard let index = Int(name) else { return value }
            elements[index] = truncated(elements[index], at: path.dropFirst(), to: count)
            return .array(elements)
        case (.object(var object), let name?):
            object[name] = object[name].map { truncated($0, at: path.dropFirst(), to: count) }
            return .object(object)
        default: return value
        }
    }
}
