internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitWire

/// What the words after `next` mean: a commute, or an origin and a destination.
struct JourneyWords: Equatable {
    var commute: String?
    var from: String?
    var to: String?

    /// Returns the possible meanings of words, in the order in which they are tried.
    ///
    /// "to" separates an origin from a destination, and so does a space between two quoted names. Otherwise, the words
    /// can be the name of a commute with spaces, or two names of one or more words each.
    static func meanings(of words: [String]) -> [JourneyWords] {
        let all = possibleMeanings(of: words)
        let possible = all.filter { ($0.commute?.count ?? 0) <= maximumCommuteName }
        return possible.isEmpty ? all : possible
    }

    /// The maximum number of characters in the name of a commute, see ``NextParameters/commute``.
    private static let maximumCommuteName = 64

    private static func possibleMeanings(of words: [String]) -> [JourneyWords] {
        if words.isEmpty { return [JourneyWords()] }
        let whole = JourneyWords(commute: words.name)
        guard words.count > 1 else { return splitAtTo(words[0].split(separator: " ").map(String.init), or: whole) }
        let ends = splitAtTo(words, or: nil)
        if !ends.isEmpty { return [whole] + ends }
        return [whole] + (1..<words.count).map { JourneyWords(words[..<$0], words[$0...]) }
    }

    private init(_ from: ArraySlice<String>, _ to: ArraySlice<String>) {
        (self.from, self.to) = (Self.end(Array(from).name), Self.end(Array(to).name))
    }

    /// Returns the destination that words name; "to" can precede it.
    static func destination(_ words: [String]) -> String {
        let isMarked = words.count > 1 && words[0].lowercased() == "to"
        return end((isMarked ? Array(words.dropFirst()) : words).name)
    }

    /// Returns an end as a request names it. Coordinates can be typed in several notations.
    private static func end(_ text: String) -> String {
        Coordinates.read(text).map { "\($0.lat),\($0.lon)" } ?? text
    }

    init(commute: String? = nil) { self.commute = commute }

    /// The errors after which the next meaning is tried.
    static let unknownNames: Set<ErrorKind> = [.commuteNotFound, .stopNotFound, .stopAmbiguous, .placeNotSet]

    /// Returns the meanings of words with "to" between others: "from San Mateo to Tamien".
    private static func splitAtTo(_ words: [String], or whole: JourneyWords?) -> [JourneyWords] {
        let start = words.first?.lowercased() == "from" ? 1 : 0
        let ends = words.indices.filter { $0 > start && $0 < words.count - 1 && words[$0].lowercased() == "to" }
            .map { JourneyWords(words[start..<$0], words[($0 + 1)...]) }
        return [whole].compactMap(\.self) + ends
    }
}

extension Session {
    /// Returns what the words mean: the first meaning whose names the daemon knows or, if there is none, the one about
    /// which it reports the error.
    func journey(_ words: [String]) throws(ClientError) -> JourneyWords {
        let meanings = JourneyWords.meanings(of: words)
        guard meanings.count > 1 else { return meanings[0] }
        let client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
        let known = try known(meanings) { (meaning) throws(ClientError) in
            let call = NextParameters(
                commute: meaning.commute, from: meaning.from, to: meaning.to, at: settings.at, count: 1)
            do throws(ClientError) { _ = try exactResult(of: call, client) } catch {
                guard case .refused(let refusal) = error else { throw error }
                // Other errors are about a commute, stop or place that exists.
                if JourneyWords.unknownNames.contains(refusal.kind) { throw error }
            }
        }
        if let found = known.found { return found.words }
        // "home to work" can be misspelled as a commute or as two ends; two words are rather two ends.
        guard words.count == 2 || meanings.count == 2 else {
            throw .usage(
                "\"\(words.name)\" is neither a commute nor an origin and a destination\n"
                    + "put \"to\" between two stops or places: transitctl next San Mateo to Tamien")
        }
        return known.meanings[1]
    }
}
