/// The words for an age in a sentence.
package enum AgeWords {
    /// Returns an age in minutes up to two hours, in hours up to two days, and in days above: "18 min", "5 h", "532 days".
    ///
    /// - Parameter seconds: The age. A negative one counts as 0.
    package static func of(_ seconds: Int) -> String {
        let seconds = max(0, seconds)
        if seconds < 2 * 3600 { return "\(seconds / 60) min" }
        if seconds < 48 * 3600 { return "\(seconds / 3600) h" }
        return "\(seconds / (24 * 3600)) days"
    }
}
