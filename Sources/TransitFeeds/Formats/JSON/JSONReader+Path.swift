// Where in a document a byte lies, for errors that a person can act on.
extension JSONReader {
    private enum Step {
        case member(String)
        case element(Int)
    }

    /// Innermost members that a path names, and characters of each name: names come from the other side.
    private static let maximumSteps = 6
    private static let maximumNameLength = 40

    /// The member or element that holds a byte: "ServiceDelivery.MonitoredStopVisit[3].RecordedAtTime", or "the document"
    /// outside of all. In a document that is damaged before, the one that holds the damage.
    package static func path(to offset: Int, in document: UnsafeBufferPointer<UInt8>) -> String {
        var reader = JSONReader(document)
        var path: [Step] = []
        // Damage ends the walk as well: the path leads to it.
        _ = try? reader.walk(to: offset, &path)
        return path.isEmpty ? "the document" : text(of: path.suffix(maximumSteps))
    }

    /// Passes over the next value; `true` when the byte lies in it, which ends the walk.
    private mutating func walk(to offset: Int, _ path: inout [Step]) throws(MalformedMessageError) -> Bool {
        switch try kind() {
        case .object:
            guard try beginObject(), self.offset <= offset else { return true }
            while let name = try nextMember() {
                path.append(.member(Self.plain(name.string)))
                if try walk(to: offset, &path) { return true }
                path.removeLast()
            }
        case .array:
            var list = try list()
            guard self.offset <= offset else { return true }
            var number = 0
            while try next(&list) {
                path.append(.element(number))
                if try walk(to: offset, &path) { return true }
                path.removeLast()
                number += 1
            }
        case .string, .number, .boolean, .null: try skip()
        }
        return self.offset > offset
    }

    private static func plain(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(maximumNameLength).map { isPlain($0) ? $0 : "?" }))
    }

    /// Neither a control character, which would act on a terminal, nor what the path itself is written with.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "." && scalar != "["
    }

    private static func text(of path: some Sequence<Step>) -> String {
        var text = ""
        for step in path {
            switch step {
            case .member(let name): text += text.isEmpty ? name : "." + name
            case .element(let number): text += "[\(number)]"
            }
        }
        return text
    }
}
