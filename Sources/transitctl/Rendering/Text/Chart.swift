/// Draws small charts with text.
struct Chart {
    /// Whether to use only ASCII characters, for scripts.
    var isASCII = false

    /// Returns a bar of a fixed width, such as `████░░░░░░` or `####......`. A value above zero fills at least one position,
    /// and only the goal fills all.
    func bar(_ value: Double, of goal: Double, width: Int = 10) -> String {
        let share = goal > 0 && value.isFinite ? min(1, max(0, value / goal)) : 0
        var filled = Int((share * Double(width)).rounded())
        if share > 0 { filled = max(1, filled) }
        if share < 1 { filled = min(width - 1, filled) }
        let (full, empty) = isASCII ? ("#", ".") : ("█", "░")
        return String(repeating: full, count: filled) + String(repeating: empty, count: width - filled)
    }

    /// Returns one character for each value, such as `▁▃█` or `.-#`; a space in ASCII, or `·`, for `nil`.
    ///
    /// - Parameter highest: The value of the highest character; at least the greatest value.
    func sparkline(_ values: [Double?], highest: Double = 0) -> String {
        let levels = Array(isASCII ? "_.-=*#" : "▁▂▃▄▅▆▇█")
        let top = max(highest, values.compactMap { $0 }.max() ?? 0)
        return String(
            values.map { value in
                guard let value else { return isASCII ? "x" : "×" }
                guard top > 0, value > 0 else { return levels[0] }
                return levels[max(1, min(levels.count - 1, Int((value / top * Double(levels.count - 1)).rounded())))]
            })
    }
}
