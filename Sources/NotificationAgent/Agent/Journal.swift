internal import Glibc
internal import TransitClient

/// Lines on standard error, for the journal or a terminal.
struct Journal {
    /// The priorities of sd-daemon(3).
    enum Priority: Int {
        case error = 3
        case warning = 4
        case information = 6
    }

    /// Whether standard error is the journal, which reads the priority of each line.
    let isJournal: Bool
    private let write: (String) -> Void

    init(
        isJournal: Bool = Environment.variable("JOURNAL_STREAM") != nil,
        write: @escaping (String) -> Void = { Self.print($0, to: STDERR_FILENO) }
    ) {
        self.isJournal = isJournal
        self.write = write
    }

    /// Writes one line.
    func line(_ priority: Priority, _ text: String) {
        let clean = PrintableText.clean(text, maximumLength: 1000)
        write((isJournal ? "<\(priority.rawValue)>" : "transitd-notify: ") + clean + "\n")
    }

    /// Writes text to a descriptor. Failures are ignored, since there is nowhere to report them.
    static func print(_ text: String, to descriptor: CInt) { _ = Descriptors.write(Array(text.utf8), to: descriptor) }
}
