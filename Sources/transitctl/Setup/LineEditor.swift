internal import TransitControl
internal import TransitModel

/// The state of a line that the user edits: the text, the cursor, and suggestions for the text.
///
/// It has no side effects. ``LinePrompt`` reads the keys, draws the line and requests suggestions; ``HiddenKeyPrompt`` reads
/// a key without drawing it.
struct LineEditor: Equatable {
    /// The effect of a key.
    enum Step: Equatable { case unfinished, ended, interrupted }

    /// The user's answer.
    enum Answer: Equatable {
        /// The text without surrounding white space.
        case text(String)
        case address(AddressMatch)
    }

    /// The characters of the text.
    private var characters: [Character] = []
    /// The number of characters before the cursor.
    private(set) var cursor = 0
    /// The suggestions for the current ``text``.
    private(set) var suggestions: [AddressMatch] = []
    /// The index of the selected suggestion.
    private(set) var chosen: Int?
    /// The reason why there are no suggestions.
    private(set) var problem: String?
    /// The first bytes of an incomplete character or escape sequence.
    private var partialInput: [UInt8] = []
    /// The maximum number of characters.
    private let maximumLength: Int

    /// The minimum length of a query; shorter text matches too many addresses.
    private static let minimumQueryLength = 3
    /// The maximum length of an address, which is that of the daemon's parameter.
    static let addressLength = 200

    init(maximumLength: Int = addressLength) { self.maximumLength = maximumLength }

    var text: String { String(characters) }

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
        case 0x04 where characters.isEmpty: return .ended  // Ctrl-D
        case 0x0A, 0x0D: return .ended
        case 0x01: move(to: 0)  // Ctrl-A
        case 0x02: move(to: cursor - 1)  // Ctrl-B
        case 0x04: remove(cursor..<cursor + 1)  // Ctrl-D
        case 0x05: move(to: characters.count)  // Ctrl-E
        case 0x06: move(to: cursor + 1)  // Ctrl-F
        case 0x08, 0x7F: remove(cursor - 1..<cursor)
        case 0x0B: remove(cursor..<characters.count)  // Ctrl-K
        case 0x15: remove(0..<cursor)  // Ctrl-U
        case 0x17: remove(startOfWord..<cursor)  // Ctrl-W
        case 0x09, 0x0E: choose(by: 1)  // Tab, Ctrl-N
        case 0x10: choose(by: -1)  // Ctrl-P
        case 0x20...0x7E: insert([byte])
        default: break
        }
        return .unfinished
    }

    /// Handles a byte of a non-ASCII character (UTF-8) or of an escape sequence (ECMA-48, section 5.4).
    private mutating func handlePartialInput(_ byte: UInt8) -> Step {
        let endsCharacter = partialInput.first.map { $0 >= 0x80 } == true && !(0x80...0xBF).contains(byte)
        if !partialInput.isEmpty, byte < 0x20 || endsCharacter {
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
        // "[" or "O", parameters, and a byte that identifies the key. Other sequences are ignored.
        guard partialInput[1] == UInt8(ascii: "[") || partialInput[1] == UInt8(ascii: "O") else {
            partialInput = []
            return
        }
        guard partialInput.count >= 3, let last = partialInput.last,
            (0x40...0x7E).contains(last) || partialInput.count > 16
        else { return }
        let parameter = partialInput.dropFirst(2).dropLast()
        partialInput = []
        switch (last, String(decoding: parameter, as: UTF8.self)) {
        case (UInt8(ascii: "A"), ""): choose(by: -1)
        case (UInt8(ascii: "B"), ""): choose(by: 1)
        case (UInt8(ascii: "C"), ""): move(to: cursor + 1)
        case (UInt8(ascii: "D"), ""): move(to: cursor - 1)
        // The Home and End keys of xterm, of the Linux console and of rxvt.
        case (UInt8(ascii: "H"), ""), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): move(to: 0)
        case (UInt8(ascii: "F"), ""), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): move(to: characters.count)
        case (UInt8(ascii: "~"), "3"): remove(cursor..<cursor + 1)
        default: break
        }
    }

    private mutating func finishCharacter() {
        let length =
            switch partialInput[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            // No character begins with another byte (RFC 3629, section 4).
            default: 1
            }
        guard partialInput.count >= length else { return }
        let typed = partialInput
        partialInput = []
        if String(validating: typed, as: UTF8.self) != nil { insert(typed) }
    }

    // MARK: Editing

    /// Moves the cursor, at most to an end of the text.
    private mutating func move(to position: Int) { cursor = max(0, min(characters.count, position)) }

    private mutating func insert(_ bytes: [UInt8]) {
        guard characters.count < maximumLength else { return }
        change { editor in
            // An ASCII character never joins the one before it.
            if bytes.count == 1 {
                editor.characters.insert(Character(UnicodeScalar(bytes[0])), at: editor.cursor)
                editor.cursor += 1
                return
            }
            // A combining character joins the one before it, so the number of characters may stay the same.
            let before = Array(String(editor.characters[..<editor.cursor]) + String(decoding: bytes, as: UTF8.self))
            editor.characters.replaceSubrange(..<editor.cursor, with: before)
            editor.cursor = before.count
        }
    }

    /// Removes characters. Positions beyond the text are ignored.
    private mutating func remove(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<characters.count)
        change { editor in
            editor.characters.removeSubrange(range)
            if range.lowerBound < editor.cursor { editor.cursor = range.lowerBound }
        }
    }

    /// Edits the text and removes the suggestions if the query changes.
    private mutating func change(_ edit: (inout LineEditor) -> Void) {
        chosen = nil
        guard !suggestions.isEmpty || problem != nil else { return edit(&self) }
        let before = query
        edit(&self)
        if query != before { (suggestions, problem) = ([], nil) }
    }

    /// The position of the start of the word before the cursor.
    private var startOfWord: Int {
        characters[..<cursor].reversed().drop { $0.isWhitespace }.drop { !$0.isWhitespace }.count
    }

    /// Moves the selection through the text and its suggestions, with wraparound.
    private mutating func choose(by step: Int) {
        let places = suggestions.count + 1
        let place = ((chosen.map { $0 + 1 } ?? 0) + step + places) % places
        chosen = place == 0 ? nil : place - 1
    }
}

