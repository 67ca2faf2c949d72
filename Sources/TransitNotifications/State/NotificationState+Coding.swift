internal import TransitWire

/// The state as a JSON document, whose coding the compiler writes.
extension NotificationState {
    /// The version of the document. A document of a later version is not read.
    private static let version: Int64 = 1

    /// Returns `nil` if the text is not a state that this release can read: it is damaged, too large or of a later
    /// release. The caller keeps the text aside and begins a new state.
    package init?(json text: String) {
        guard text.utf8.count <= Limit.document, let document = try? JSONValue(parsing: text),
            document["version"] == .int(Self.version),
            let state = try? FormerState.converted(document).decode(NotificationState.self),
            state.bubbles.values.allSatisfy({ $0.revision > 0 })
        else { return nil }
        self = state
    }

    /// The state as a JSON document.
    package var json: String {
        // A document above the limits would not be read again.
        var bounded = self
        bounded.trim()
        var object: JSONObject = ["version": .int(Self.version)]
        for member in JSONValue(encoding: bounded).members { object[member.name] = member.value }
        return JSONValue.object(object).description
    }
}
