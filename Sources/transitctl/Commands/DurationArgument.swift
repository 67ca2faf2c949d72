internal import ArgumentParser

/// Parses a duration such as `30m`, `2h` or `1d`.
enum DurationArgument {
    /// The maximum duration in seconds, 31 days.
    private static let maximum = 2_678_400

    /// Returns the duration in seconds, or `nil` if `text` is not a duration from 1 minute to 31 days.
    static func seconds(_ text: String) -> Int? {
        let factors: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400]
        guard let factor = text.last.flatMap({ factors[$0] }), let count = Int(text.dropLast()),
            (1...maximum / factor).contains(count)
        else { return nil }
        return count * factor
    }
}

/// The time window of `--within`.
enum WindowArgument {
    /// The maximum window in seconds, 7 days.
    private static let maximum = 604_800

    /// Returns the window in seconds. A number without a unit is in minutes.
    static func read(_ text: String) throws -> Int {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard let seconds = DurationArgument.seconds(isPlain ? text + "m" : text), seconds <= maximum else {
            throw ValidationError("Durations have the form 30m, 2h or 90 (minutes), from 1 minute to 7 days.")
        }
        return seconds
    }
}
