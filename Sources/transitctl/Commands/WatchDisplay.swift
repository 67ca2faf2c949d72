internal import TransitControl
internal import TransitModel

/// What a person who watches sees: a screen that is drawn anew, or answer below answer.
struct WatchDisplay<Result: Watchable> {
    private let session: Session
    private let view: View<Result>
    private let isScreen: Bool
    private var isOpen = false
    private var result: Result?
    private var shown = ElapsedTimer()
    /// Why what is shown may not be true any more.
    private var trouble: String?
    private var isFirst = true

    init(session: Session, view: View<Result>, isScreen: Bool) {
        self.session = session
        self.view = view
        self.isScreen = isScreen
    }

    /// A new answer has come.
    mutating func show<Call: ControlParameters>(
        _ data: JSONValue, of call: Call.Type
    ) throws(ClientError) where Call.Reply == Result {
        trouble = nil
        guard !session.settings.json else { return try session.write(json: data.encoded) }
        do { result = try Call.reply(from: data) } catch { throw .unexpectedReply(reason: error.reason) }
        shown = ElapsedTimer()
        if isScreen { return try draw() }
        guard let result else { return }
        if !isFirst, !session.settings.plain { try session.write("\n") }
        isFirst = false
        try session.write(
            session.settings.plain ? PlainRows.text(view.rows(result)) : session.paint(view.page(result)))
        for notice in view.notices(result) { session.note(notice) }
    }

    /// A second has passed.
    mutating func tick() throws(ClientError) { if isScreen { try draw() } }

    /// The question cannot be answered any more.
    mutating func fail(_ error: ControlError) throws(ClientError) {
        trouble = error.message
        if isScreen { try draw() } else { session.tell(.refused(error)) }
    }

    /// The daemon has gone; it is looked for.
    mutating func connectionLost(_ error: ClientError) {
        trouble = "The connection was lost; trying again. " + error.message
        if isScreen { try? draw() } else { session.note(Line(trouble ?? "", .caution)) }
    }

    /// Gives the terminal back, with the last answer on it.
    mutating func end() {
        guard isOpen else { return }
        isOpen = false
        try? session.write(Screen.close)
        guard let result else { return }
        try? session.write(session.paint(view.page(result)))
    }

    private mutating func draw() throws(ClientError) {
        guard var result else { return }
        result.age(by: shown.seconds)
        var page = Page()
        page.line("\(Timestamp.clockWithSeconds(result.at))  Ctrl-C ends", .faint)
        if let trouble { page.line(trouble, .bad) }
        page.blank()
        // The width may have changed.
        let painter = Painter(canvas: Terminal.ofThisProcess(session.settings).output)
        var text = painter.paint(page) + painter.paint(view.page(result))
        var notes = Page()
        for notice in view.notices(result) where !session.settings.quiet { notes.line(notice) }
        text += painter.paint(notes)
        let frame = Screen.frame(text, rows: StandardStream.output.height ?? 24)
        try session.write((isOpen ? "" : Screen.open) + frame)
        isOpen = true
    }
}

/// Whole seconds since it was made, on a clock that never jumps.
struct ElapsedTimer {
    private let began = Deadline.milliseconds()
    var seconds: Int { Int((Deadline.milliseconds() - began) / 1000) }
}

extension Timestamp {
    /// "08:12:05".
    fileprivate static func clockWithSeconds(_ time: Timestamp) -> String {
        let second = Int((time.instant.secondsSince1970 + Int64(time.offset)) % 60)
        return time.clock + (second < 10 ? ":0\(second)" : ":\(second)")
    }
}
