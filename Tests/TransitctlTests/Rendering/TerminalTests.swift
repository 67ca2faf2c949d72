import Glibc
import Testing

@testable import transitctl

@Suite struct TerminalTests {
    /// Returns a terminal that is 72 columns wide, and a pipe.
    private func streams() throws -> (terminal: StandardStream, pipe: StandardStream) {
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import.
        let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var (zero, name): (CInt, CUnsignedInt) = (0, 0)
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0 && ioctl(master, unlock, &zero) == 0 && ioctl(master, number, &name) == 0)
        let slave = open("/dev/pts/\(name)", O_RDWR | O_NOCTTY)
        var size = winsize(ws_row: 24, ws_col: 72, ws_xpixel: 0, ws_ypixel: 0)
        try #require(slave >= 0 && ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (StandardStream(descriptor: slave), StandardStream(descriptor: ends[1]))
    }

    private func terminal(
        _ settings: Settings = Settings(), _ environment: [String: String] = [:], pipesOutput: Bool = false
    ) throws -> Terminal {
        let (terminal, pipe) = try streams()
        return Terminal(
            settings: settings, environment: { environment[$0] }, output: pipesOutput ? pipe : terminal,
            error: terminal)
    }

    @Test func terminalHasWidthAndColor() throws {
        #expect(try terminal().output == Canvas(width: 72, color: true))
        #expect(try terminal().rewritesErrorLine)
    }

    @Test func streamsAreIndependent() throws {
        let terminal = try terminal(pipesOutput: true)
        #expect(terminal.output == Canvas(width: nil, color: false))
        #expect(terminal.error == Canvas(width: 72, color: true))
    }

    @Test(arguments: [
        (Settings(plain: true), [:]), (Settings(noColor: true), [:]), (Settings(), ["NO_COLOR": "1"]),
        (Settings(), ["TERM": "dumb"]),
    ])
    func colorCanBeDisabled(settings: Settings, environment: [String: String]) throws {
        let terminal = try terminal(settings, environment)
        #expect(!terminal.output.color)
        #expect(!terminal.error.color)
    }

    @Test func emptyNoColorHasNoEffect() throws {
        #expect(try terminal(Settings(), ["NO_COLOR": ""]).output.color)
    }

    @Test func progressIsNotRewrittenForScripts() throws {
        #expect(try !terminal(Settings(plain: true)).rewritesErrorLine)
        #expect(try !terminal(Settings(), ["TERM": "dumb"]).rewritesErrorLine)
    }

    @Test func unknownWidthFallsBackToColumns() throws {
        let (stream, _) = try streams()
        var size = winsize()
        try #require(ioctl(stream.descriptor, UInt(TIOCSWINSZ), &size) == 0)
        let terminal = Terminal(
            settings: Settings(), environment: { $0 == "COLUMNS" ? "50" : nil }, output: stream, error: stream)
        #expect(terminal.output.width == 50)
    }
}
