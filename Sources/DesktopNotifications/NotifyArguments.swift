package import TransitClient

/// What a notification server can do (Desktop Notifications Specification, `GetCapabilities`).
package struct ServerCapabilities: Equatable {
    /// Shows a body below the title.
    package var hasBody: Bool
    /// Interprets markup in the body.
    package var hasMarkup: Bool
    /// Shows actions.
    package var hasActions: Bool
    /// Keeps a notification until the user or its program removes it, even if its time has expired.
    package var isPersistent: Bool

    package init(_ names: some Collection<String>) {
        hasBody = names.contains("body")
        hasMarkup = names.contains("body-markup")
        hasActions = names.contains("actions")
        isPersistent = names.contains("persistence")
    }
}

/// The arguments of the method `Notify` of a notification server (Desktop Notifications Specification).
package struct NotifyArguments: Equatable {
    /// The server's identifier of the notification to replace; 0 for a new one.
    package var replacedID: UInt32 = 0
    package var title: String
    package var body: String
    /// The identifiers and labels of the buttons.
    package var actions: [DesktopNotification.Action] = []
    /// The hints except `desktop-entry`, which all notifications have.
    package var hints: [String: DBusValue] = [:]
    /// The time until the notification expires, in milliseconds.
    package var timeout: Int32

    /// The name of an icon, or the path of its file.
    package var icon = NotifyArguments.program

    /// The name of the program, and of its icon in the hicolor theme.
    package static let program = "transitd"
    /// The name of `transitd.desktop` without its ending. Desktops find the name, the icon and the user's settings of a
    /// program by it.
    package static let desktopEntry = "transitd"
    /// The time for which a transient notification is shown, in seconds. It is out of date by the time that the user
    /// looks at the list of earlier notifications.
    package static let transientTime = 180

    package init(title: String, body: String, hints: [String: DBusValue] = [:], timeout: Int32) {
        self.title = title
        self.body = body
        self.hints = hints
        self.timeout = timeout
    }

    /// - Parameters:
    ///   - event: The event. Its `expiresIn` is greater than 0.
    ///   - capabilities: What the server can do.
    ///   - settings: The user's settings.
    ///   - replacedID: The server's identifier of the notification to replace; 0 for a new one.
    ///   - isRepeated: Whether the user has seen the notification before: it then has no sound.
    package init(
        _ event: DesktopNotification, _ capabilities: ServerCapabilities, _ settings: DesktopNotificationSettings,
        replacing replacedID: UInt32, isRepeated: Bool = false
    ) {
        self.replacedID = replacedID
        actions = capabilities.hasActions && settings.showsActions ? event.actions : []
        timeout = Int32(clamping: event.expiresIn * 1000)
        (title, body) = Self.texts(event, capabilities)
        hints["category"] = .string(event.category)
        hints["urgency"] = .byte(Self.urgency(event, settings))
        if event.isTest || event.expiresIn <= Self.transientTime { hints["transient"] = .boolean(true) }
        if event.hasSound, settings.playsSounds, !isRepeated {
            hints["sound-name"] = .string(Self.sound(event))
        } else {
            hints["suppress-sound"] = .boolean(true)
        }
    }

    /// The arguments as values of a message.
    package var values: [DBusValue] {
        [
            .string(Self.program), .uint32(replacedID), .string(icon), .string(title), .string(body),
            .strings(actions.flatMap { [$0.id, $0.label] }),
            .dictionary(hints.merging(["desktop-entry": .string(Self.desktopEntry)]) { own, _ in own }),
            .int32(timeout),
        ]
    }

    /// Returns the level of urgency: 0 (low), 1 (normal) or 2 (critical).
    private static func urgency(_ event: DesktopNotification, _ settings: DesktopNotificationSettings) -> UInt8 {
        switch event.urgency {
        case "low": 0
        case "high": settings.highUrgency == .critical ? 2 : 1
        default: 1
        }
    }

    /// Returns the name of a sound (freedesktop.org Sound Naming Specification, "Standard Sound Names").
    private static func sound(_ event: DesktopNotification) -> String {
        switch event.urgency {
        case "low": "dialog-information"
        case "high": "dialog-warning"
        default: "message-new-instant"
        }
    }

    /// Returns the title and the body, which is empty if the server does not show it.
    private static func texts(_ event: DesktopNotification, _ capabilities: ServerCapabilities) -> (String, String) {
        var title = DesktopNotificationText.line(event.title)
        if title.isEmpty { title = program }
        if event.isTest, !title.hasPrefix("Test") { title = "Test: " + title }
        var body = DesktopNotificationText.body(event.body)
        let sources = event.attribution.map { DesktopNotificationText.line($0, maximumLength: 80) }.filter {
            !$0.isEmpty
        }
        if !sources.isEmpty { body += (body.isEmpty ? "" : "\n") + "Source: " + sources.joined(separator: ", ") }
        guard capabilities.hasBody else {
            if body.isEmpty { return (title, "") }
            let first = body.prefix { $0 != "\n" }
            return (
                DesktopNotificationText.line(
                    "\(title): \(first)", maximumLength: 2 * DesktopNotificationText.maximumTitleLength), ""
            )
        }
        let headline = DesktopNotificationText.headline(title)
        title = headline.title
        if let line = headline.line { body = body.isEmpty ? line : line + "\n" + body }
        return (title, capabilities.hasMarkup ? DesktopNotificationText.escapingMarkup(body) : body)
    }
}
