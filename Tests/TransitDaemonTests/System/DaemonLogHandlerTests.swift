import Logging
import Testing

@testable import TransitDaemon

/// Tests of the format of log lines, including lines with untrusted text.
@Suite struct DaemonLogHandlerTests {
    private let name = "Lime\u{202E}daoR \u{2066}x\u{2069}\u{200F}\u{061C}\u{7F}\u{9B}2J\u{1B}[1m\u{FEFF}中é"
    private let escaped =
        #"Lime\u{202e}daoR \u{2066}x\u{2069}\u{200f}\u{61c}\u{7f}\u{9b}2J\u{1b}[1m\u{feff}中é"#

    @Test func displayControlsAreEscapedInLines() {
        #expect(DaemonLogHandler.line(name, priority: nil, fields: [:]) == escaped + "\n")
        #expect(DaemonLogHandler.line("a", priority: 4, fields: ["stop": "\(name)"]) == "<4>a stop=\(escaped)\n")
    }

    @Test func displayControlsAreEscapedInJournalRecords() {
        let record = DaemonLogHandler.record(name, priority: 4, fields: ["stop": "\(name)"])
        #expect(
            record.map { "\($0.name)=\($0.value)" } == [
                "PRIORITY=4", "SYSLOG_IDENTIFIER=transitd", "TRANSITD_STOP=\(escaped)", "MESSAGE=\(escaped)",
            ])
    }

    @Test func lineBreaksBecomeSpaces() {
        #expect(
            DaemonLogHandler.line("a\r\nb\u{2028}c\nd", priority: 6, fields: ["key": "1\n2"]) == "<6>a b c d key=1 2\n")
    }
}