extension LineEditor {
    /// Returns the lines to display: the prompt with the text, and the suggestions below it. No line exceeds `width`.
    func lines(_ question: String, width: Int) -> [Line] {
        var lines = [Line(visible(question, width: width).text)]
        for (place, address) in suggestions.enumerated() {
            let isChosen = place == chosen
            lines.append(Line((isChosen ? "> " : "  ") + address.name, isChosen ? .strong : .faint).cut(to: width))
        }
        if let problem { lines.append(Line("  " + problem, .caution).cut(to: width)) }
        return lines
    }

    /// Returns the text before an answer: the question with a colon, or ">" below a long question.
    static func prompt(_ question: String) -> String { question + (question == ">" ? " " : ": ") }

    /// Returns the column of the cursor in the first line, from 0.
    func column(_ question: String, width: Int) -> Int { visible(question, width: width).column }

    /// Returns the part of the prompt and the text that fits, and the column of the cursor, which is always visible.
    private func visible(_ question: String, width: Int) -> (text: String, column: Int) {
        var before = SafeText.clean(Self.prompt(question) + String(characters[..<cursor]))[...]
        while DisplayWidth.of(String(before)) > width, !before.isEmpty { before = before.dropFirst() }
        let column = DisplayWidth.of(String(before))
        var after = SafeText.clean(String(characters[cursor...]))[...]
        while column + DisplayWidth.of(String(after)) > width, !after.isEmpty { after = after.dropLast() }
        return (String(before + after), column)
    }

    /// Returns the sequence that replaces the previous lines and places the cursor (ECMA-48, section 8.3).
    ///
    /// - Parameter column: The column of the cursor in the first line, from 0.
    static func drawing(_ lines: [Line], column: Int, _ painter: Painter) -> String {
        let texts = lines.map { line in
            var page = Page()
            page.line(line)
            return painter.paint(page).filter { $0 != "\n" }
        }
        let below = lines.count - 1
        return "\r\u{1B}[J" + texts.joined(separator: "\r\n") + (below > 0 ? "\u{1B}[\(below)A" : "") + "\r"
            + (column > 0 ? "\u{1B}[\(column)C" : "")
    }
}
