internal import TransitControl
internal import TransitModel

/// A line that is being typed, with suggestions for what stands there now and for nothing else.
///
/// A plain value: whoever reads the keys and asks the daemon is ``AddressPrompt``.
struct SuggestionEntry: Equatable {
    /// What became of a key.
    enum Step: Equatable { case unfinished, ended, interrupted }

    /// What was said in the end.
    enum Answer: Equatable {
        /// As it was typed, without the blanks around it.
        case text(String)
        case address(AddressMatch)
    }

    private(set) var text = ""
    /// For ``text`` as it is.
    private(set) var suggestions: [AddressMatch] = []
    /// Which of the suggestions is chosen.
    private(set) var chosen: Int?
    /// Why there are no suggestions.
    private(set) var problem: String?
    /// The beginning of a character or of a key that is more than one byte.
    private var partialInput: [UInt8] = []

    /// Suggestions for less would be anything.
    private static let shortest = 3
    /// As many characters as the daemon takes.
    private static let longest = 200

    /// What to ask for; `nil` while there is nothing that could be an address.
    var question: String? {
        let wanted = trimmed
        guard wanted.count >= Self.shortest, wanted.contains(where: \.isLetter), !CoordinateText.isLikely(wanted) else {
            return nil
        }
        return wanted
    }

    var answer: Answer { chosen.map { .address(suggestions[$0]) } ?? .text(trimmed) }

    private var trimmed: String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Suggestions that have come. Those for another text than the one that stands there now are too late.
    mutating func suggest(_ addresses: [AddressMatch], for question: String) {
        guard question == self.question else { return }
        (suggestions, chosen, problem) = (addresses, nil, nil)
    }

    /// There are no suggestions for a text, and why.
    mutating func suggestNothing(because reason: String, for question: String) {
        guard question == self.question else { return }
        (suggestions, chosen, problem) = ([], nil, reason)
    }

    // MARK: Keys

    mutating func take(_ byte: UInt8) -> Step {
        if !partialInput.isEmpty || byte == 0x1B || byte >= 0x80 { return takePart(byte) }
        switch byte {
        case 0x03, 0x1C: return .interrupted  // Ctrl-C, Ctrl-\
        case 0x04 where text.isEmpty: return .ended  // Ctrl-D
        case 0x0A, 0x0D: return .ended
        case 0x08, 0x7F: change { $0 = String($0.dropLast()) }
        case 0x15: change { $0 = "" }  // Ctrl-U
        case 0x17: change { $0 = Self.withoutLastWord($0) }  // Ctrl-W
        case 0x09, 0x0E: choose(by: 1)  // Tab, Ctrl-N
        case 0x10: choose(by: -1)  // Ctrl-P
        case 0x20...0x7E: insert([byte])
        default: break
        }
        return .unfinished
    }

    /// A byte of a character outside of ASCII (UTF-8), or of a key that sends an escape sequence (ECMA-48, section 5.4).
    private mutating func takePart(_ byte: UInt8) -> Step {
        if !partialInput.isEmpty, byte < 0x20 {
            // The Escape key alone, or half a character: what follows counts.
            partialInput = []
            return take(byte)
        }
        partialInput.append(byte)
        if partialInput[0] == 0x1B { takeEscape() } else { takeCharacter() }
        return .unfinished
    }

    private mutating func takeEscape() {
        guard partialInput.count >= 2 else { return }
        // "[" or "O", parameters, and the letter that says which key it was. Anything else is a key that means nothing here.
        guard partialInput[1] == UInt8(ascii: "[") || partialInput[1] == UInt8(ascii: "O") else {
            partialInput = []
            return
        }
        guard partialInput.count >= 3, let last = partialInput.last,
            (0x40...0x7E).contains(last) || partialInput.count > 16
        else { return }
        if last == UInt8(ascii: "A") { choose(by: -1) }
        if last == UInt8(ascii: "B") { choose(by: 1) }
        partialInput = []
    }

    private mutating func takeCharacter() {
        let length = partialInput[0] >= 0xF0 ? 4 : partialInput[0] >= 0xE0 ? 3 : partialInput[0] >= 0xC2 ? 2 : 1
        guard partialInput.count >= length else { return }
        let typed = partialInput
        partialInput = []
        if String(validating: typed, as: UTF8.self) != nil { insert(typed) }
    }

    private mutating func insert(_ bytes: [UInt8]) {
        guard text.count < Self.longest else { return }
        change { $0 += String(decoding: bytes, as: UTF8.self) }
    }

    /// Suggestions for what stood there are none for what stands there now.
    private mutating func change(_ edit: (inout String) -> Void) {
        let before = question
        edit(&text)
        chosen = nil
        if question != before { (suggestions, problem) = ([], nil) }
    }

    private static func withoutLastWord(_ text: String) -> String {
        let rest = text.reversed().drop { $0.isWhitespace }.drop { !$0.isWhitespace }
        return String(rest.reversed())
    }

    /// Down from the text to the suggestions, and up to it again.
    private mutating func choose(by step: Int) {
        let places = suggestions.count + 1
        let place = ((chosen.map { $0 + 1 } ?? 0) + step + places) % places
        chosen = place == 0 ? nil : place - 1
    }
}
