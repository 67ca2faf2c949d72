/// Formats durations.
enum DurationText {
    /// Returns "40 seconds", "7 minutes", "1 hour 5 minutes" or "3 days", rounded down. `seconds` must not be negative.
    static func of(seconds: Int) -> String {
        let minutes = seconds / 60
        switch minutes {
        case 0: return CountText.of(seconds, "second")
        case 1..<60: return CountText.of(minutes, "minute")
        case 60..<(48 * 60):
            let rest = minutes % 60
            return CountText.of(minutes / 60, "hour") + (rest == 0 ? "" : " " + CountText.of(rest, "minute"))
        default: return CountText.of(minutes / (24 * 60), "day")
        }
    }
}
