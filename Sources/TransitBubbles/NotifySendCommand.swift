/// What a notification server can do (Desktop Notifications Specification, `GetCapabilities`).
package struct ServerCapabilities: Equatable {
    /// Shows a body below the title.
    package var hasBody: Bool
    /// Interprets markup in the body.
    package var hasMarkup: Bool
    /// Shows actions.
    package var hasActions: Bool
    /// Keeps a bubble until the user or its program removes it, even if its time has expired.
    package var isPersistent: Bool

    package init(_ names: some Collection<String>) {
        hasBody = names.contains("body")
        hasMarkup = names.contains("body-markup")
        hasActions = names.contains("actions")
        isPersistent = names.contains("persistence")
    }
}

/// The arguments of notify-send(1) for a bubble.
///
/// They contain texts of the event only behind `--`, and the labels of actions, which the daemon words.
package struct NotifySendCommand: Equatable {
    package var arguments: [String]
    /// The identifiers of the actions that the bubble offers.
    package var actionIDs: [String]
    /// Whether notify-send runs until the bubble is closed: to report an action, or so that the bubble can be closed when
    /// it expires, because a server with persistence does not do this.
    package var waits: Bool

    /// The time for which a transient bubble is shown, in seconds. It is out of date by the time when somebody looks at the
    /// list of former notifications.
    package static let transientTime = 180

    /// - Parameters:
    ///   - event: The event. Its `expiresIn` is greater than 0.
    ///   - capabilities: What the server can do.
    ///   - settings: The user's settings.
    ///   - replaced: The server's identifier of the bubble to replace.
    package init(
        _ event: BubbleEvent, _ capabilities: ServerCapabilities, _ settings: BubbleSettings,
        replacing replaced: UInt32?
    ) {
        let actions = capabilities.hasActions && settings.showsActions ? event.actions : []
        actionIDs = actions.map(\.id)
        waits = !actions.isEmpty || capabilities.isPersistent
        arguments = ["-p", "-a", "transitd", "-c", event.category, "-u", Self.urgency(event, settings)]
        arguments += ["-t", String(min(event.expiresIn * 1000, Int(Int32.max)))]
        if event.isTest || event.expiresIn <= Self.transientTime { arguments.append("-e") }
        arguments += [
            "-h",
            event.hasSound && settings.playsSounds
                ? "string:sound-name:message-new-instant" : "boolean:suppress-sound:true",
        ]
        if let replaced { arguments += ["-r", String(replaced)] }
        for action in actions { arguments += ["-A", "\(action.id)=\(action.label)"] }
        if actions.isEmpty, waits { arguments.append("-w") }
        arguments.append("--")
        arguments += Self.texts(event, capabilities)
    }

    private static func urgency(_ event: BubbleEvent, _ settings: BubbleSettings) -> String {
        switch event.urgency {
        case "low": "low"
        case "high": settings.highUrgency.rawValue
        default: "normal"
        }
    }

    /// Returns the title, and the body if there is one and the server shows it.
    private static func texts(_ event: BubbleEvent, _ capabilities: ServerCapabilities) -> [String] {
        var title = BubbleText.line(event.title)
        if title.isEmpty { title = "transitd" }
        if event.isTest, !title.hasPrefix("Test: ") { title = "Test: " + title }
        var body = BubbleText.body(event.body)
        let sources = event.attribution.map { BubbleText.line($0, maximumLength: 80) }.filter { !$0.isEmpty }
        if !sources.isEmpty { body += (body.isEmpty ? "" : "\n") + "Source: " + sources.joined(separator: ", ") }
        if body.isEmpty { return [title] }
        guard capabilities.hasBody else {
            let first = body.prefix { $0 != "\n" }
            return [BubbleText.line("\(title): \(first)", maximumLength: 2 * BubbleText.maximumTitleLength)]
        }
        if capabilities.hasMarkup { body = BubbleText.escapingMarkup(body) }
        return [title, BubbleText.escapingBackslashes(body)]
    }
}
