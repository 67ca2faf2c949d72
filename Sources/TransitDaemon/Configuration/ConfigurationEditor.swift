/// Changes one table of a configuration text. Every byte outside of that table stays as it is, including comments, empty
/// lines and line endings.
struct ConfigurationEditor {
    /// The reason why a change cannot be made.
    enum Failure: Error, Equatable {
        /// The text is not a TOML document.
        case invalid(TOMLFailure)
        case noTable(TableChange.Table)
        /// The table to add exists.
        case exists(TableChange.Table)
        /// The feeds are written as `feed = [...]`, or the change affects a value that has no line of its own, such as an
        /// element of an array of tables.
        case unsupportedSyntax
    }

    /// Returns the text after a change.
    static func text(_ text: String, applying change: TableChange) throws(Failure) -> String {
        let editor = try ConfigurationEditor(text)
        let edits = try editor.edits(for: change)
        let changed = editor.applying(edits)
        // The text is edited by positions. The values of the result show whether the edit did what it should.
        guard let after = try? TOMLDocument.read(changed),
            TOMLValue.Content.table(after).equals(.table(change.applied(to: editor.root)))
        else { throw .unsupportedSyntax }
        return changed
    }

    /// The replacement of a range of bytes.
    private struct Edit {
        var range: Range<Int>
        var text: String
    }

    /// A part of a path: the name of a key, or the index in an array.
    private enum Step: Equatable {
        case key(String)
        case element(Int)
    }

    /// A header with the lines up to the next header. The first section has no header.
    private struct Section {
        /// The offset of the line of the header.
        var start: Int
        /// The path of the table.
        var path: [Step]
    }

    /// A value that is not a table with a header.
    private struct Leaf {
        var path: [Step]
        var range: Range<Int>
    }

    private let bytes: [UInt8]
    private let root: [String: TOMLEntry]
    /// The offset of each line.
    private let lines: [Int]
    /// In the order of the text.
    private var sections: [Section] = []
    private var leaves: [Leaf] = []

    private init(_ text: String) throws(Failure) {
        do throws(TOMLFailure) { root = try TOMLDocument.read(text) } catch { throw .invalid(error) }
        let bytes = Array(text.utf8)
        // The parser does not count a byte order mark.
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        self.bytes = bytes
        lines = [start] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        for (key, entry) in root { list(entry.value, [.key(key)]) }
        // A header such as `[a.b]` also creates `a`, at the same position.
        sections.sort { ($0.start, $1.path.count) < ($1.start, $0.path.count) }
        var last = -1
        sections.removeAll { section in
            defer { last = section.start }
            return section.start == last
        }
        sections.insert(Section(start: start, path: []), at: 0)
    }

    /// Lists the headers and values of a table.
    private mutating func list(_ value: TOMLValue, _ path: [Step]) {
        switch value.content {
        case .table(let entries) where byte(at: value.position) != UInt8(ascii: "{"):
            if byte(at: value.position) == UInt8(ascii: "[") {
                sections.append(Section(start: lines[value.position.line - 1], path: path))
            }
            for (key, entry) in entries { list(entry.value, path + [.key(key)]) }
        case .array(let elements) where elements.contains(where: hasHeader):
            for (index, element) in elements.enumerated() { list(element, path + [.element(index)]) }
        default: leaves.append(Leaf(path: path, range: offset(value.position)..<offset(value.end)))
        }
    }

    private func hasHeader(_ value: TOMLValue) -> Bool {
        guard case .table = value.content else { return false }
        return byte(at: value.position) == UInt8(ascii: "[")
    }

    // MARK: Positions

