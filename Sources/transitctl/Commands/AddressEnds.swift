internal import TransitClient
internal import TransitControl
internal import TransitWire

/// The ends of a journey that are typed as addresses, such as `journey home "Hauptstrasse 5"`.
///
/// The geocoder of the configuration looks up an end only if it is no stop and no place, because the text leaves the
/// machine.
enum AddressEnd {
    /// What a person types before an address that does not look like one.
    static let prefix = "address:"

    /// Returns what follows ``prefix``; `nil` for another text.
    static func stated(_ text: String) -> String? {
        text.lowercased().hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// Whether a text looks like an address: it has a word and a house number, such as "Hauptstrasse 5" or "12a High Street".
    /// "46th Street" is rather a stop.
    static func isLikely(_ text: String) -> Bool {
        let words = text.split { $0 == " " || $0 == "," }
        return words.contains(where: isHouseNumber) && words.contains { $0.first?.isLetter == true }
    }

    private static func isHouseNumber(_ word: Substring) -> Bool {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        let rest = word.dropFirst(digits.count)
        return (1...5).contains(digits.count) && rest.count <= 1 && rest.allSatisfy(\.isLetter)
    }
}

extension JourneyWords {
    /// Replaces an end by the position and the name of an address.
    fileprivate mutating func replace(_ end: String, with address: AddressMatch) {
        let text = "\(address.position.lat),\(address.position.lon) \(address.name.prefix(200))"
        if from == end { from = text } else if to == end { to = text }
    }
}

/// What the possible meanings of words turned out to be.
struct KnownJourney<Answer> {
    /// The first meaning whose names are known, and the answer to a request for it; `nil` if there is none.
    var found: (words: JourneyWords, answer: Answer)?
    /// The meanings, with positions instead of the addresses that were found.
    var meanings: [JourneyWords]
}

extension Session {
    /// Returns the possible meanings of words for a status bar, which tries them whenever it connects. The daemon may not run
    /// yet, but an address is looked up only once.
    func barMeanings(of words: [String]) throws(ClientError) -> [JourneyWords] {
        let meanings = JourneyWords.meanings(of: words)
        let ends = meanings.flatMap { [$0.from, $0.to] }.compactMap(\.self)
        guard ends.contains(where: { AddressEnd.stated($0) != nil || AddressEnd.isLikely($0) }) else { return meanings }
        do { return [try journey(words)] } catch {
            guard error.exitStatus == .unavailable else { throw error }
            return meanings
        }
    }

    /// Finds the first meaning of words whose names are known. Addresses are looked up.
    ///
    /// - Parameter request: Sends a request for a meaning. It throws an error of ``JourneyWords/unknownNames`` if a name in it
    ///   is not known.
    func known<Answer>(
        _ meanings: [JourneyWords], _ request: (JourneyWords) throws(ClientError) -> Answer
    ) throws(ClientError) -> KnownJourney<Answer> {
        var result = KnownJourney<Answer>(meanings: meanings)
        var refusals: [ControlError] = []
        for position in meanings.indices {
            for end in [meanings[position].from, meanings[position].to] {
                guard let end, let address = AddressEnd.stated(end) else { continue }
                result.meanings[position].replace(end, with: try bestAddress(address))
            }
            let words = result.meanings[position]
            do {
                result.found = (words, try request(words))
                return result
            } catch { refusals.append(try Self.unknownName(error)) }
        }
        // Of several meanings, one with two unknown names is hardly meant.
        let maximum = meanings.count { $0.from != nil } == 1 ? 2 : 1
        for position in meanings.indices {
            let answer = try answer(locating: &result.meanings[position], refusals[position], maximum, request)
            guard let answer else { continue }
            result.found = (result.meanings[position], answer)
            return result
        }
        return result
    }

    /// Looks up the unknown ends of a meaning that look like addresses, and returns the answer for their positions; `nil` if
    /// an end remains unknown.
    private func answer<Answer>(
        locating words: inout JourneyWords, _ refusal: ControlError, _ maximum: Int,
        _ request: (JourneyWords) throws(ClientError) -> Answer
    ) throws(ClientError) -> Answer? {
        var refusal = refusal
        for _ in 0..<maximum {
            guard refusal.kind == .stopNotFound, let end = refusal.details?["text"]?.text, AddressEnd.isLikely(end),
                let address = try likelyAddress(end)
            else { return nil }
            words.replace(end, with: address)
            do { return try request(words) } catch { refusal = try Self.unknownName(error) }
        }
        return nil
    }

    /// Returns the error about a name that is not known, and throws other errors.
    private static func unknownName(_ error: ClientError) throws(ClientError) -> ControlError {
        guard case .refused(let refusal) = error, JourneyWords.unknownNames.contains(refusal.kind) else { throw error }
        return refusal
    }

    /// Returns the best match; `nil` if there is none or no geocoder.
    private func likelyAddress(_ text: String) throws(ClientError) -> AddressMatch? {
        do { return try bestAddress(text) } catch {
            switch error {
            case .noAddress: return nil
            case .refused(let refusal) where refusal.kind == .addressNotConfigured:
                printNotice(Line("note: ", .caution) + Line("addresses are found with [geocoder] of transitd.toml(5)"))
                return nil
            default: throw error
            }
        }
    }
}
