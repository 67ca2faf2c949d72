internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// The display of `watch`: a screen that is redrawn, or one result after the other.
struct WatchDisplay<Result: Watchable> {
    private let session: Session
    private let view: View<Result>
    private let isScreen: Bool
    private var isOpen = false
    private var result: Result?
    private var shown = ElapsedTimer()
    /// The reason why the displayed result may be outdated.
    private var problem: String?
    private var isFirst = true

    init(session: Session, view: View<Result>, isScreen: Bool) {
        self.session = session
        self.view = view
        self.isScreen = isScreen
    }

    /// Shows a new result.
    mutating func show<Call: ControlParameters>(
        _ data: JSONValue, of call: Call.Type
    ) throws(ClientError) where Call.Reply == Result {
        problem = nil
        guard !session.settings.json else { return try session.write(json: data.encoded) }
        let previous = self.result
        do { result = try Call.reply(from: data) } catch { throw .unexpectedReply(reason: error.reason) }
        shown = ElapsedTimer()
        if isScreen { return try draw() }
        guard let whole = result else { return }
        guard let result = previous.map({ whole.additions(to: $0) }) ?? whole else { return }
        if !isFirst, !session.settings.plain { try session.write("\n") }
        isFirst = false
        try session.write(
            session.settings.plain ? PlainRows.text(view.rows(result)) : session.paint(view.page(result)))
        for notice in view.notices(result) { session.printNotice(notice) }
    }

    /// Updates the screen every second.
    mutating func tick() throws(ClientError) { if isScreen { try draw() } }

    /// Shows that the query now fails.
    mutating func fail(_ error: ControlError) throws(ClientError) {
        problem = ClientError.refused(error).namingArguments.message
        if isScreen { try draw() } else { session.report(.refused(error)) }
    }

    /// Shows that the connection is lost and the client is reconnecting.
    mutating func connectionLost(_ error: ClientError) {
        problem = "Connection lost; reconnecting. " + error.message
        if isScreen { try? draw() } else { session.printNotice(Line(problem ?? "", .caution)) }
    }

    /// Restores the terminal and prints the last result.
    mutating func end() {
        guard isOpen else { return }
        isOpen = false
        try? session.write(Screen.close)
        guard let result else { return }
        // Its rows have numbers, to which the following commands can refer.
        try? session.write(session.paint(session.page(of: result, in: view)))
    }

    private mutating func draw() throws(ClientError) {
        guard var result else { return }
        result.age(by: shown.seconds)
        var page = Page()
        page.line("\(Timestamp.clockWithSeconds(result.at))  Press Ctrl-C to exit.", .faint)
        if let problem { page.line(problem, .bad) }
        page.blank()
        // The width of the terminal may have changed.
        var canvas = session.terminal.output
        canvas.width = session.output.width ?? canvas.width
        let painter = Painter(canvas: canvas)
        var text = painter.paint(page) + painter.paint(view.page(result))
        var notes = Page()
        for notice in view.notices(result) where !session.settings.quiet { notes.line(notice) }
        text += painter.paint(notes)
        let frame = Screen.frame(text, rows: StandardStream.output.height ?? 24)
        try session.write((isOpen ? "" : Screen.open) + frame)
        isOpen = true
    }
}

/// Measures whole seconds since its creation with the monotonic clock.
struct ElapsedTimer {
    private let began = LinuxClock.monotonic
    var seconds: Int { Int((LinuxClock.monotonic - began) / 1000) }
}

extension Timestamp {
    /// Returns the time of day with seconds, such as "08:12:05".
    fileprivate static func clockWithSeconds(_ time: Timestamp) -> String {
        let second = Int((time.instant.secondsSince1970 + Int64(time.offset)) % 60)
        return time.clock + (second < 10 ? ":0\(second)" : ":\(second)")
    }
}

/// A result that remains on the screen while time passes.
protocol Watchable: HasNotices, Sendable {
    /// Advances the time and ages of the result.
    mutating func age(by seconds: Int)
    /// Returns what to print after an earlier result; `nil` for nothing.
    func additions(to previous: Self) -> Self?
}

extension Watchable {
    mutating func age(by seconds: Int) { at.instant = at.instant.advanced(by: seconds) }
    func additions(to previous: Self) -> Self? { self }
}

extension NextResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        departures.age(by: seconds)
        for position in journeys.indices { journeys[position].age(by: seconds) }
    }
}

extension DeparturesResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        departures.age(by: seconds)
    }
}

extension FavoriteShowResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        for position in boards.indices {
            boards[position].at.instant = boards[position].at.instant.advanced(by: seconds)
            boards[position].departures.age(by: seconds)
        }
    }
}

extension VehiclesResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        for position in vehicles.indices { vehicles[position].age? += seconds }
    }
}

extension PinnedJourneysResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        for position in journeys.indices {
            journeys[position].journey?.age(by: seconds)
            journeys[position].replacement?.journey.age(by: seconds)
        }
    }
}

extension AlertsResult: Watchable {}
extension StatusResult: Watchable {}
extension NotificationsResult: Watchable {
    /// The notifications that the earlier result did not have. A result repeats those of the last two minutes.
    func additions(to previous: Self) -> Self? {
        var additions = self
        additions.events.removeAll { event in
            previous.events.contains { $0.id == event.id && $0.revision == event.revision && $0.op == event.op }
        }
        additions.notices.removeAll { previous.notices.contains($0) }
        return additions.events.isEmpty && additions.notices.isEmpty ? nil : additions
    }
}

extension Journey {
    fileprivate mutating func age(by seconds: Int) {
        leaveIn -= seconds
        for position in legs.indices { legs[position].departure.age? += seconds }
    }
}

extension [Departure] {
    fileprivate mutating func age(by seconds: Int) {
        for position in indices { self[position].age? += seconds }
    }
}