    /// Returns the offset of a position. Columns count code points.
    private func offset(_ position: TextPosition) -> Int {
        guard lines.indices.contains(position.line - 1) else { return bytes.count }
        var offset = lines[position.line - 1]
        for _ in 1..<max(1, position.column) where offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    private func byte(at position: TextPosition) -> UInt8? {
        let offset = offset(position)
        return offset < bytes.count ? bytes[offset] : nil
    }

    private func startOfLine(_ offset: Int) -> Int { lines.last { $0 <= offset } ?? 0 }

    /// The offset after the line feed.
    private func endOfLine(_ offset: Int) -> Int { lines.first { $0 > offset } ?? bytes.count }

    private func isBlankLine(at start: Int) -> Bool {
        start < bytes.count && bytes[start..<endOfLine(start)].allSatisfy { " \t\r\n".utf8.contains($0) }
    }

    /// The offset of the header after a section.
    private func end(of index: Int) -> Int {
        sections.indices.contains(index + 1) ? sections[index + 1].start : bytes.count
    }

    /// The offset after the line of the last value of a section, or of its header.
    private func endOfContent(of index: Int) -> Int {
        let (start, end) = (sections[index].start, end(of: index))
        let last = leaves.filter { $0.range.lowerBound >= start && $0.range.lowerBound < end }.map(\.range.upperBound)
        guard let last = last.max() else { return endOfLine(start) }
        // A value may end at the end of its line.
        return last > start && bytes[last - 1] == UInt8(ascii: "\n") ? last : endOfLine(last)
    }

    /// The line ending of the text, that of its first line.
    private var lineEnding: String {
        guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")), first > 0 else { return "\n" }
        return bytes[first - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    // MARK: Edits

    private func applying(_ edits: [Edit]) -> String {
        var result = bytes
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            result.replaceSubrange(edit.range, with: Array(edit.text.utf8))
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func edits(for change: TableChange) throws(Failure) -> [Edit] {
        let path = try path(of: change.table)
        guard change.action != .add else {
            guard path == nil else { throw .exists(change.table) }
            return [addition(of: change)]
        }
        guard let path else { throw .noTable(change.table) }
        guard let main = sections.firstIndex(where: { $0.path == path }) else { throw .unsupportedSyntax }
        if change.action == .remove {
            return sections.indices.filter { sections[$0].path.starts(with: path) }.map { removal(of: $0) }
        }
        var edits: [Edit] = []
        var added = ""
        for setting in change.settings {
            let wanted = path + setting.key.map { Step.key($0) }
            if let leaf = leaves.first(where: { $0.path == wanted }) {
                edits.append(setting.value.map { Edit(range: leaf.range, text: $0.toml) } ?? removal(of: leaf))
            } else if let edit = try insertionOrInlineEdit(of: setting, wanted) {
                edits.append(edit)
            } else if let value = setting.value {
                added += "\(setting.key.joined(separator: ".")) = \(value.toml)\(lineEnding)"
            }
        }
        if !added.isEmpty { edits.append(insertion(of: added, into: main)) }
        return edits
    }

    /// Returns the path of a table; `nil` if it does not exist.
    private func path(of table: TableChange.Table) throws(Failure) -> [Step]? {
        switch table {
        case .named(let name): return root[name].map { _ in [.key(name)] }
        case .feed(let id):
            guard let entry = root["feed"] else { return nil }
            guard case .array(let feeds) = entry.value.content, feeds.allSatisfy(hasHeader) else {
                throw .unsupportedSyntax
            }
            return feeds.firstIndex { $0.feedID == id }.map { [.key("feed"), .element($0)] }
        }
    }

    private func addition(of change: TableChange) -> Edit {
        let ending = lineEnding
        var lines: [String] = []
        switch change.table {
        case .feed(let id): lines = ["[[feed]]", "id = \(TableChange.Literal.text(id).toml)"]
        case .named(let name): lines = ["[\(name)]"]
        }
        for setting in change.settings {
            if let value = setting.value { lines.append("\(setting.key.joined(separator: ".")) = \(value.toml)") }
        }
        var text = lines.map { $0 + ending }.joined()
        // An empty line separates the tables.
        if !bytes.isEmpty, !isBlankLine(at: startOfLine(bytes.count - 1)) { text = ending + text }
        if let last = bytes.last, last != UInt8(ascii: "\n") { text = ending + text }
        return Edit(range: bytes.count..<bytes.count, text: text)
    }

    /// Removes a section with the empty lines that follow it. Comments after its last value stay, because they may describe
    /// what follows.
    private func removal(of section: Int) -> Edit {
        var end = endOfContent(of: section)
        while isBlankLine(at: end) { end = endOfLine(end) }
        return Edit(range: sections[section].start..<end, text: "")
    }

    /// Removes the lines of a value with its key, and the comment after it. The value begins on the line of its key
    /// (TOML 1.0, section "Key/Value Pair").
    private func removal(of leaf: Leaf) -> Edit {
        Edit(range: startOfLine(leaf.range.lowerBound)..<endOfLine(leaf.range.upperBound), text: "")
    }

    private func insertion(of text: String, into section: Int) -> Edit {
        let place = endOfContent(of: section)
        let isOpen = place > 0 && bytes[place - 1] != UInt8(ascii: "\n")
        return Edit(range: place..<place, text: isOpen ? lineEnding + text : text)
    }

    /// Returns the edit of a key whose table has a header of its own, such as `[feed.refresh]`, or is inline, such as
    /// `refresh = { vehicles = "30s" }`; `nil` if there is no such table.
    private func insertionOrInlineEdit(of setting: TableChange.Setting, _ path: [Step]) throws(Failure) -> Edit? {
        let table = Array(path.dropLast())
        if setting.key.count > 1, let section = sections.firstIndex(where: { $0.path == table }) {
            guard let value = setting.value, let name = setting.key.last else { return nil }
            return insertion(of: "\(name) = \(value.toml)\(lineEnding)", into: section)
        }
        // A table that is a value has to be edited by hand, because a part of it has no line of its own.
        if leaves.contains(where: { table.starts(with: $0.path) || $0.path.starts(with: path) }) {
            throw .unsupportedSyntax
        }
        return nil
    }
}
