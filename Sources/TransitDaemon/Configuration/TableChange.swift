/// A change of one table of a configuration file.
struct TableChange: Equatable {
    enum Action: Equatable {
        /// Adds the table with ``TableChange/settings``.
        case add
        /// Sets and removes keys of the table.
        case edit
        /// Removes the table with its subtables.
        case remove
    }

    /// The table that changes.
    enum Table: Equatable {
        /// The `[[feed]]` with this `id`.
        case feed(String)
        /// A table such as `[geocoder]`.
        case named(String)
    }

    /// A key and its new value.
    struct Setting: Equatable {
        /// The parts of the key, such as `refresh` and `vehicles` for `refresh.vehicles`.
        var key: [String]
        /// `nil` removes the key.
        var value: Literal?
    }

    /// A value that can be written to a configuration file.
    enum Literal: Equatable {
        case text(String)
        case integer(Int)
        case list([String])
    }

    var action: Action
    var table: Table
    /// In the order in which new keys are written.
    var settings: [Setting] = []
}

extension TableChange.Literal {
    /// The value as TOML.
    var toml: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .integer(let number): String(number)
        case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
        }
    }

    /// Returns text as a basic string (TOML 1.0, section "String").
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The content that a document with this value has.
    fileprivate var content: TOMLValue.Content {
        switch self {
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        case .list(let texts): .array(texts.map { TOMLValue(content: .text($0)) })
        }
    }
}

extension TableChange {
    /// Applies the change to the values of a document. The result is the content that the changed text must have.
    func applied(to root: [String: TOMLEntry]) -> [String: TOMLEntry] {
        var root = root
        switch table {
        case .named(let name):
            var content = TOMLValue.Content.table([:])
            if let entry = root[name] { content = entry.value.content }
            root[name] = action == .remove ? nil : TOMLEntry(applied(to: content))
        case .feed(let id):
            var feeds: [TOMLValue] = []
            if case .array(let array)? = root["feed"]?.value.content { feeds = array }
            if action == .add { feeds.append(TOMLValue(content: .table(["id": TOMLEntry(.text(id))]))) }
            for index in feeds.indices.reversed() where feeds[index].feedID == id {
                if action == .remove {
                    feeds.remove(at: index)
                } else {
                    feeds[index].content = applied(to: feeds[index].content)
                }
            }
            root["feed"] = feeds.isEmpty ? nil : TOMLEntry(.array(feeds))
        }
        return root
    }

    private func applied(to content: TOMLValue.Content) -> TOMLValue.Content {
        settings.reduce(content) { Self.set($1.key[...], to: $1.value?.content, in: $0) }
    }

    private static func set(
        _ key: ArraySlice<String>, to value: TOMLValue.Content?, in content: TOMLValue.Content
    ) -> TOMLValue.Content {
        guard let first = key.first else { return content }
        var entries: [String: TOMLEntry] = [:]
        if case .table(let known) = content { entries = known }
        if key.count == 1 {
            entries[first] = value.map { TOMLEntry($0) }
        } else {
            let inner = entries[first]?.value.content ?? .table([:])
            entries[first] = TOMLEntry(set(key.dropFirst(), to: value, in: inner))
        }
        return .table(entries)
    }
}

extension TOMLValue {
    /// The `id` of a `[[feed]]`.
    var feedID: String? {
        guard case .table(let entries) = content, case .text(let id)? = entries["id"]?.value.content else { return nil }
        return id
    }

    /// Creates a value that is in no text.
    fileprivate init(content: Content) {
        let start = TextPosition(line: 1, column: 1)
        self.init(content: content, position: start, end: start)
    }
}

extension TOMLEntry {
    /// Creates an entry that is in no text.
    fileprivate init(_ content: TOMLValue.Content) {
        let value = TOMLValue(content: content)
        self.init(position: value.position, value: value)
    }
}

extension TOMLValue.Content {
    /// Whether two values are equal. Their positions are not compared, and an empty table equals a missing one. The values of
    /// dates and times, which no key of a configuration has, are not compared.
    func equals(_ other: TOMLValue.Content) -> Bool {
        switch (self, other) {
        case (.table(let left), .table(let right)):
            let (left, right) = (left.filter(\.value.isFilled), right.filter(\.value.isFilled))
            return left.count == right.count
                && left.allSatisfy { key, entry in right[key]?.value.content.equals(entry.value.content) == true }
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.content.equals($1.content) }
        case (.text(let left), .text(let right)): return left == right
        case (.integer(let left), .integer(let right)): return left == right
        case (.number(let left), .number(let right)): return left.bitPattern == right.bitPattern
        case (.boolean(let left), .boolean(let right)): return left == right
        case (.date, .date), (.time, .time), (.dateTime, .dateTime): return true
        default: return false
        }
    }
}

extension TOMLEntry {
    /// Whether the value is anything but a table without values.
    fileprivate var isFilled: Bool {
        guard case .table(let entries) = value.content else { return true }
        return entries.values.contains(where: \.isFilled)
    }
}
