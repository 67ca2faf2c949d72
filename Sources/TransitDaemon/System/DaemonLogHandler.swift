internal import Glibc
public import Logging
internal import Synchronization
internal import TransitModel
internal import TransitSystem

/// Writes log lines to journald with their priority and fields if standard error is connected to the journal, otherwise
/// to standard error.
///
/// If systemd started the daemon without a journal stream, lines begin with `<N>` (sd-daemon(3)), except on a terminal.
public struct DaemonLogHandler: LogHandler {
    /// The destination of log lines.
    public enum Destination: Hashable, Sendable {
        /// journald's native protocol.
        case journal
        /// Standard error, optionally with `<N>` before each line.
        case standardError(prefixed: Bool)
    }

    private let threshold: LogThreshold
    public var metadata: Logger.Metadata = [:]
    private let destination: Destination

    public init(destination: Destination, threshold: LogThreshold) {
        self.destination = destination
        self.threshold = threshold
    }

    /// Shared by all copies, so that a reload changes the level everywhere.
    public var logLevel: Logger.Level {
        get { threshold.level }
        set { threshold.level = newValue }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }
        let priority = Self.priority(of: event.level)
        switch destination {
        case .journal:
            if Systemd.log(Self.record("\(event.message)", priority: priority, fields: fields)) { return }
            // The journal's stream may still work.
            Self.writeLine(Self.line("\(event.message)", priority: priority, fields: fields))
        case .standardError(let prefixed):
            Self.writeLine(Self.line("\(event.message)", priority: prefixed ? priority : nil, fields: fields))
        }
    }

    /// Returns the syslog(3) priority of a level.
    static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// Escapes untrusted text in log messages. Keeps line breaks and writes other control characters as escapes such
    /// as `\u{202e}`.
    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.isDisplayControl }) else { return text }
        return text.unicodeScalars.reduce(into: "") { visible, scalar in
            if scalar.isDisplayControl, !Character(scalar).isNewline {
                visible += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
    }

    /// Formats a line as `<6>message key=value`. Line breaks are replaced by spaces, so that a record is one line.
    static func line(_ message: String, priority: Int?, fields: Logger.Metadata) -> String {
        var line = priority.map { "<\($0)>" } ?? ""
        line += message
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        return visible(String(line.map { $0.isNewline ? " " : $0 })) + "\n"
    }

    /// Writes a line with one system call, so that lines from several threads are not mixed.
    private static func writeLine(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = write(STDERR_FILENO, start, rest.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Returns the fields of a journal record. The message is the last one, because the end of a long record is left
    /// out.
    static func record(
        _ message: String, priority: Int, fields: Logger.Metadata
    ) -> [(name: String, value: String)] {
        [("PRIORITY", "\(priority)"), ("SYSLOG_IDENTIFIER", "transitd")]
            + fields.sorted { $0.key < $1.key }.map { ("TRANSITD_\(journalName($0.key))", visible("\($0.value)")) }
            + [("MESSAGE", visible(message))]
    }

    /// Converts a name to a journal field, which consists of uppercase letters, digits and `_`
    /// (systemd.journal-fields(7)).
    private static func journalName(_ key: String) -> String {
        String(key.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}

extension DaemonLogHandler.Destination {
    /// The journal if standard error is connected to it, otherwise standard error. `$JOURNAL_STREAM` contains the
    /// device and inode of the journal's stream (systemd.exec(5)).
    public static func current(environment: [String: String]) -> Self {
        var status = stat()
        if let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0,
            stream == "\(status.st_dev):\(status.st_ino)"
        {
            return .journal
        }
        return .standardError(prefixed: environment["INVOCATION_ID"] != nil && isatty(STDERR_FILENO) == 0)
    }
}

/// The minimum level of log lines, shared by all loggers of the daemon.
public final class LogThreshold: Sendable {
    private let state: Mutex<Logger.Level>

    public init(_ level: Logger.Level) { state = Mutex(level) }

    public var level: Logger.Level {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension DaemonOptions.LogLevel {
    /// The corresponding level of swift-log.
    public var loggerLevel: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}
