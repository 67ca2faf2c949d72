internal import TransitControl
internal import TransitModel

/// The state of a line editor with suggestions for its current text.
///
/// It has no side effects. ``AddressPrompt`` reads the keys and sends the requests.
struct SuggestionLineEditor: Equatable {
    /// The effect of a key.
    enum Step: Equatable { case unfinished, ended, interrupted }

    /// The user's answer.
    enum Answer: Equatable {
        /// The text without surrounding white space.
        case text(String)
        case address(AddressMatch)
    }

    private(set) var text = ""
    /// The suggestions for the current ``text``.
    private(set) var suggestions: [AddressMatch] = []
    /// The index of the selected suggestion.
    private(set) var chosen: Int?
    /// The reason why there are no suggestions.
    private(set) var problem: String?
    /// The first bytes of an incomplete character or escape sequence.
    private var partialInput: [UInt8] = []

    /// The minimum length of a query; shorter text matches too many addresses.
    private static let minimumQueryLength = 3
    /// The maximum length of the text, which is that of the daemon's parameter.
    private static let maximumLength = 200

    /// The text to search for; `nil` while the text cannot be an address.
    var query: String? {
        let wanted = trimmed
        guard wanted.count >= Self.minimumQueryLength, wanted.contains(where: \.isLetter),
            !CoordinateText.isLikely(wanted)
        else {
            return nil
        }
        return wanted
    }

    var answer: Answer { chosen.map { .address(suggestions[$0]) } ?? .text(trimmed) }

    private var trimmed: String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Sets the suggestions for a query. Suggestions for an outdated query are ignored.
    mutating func suggest(_ addresses: [AddressMatch], for query: String) {
        guard query == self.query else { return }
        (suggestions, chosen, problem) = (addresses, nil, nil)
    }

    /// Sets the reason why there are no suggestions for a query.
    mutating func suggestNothing(because reason: String, for query: String) {
        guard query == self.query else { return }
        (suggestions, chosen, problem) = ([], nil, reason)
    }

    // MARK: Keys

    mutating func handle(_ byte: UInt8) -> Step {
        if !partialInput.isEmpty || byte == 0x1B || byte >= 0x80 { return handlePartialInput(byte) }
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

    /// Handles a byte of a non-ASCII character (UTF-8) or of an escape sequence (ECMA-48, section 5.4).
    private mutating func handlePartialInput(_ byte: UInt8) -> Step {
        if !partialInput.isEmpty, byte < 0x20 {
            // Discards a lone Escape key or an incomplete character.
            partialInput = []
            return handle(byte)
        }
        partialInput.append(byte)
        if partialInput[0] == 0x1B { finishEscapeSequence() } else { finishCharacter() }
        return .unfinished
    }

    private mutating func finishEscapeSequence() {
        guard partialInput.count >= 2 else { return }
        // "[" or "O", parameters, and a letter that identifies the key. Other sequences are ignored.
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

    private mutating func finishCharacter() {
        let length = partialInput[0] >= 0xF0 ? 4 : partialInput[0] >= 0xE0 ? 3 : partialInput[0] >= 0xC2 ? 2 : 1
        guard partialInput.count >= length else { return }
        let typed = partialInput
        partialInput = []
        if String(validating: typed, as: UTF8.self) != nil { insert(typed) }
    }

    private mutating func insert(_ bytes: [UInt8]) {
        guard text.count < Self.maximumLength else { return }
        change { $0 += String(decoding: bytes, as: UTF8.self) }
    }

    /// Edits the text and removes the suggestions if the query changes.
    private mutating func change(_ edit: (inout String) -> Void) {
        let before = query
        edit(&text)
        chosen = nil
        if query != before { (suggestions, problem) = ([], nil) }
    }

    private static func withoutLastWord(_ text: String) -> String {
        let rest = text.reversed().drop { $0.isWhitespace }.drop { !$0.isWhitespace }
        return String(rest.reversed())
    }

    /// Moves the selection through the text and its suggestions, with wraparound.
    private mutating func choose(by step: Int) {
        let places = suggestions.count + 1
        let place = ((chosen.map { $0 + 1 } ?? 0) + step + places) % places
        chosen = place == 0 ? nil : place - 1
    }
}

extension SuggestionLineEditor {
    /// Returns the lines to display: the prompt with the text, and the suggestions below it. No line exceeds `width`.
    func lines(_ question: String, width: Int) -> [Line] {
        var lines = [Line(Self.end(of: question + ": " + text, width: width))]
        for (place, address) in suggestions.enumerated() {
            let isChosen = place == chosen
            lines.append(Line((isChosen ? "> " : "  ") + address.name, isChosen ? .strong : .faint).cut(to: width))
        }
        if let problem { lines.append(Line("  " + problem, .caution).cut(to: width)) }
        return lines
    }

    /// Returns the end of a text that does not fit, where the user types.
    private static func end(of text: String, width: Int) -> String {
        var text = SafeText.clean(text)[...]
        while DisplayWidth.of(String(text)) > width, !text.isEmpty { text = text.dropFirst() }
        return String(text)
    }

    /// Returns the sequence that replaces the previous lines and places the cursor after the text (ECMA-48, section 8.3).
    static func drawing(_ lines: [Line], _ painter: Painter) -> String {
        let texts = lines.map { line in
            var page = Page()
            page.line(line)
            return painter.paint(page).filter { $0 != "\n" }
        }
        let below = lines.count - 1
        let column = lines.first?.width ?? 0
        return "\r\u{1B}[J" + texts.joined(separator: "\r\n") + (below > 0 ? "\u{1B}[\(below)A" : "") + "\r"
            + (column > 0 ? "\u{1B}[\(column)C" : "")
    }
}
