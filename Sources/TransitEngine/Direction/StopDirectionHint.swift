internal import TransitModel

/// What a stop itself says of where its vehicles go, by its platform or by its name.
///
/// No specification says how (`platform_code` and `stop_name` are for riders), so the forms are those that publishers use:
///
/// - a point of the compass: "NB", "northbound", or a word for it in brackets, such as "(UTARA)"; of the short forms those at
///   the beginning, at the end or in brackets alone: "3RD AND LEWIS EB", "SB Rhonda Rd", "K ST (SB)", and not "Lewis & EB St";
/// - an end: what follows "towards", "direction", "dir.", "kierunek", "spre", "richtung", "往" and the like, or at the end of a
///   name "to": "Regatta toward Clinton", "Library to Coupeville"; what stands before "方面", "方向" or "行き".
///
/// An end says more than a point of the compass; what names two of a kind says nothing.
public enum StopDirectionHint: Hashable, Sendable {
    /// The name of an end, as ``SearchText/fold(_:)`` makes it.
    case towards(String)
    case heading(Compass)

    /// A direction on the map.
    public enum Compass: String, Hashable, Sendable, CaseIterable {
        case north
        case south
        case east
        case west
    }

    /// The platform's word counts before the name's; `nil` where neither says anything.
    public init?(name: String, platform: String?) {
        guard let sign = platform.flatMap(Self.read) ?? Self.read(name) else { return nil }
        self = sign
    }

    private static func read(_ text: String) -> StopDirectionHint? {
        let phrases = Phrase.all(of: text)
        let ends = Set(phrases.compactMap(\.end))
        if let end = ends.first { return ends.count == 1 ? .towards(end) : nil }
        let headings = Set(phrases.flatMap(\.headings))
        return headings.count == 1 ? headings.first.map { .heading($0) } : nil
    }
}

/// A part of a stop's name: what stands in brackets, or all that stands outside of them.
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

    // MARK: The compass

    private static let plain: [Substring: StopDirectionHint.Compass] = [
        "northbound": .north, "southbound": .south, "eastbound": .east, "westbound": .west,
    ]
    private static let short: [Substring: StopDirectionHint.Compass] = [
        "nb": .north, "sb": .south, "eb": .east, "wb": .west,
    ]
    /// Words that are parts of streets' names as well.
    private static let bracketed: [Substring: StopDirectionHint.Compass] = [
        "north": .north, "south": .south, "east": .east, "west": .west,
        "utara": .north, "selatan": .south, "timur": .east, "barat": .west,
    ]

    var headings: Set<StopDirectionHint.Compass> {
        var found = Set(words.compactMap { Self.plain[$0] })
        for word in [words.first, words.last].compactMap(\.self) {
            if let heading = Self.short[word] { found.insert(heading) }
        }
        if isBracketed, words.count == 1, let heading = Self.bracketed[words[0]] { found.insert(heading) }
        return found
    }

    // MARK: The end

    private static let markers: Set<Substring> = [
        "towards", "toward", "direction", "dir", "direccion", "sentido", "richtung", "fahrtrichtung",
        "kierunek", "kier", "spre", "vers",
    ]
    /// A word of names as well: "Bay to Bay Blvd".
    private static let weakMarker: Substring = "to"
    private static let endings = ["方面", "方向", "行き"]
    private static let beginnings = ["往"]

    /// `nil` where none is named, and where what is named has no letter that tells it from others.
    var end: String? {
        if let attached { return attached }
        guard let marker = words.lastIndex(where: { Self.markers.contains($0) || $0 == Self.weakMarker }) else {
            return nil
        }
        let end = words[(marker + 1)...]
        let before = words[..<marker]
        guard end.contains(where: { $0.count >= 3 }), !end.allSatisfy({ before.contains($0) }) else { return nil }
        // Between two words that both are part of a name, "to" says nothing: "Bay to Bay Blvd".
        if words[marker] == Self.weakMarker, end.contains(where: { before.contains($0) }) { return nil }
        return end.joined(separator: " ")
    }

    /// In scripts without blanks between words.
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
