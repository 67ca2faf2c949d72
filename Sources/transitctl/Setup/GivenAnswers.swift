internal import TransitControl

/// Answers to the questions of `setup` that were given as options.
///
/// Each answer is used once, except answers to questions about each source or feed. If an answer is not accepted, `setup` asks
/// the question.
final class GivenAnswers {
    /// A question that has an option.
    enum Question: Hashable {
        case city, key, id, data, geocoder, notifications, radius
        /// Whether to use a source that cannot be checked, or with a doubtful result.
        case unverified
        /// Whether to remove a feed whose import fails.
        case removal
        /// Whether to choose another source after a feed was removed.
        case another
        /// A place, such as `home`.
        case place(String)
        /// A setting of the feed, such as `static`.
        case setting(String)
    }

    private var answers: [Question: String]

    init(_ answers: [Question: String] = [:]) { self.answers = answers }

    /// Returns the answer and forgets it; `nil` if none was given.
    func take(_ question: Question) -> String? { answers.removeValue(forKey: question) }

    /// Returns the answer without using it.
    func text(_ question: Question) -> String? { answers[question] }

    func has(_ question: Question) -> Bool { answers[question] != nil }

    /// Returns the settings whose questions were not asked, and forgets them.
    func takeSettings() -> [ConfigurationSetting] {
        let keys = answers.keys.compactMap { if case .setting(let key) = $0 { key } else { nil } }.sorted()
        return keys.compactMap { key in take(.setting(key)).map { ConfigurationSetting(key, $0) } }
    }
}
