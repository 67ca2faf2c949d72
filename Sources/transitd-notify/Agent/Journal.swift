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
    static func print(_ text: String, to descriptor: CInt) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Clocks in milliseconds.
enum Clock {
    /// CLOCK_MONOTONIC, which stands still while the machine is suspended.
    static var monotonic: Int64 { milliseconds(CLOCK_MONOTONIC) }
    /// CLOCK_BOOTTIME, which runs while the machine is suspended.
    static var boot: Int64 { milliseconds(CLOCK_BOOTTIME) }

    private static func milliseconds(_ clock: CInt) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
