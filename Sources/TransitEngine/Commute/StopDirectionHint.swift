internal import TransitModel

/// The direction of travel that a stop's platform code or name states.
///
/// No specification defines such hints, because `platform_code` and `stop_name` are meant for riders. The accepted
/// forms are those that publishers use:
///
/// - A compass direction: "NB", "northbound", or a word in brackets such as "(UTARA)". Abbreviations are accepted only
///   at the beginning, at the end or in brackets: "3RD AND LEWIS EB", "SB Rhonda Rd", "K ST (SB)", but not "Lewis & EB
///   St".
/// - A destination: the words after "towards", "direction", "dir.", "kierunek", "spre", "richtung", "往" and similar
///   words, or after "to" near the end of a name: "Regatta toward Clinton", "Library to Coupeville". Also the words
///   before "方面", "方向" or "行き".
///
/// A destination takes precedence over a compass direction. A text with two different destinations or compass
/// directions yields no hint.
public enum StopDirectionHint: Hashable, Sendable {
    /// The name of a destination, folded by ``SearchText/fold(_:)``.
    case towards(String)
    case heading(CompassDirection)

    /// A compass direction.
    public enum CompassDirection: String, Hashable, Sendable, CaseIterable {
        case north
        case south
        case east
        case west
    }

    /// The hint of the platform takes precedence over that of the name. Returns `nil` if neither contains a hint.
    public init?(name: String, platform: String?) {
        guard let hint = platform.flatMap(Self.read) ?? Self.read(name) else { return nil }
        self = hint
    }

    private static func read(_ text: String) -> StopDirectionHint? {
        let phrases = Phrase.all(of: text)
        let destinations = Set(phrases.compactMap(\.destination))
        if let destination = destinations.first { return destinations.count == 1 ? .towards(destination) : nil }
        let headings = Set(phrases.flatMap(\.headings))
        return headings.count == 1 ? headings.first.map { .heading($0) } : nil
    }
}

/// A part of a stop's name: the content of a pair of brackets, or all text outside brackets.
private struct Phrase {
    /// Folded.
    var words: [Substring]
    var isBracketed: Bool

    static func all(of text: String) -> [Phrase] {
        var (outside, bracketed): (String, [String]) = ("", [])
        var isInside = false
        for character in text {
            switch character {
            case "(", "[", "（":
                isInside = true
                bracketed.append("")
                outside.append(" ")
            case ")", "]", "）": isInside = false
            default:
                if isInside, !bracketed.isEmpty {
                    bracketed[bracketed.count - 1].append(character)
                } else {
                    outside.append(character)
                }
            }
        }
        return [Phrase(outside, isBracketed: false)] + bracketed.map { Phrase($0, isBracketed: true) }
    }

    private init(_ text: String, isBracketed: Bool) {
        words = SearchText.fold(text).split(separator: " ")
        self.isBracketed = isBracketed
    }

    // MARK: Compass directions

    private static let plain: [Substring: StopDirectionHint.CompassDirection] = [
        "northbound": .north, "southbound": .south, "eastbound": .east, "westbound": .west,
    ]
    private static let short: [Substring: StopDirectionHint.CompassDirection] = [
        "nb": .north, "sb": .south, "eb": .east, "wb": .west,
    ]
    /// Words that also occur in street names.
    private static let bracketed: [Substring: StopDirectionHint.CompassDirection] = [
        "north": .north, "south": .south, "east": .east, "west": .west,
        "utara": .north, "selatan": .south, "timur": .east, "barat": .west,
    ]

    var headings: Set<StopDirectionHint.CompassDirection> {
        var found = Set(words.compactMap { Self.plain[$0] })
        for word in [words.first, words.last].compactMap(\.self) {
            if let heading = Self.short[word] { found.insert(heading) }
        }
        if isBracketed, words.count == 1, let heading = Self.bracketed[words[0]] { found.insert(heading) }
        return found
    }

    // MARK: Destinations

    private static let markers: Set<Substring> = [
        "towards", "toward", "direction", "dir", "direccion", "sentido", "richtung", "fahrtrichtung",
        "kierunek", "kier", "spre", "vers",
    ]
    /// A word that can also be part of a name: "Bay to Bay Blvd".
    private static let weakMarker: Substring = "to"
    private static let endings = ["方面", "方向", "行き"]
    private static let beginnings = ["往"]

    /// The destination; `nil` if no destination is named, if its words also occur before the marker, or if they are all
    /// too short.
    var destination: String? {
        if let attached { return attached }
        guard let marker = words.lastIndex(where: { Self.markers.contains($0) || $0 == Self.weakMarker }) else {
            return nil
        }
        let destination = words[(marker + 1)...]
        let before = words[..<marker]
        guard destination.contains(where: { $0.count >= 3 }), !destination.allSatisfy({ before.contains($0) }) else {
            return nil
        }
        // "to" between parts of a name is not a marker: "Bay to Bay Blvd".
        if words[marker] == Self.weakMarker, destination.contains(where: { before.contains($0) }) { return nil }
        return destination.joined(separator: " ")
    }

    /// The destination in scripts without spaces between words.
    private var attached: String? {
        let text = words.joined(separator: " ")
        for ending in Self.endings where text.hasSuffix(ending) && text.count > ending.count {
            return String(text.dropLast(ending.count))
        }
        for beginning in Self.beginnings where text.hasPrefix(beginning) && text.count > beginning.count {
            return String(text.dropFirst(beginning.count))
        }
        return nil
    }
}
