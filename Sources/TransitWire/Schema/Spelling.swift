/// Suggests corrections for misspelled words.
public enum Spelling {
    /// Returns the candidate with the smallest edit distance (insertions, deletions, substitutions and transpositions),
    /// or `nil` if no candidate is close enough for the length of the word. The first candidate wins a tie.
    public static func closest(to word: String, among candidates: some Sequence<String>) -> String? {
        let letters = Array(word.utf8.prefix(64))
        var best: (name: String, edits: Int)?
        for candidate in candidates {
            let edits = distance(letters, Array(candidate.utf8.prefix(64)))
            let tolerated = max(1, min(letters.count, candidate.utf8.count) / 4)
            if edits <= tolerated, edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        return best?.name
    }

    /// Returns the optimal string alignment distance, ignoring ASCII case.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        let (left, right) = (left.map(lower), right.map(lower))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var edits = min(last[column + 1] + 1, current[column] + 1, last[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current.append(edits)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
