/// "Did you mean": the known word that is nearest to what was written.
enum Suggestion {
    /// `nil` when none is near: at most one edit for each three letters, two at least.
    static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        let allowed = max(2, word.count / 3)
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = distance(word.lowercased(), candidate.lowercased())
            if distance <= allowed, distance < candidate.count, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour
    /// (optimal string alignment).
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.unicodeScalars.prefix(64)), Array(right.unicodeScalars.prefix(64)))
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var rows = [Array(0...right.count)]
        for i in 1...left.count {
            var row = [i]
            for j in 1...right.count {
                var value = min(
                    rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1))
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    value = min(value, rows[i - 2][j - 2] + 1)
                }
                row.append(value)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
