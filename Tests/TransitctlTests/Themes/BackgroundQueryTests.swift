import Foundation
import Glibc
import Testing
import TransitClient
import TransitTestTraits

@testable import transitctl

@Suite(.ownThreads) struct BackgroundQueryTests {
    @Test(arguments: [
        ("\u{1B}]11;rgb:1e1e/1717/1414\u{1B}\\\u{1B}[?64;1c", RGB(0x1E1714)), ("\u{1B}]11;rgb:ff/80/0\u{07}", 0xFF8000),
        ("typed\u{1B}]11;rgba:ffff/ffff/ffff/8000\u{1B}\\", 0xFFFFFF), ("\u{1B}[?62;c", nil), ("", nil),
        ("\u{1B}]11;rgb:fffff/0/0\u{07}", nil), ("\u{1B}]11;rgb:/0/0\u{07}", nil), ("\u{1B}]11;rgb:1/2", nil),
        ("\u{1B}]11;rgb", nil), ("\u{1B}]11;#102030\u{07}", nil),
    ])
    func responseIsParsed(_ text: String, _ color: RGB?) {
        #expect(BackgroundQuery.color(in: Array(text.utf8)) == color)
    }

    @Test func backgroundOfColor() {
        #expect(Background(of: 0x1E1714) == .dark)
        #expect(Background(of: 0xFFFAF0) == .light)
        #expect(Background(of: 0x707070) == .dark)
        #expect(Background(of: 0x808080) == .light)
    }

    /// Returns the two ends of a pseudo-terminal.
    private func pseudoTerminal() throws -> (master: CInt, slave: StandardStream) {
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import.
        let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var (zero, name): (CInt, CUnsignedInt) = (0, 0)
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0 && ioctl(master, unlock, &zero) == 0 && ioctl(master, number, &name) == 0)
        let slave = open("/dev/pts/\(name)", O_RDWR | O_NOCTTY)
        try #require(slave >= 0)
        return (master, StandardStream(descriptor: slave))
    }

    /// Asks a terminal that sends `answer` after it has received the request. A busy machine takes time to answer.
    private func ask(_ answer: String, timeout: Int = 120_000) throws -> RGB? {
        let (master, slave) = try pseudoTerminal()
        defer { close(slave.descriptor) }
        Thread.detachNewThread {
            var received: [UInt8] = []
            var byte: UInt8 = 0
            while received != Array(BackgroundQuery.request.utf8), read(master, &byte, 1) == 1 { received.append(byte) }
            _ = StandardStream(descriptor: master).write(Array(answer.utf8))
        }
        defer { close(master) }
        return BackgroundQuery.ask(input: slave, output: slave, timeout: timeout)
    }

    @Test func terminalReportsBackground() throws {
        #expect(try ask("\u{1B}]11;rgb:ffff/fafa/f0f0\u{1B}\\\u{1B}[?64;1c") == 0xFFFAF0)
    }

    @Test func terminalWithoutSupportIsRecognizedAtOnce() throws {
        let start = LinuxClock.monotonic
        #expect(try ask("\u{1B}[?1;2c") == nil)
        #expect(LinuxClock.monotonic - start < 60_000)
    }

    @Test func silentTerminalIsNotWaitedForLong() throws {
        #expect(try ask("", timeout: BackgroundQuery.timeout) == nil)
    }

    @Test func floodEnds() throws {
        #expect(try ask(String(repeating: "x", count: 2000)) == nil)
    }

    /// What was typed before stays available to the next program.
    @Test func typedInputIsKept() throws {
        let (master, slave) = try pseudoTerminal()
        defer {
            close(master)
            close(slave.descriptor)
        }
        _ = StandardStream(descriptor: master).write(Array("make tea\n".utf8))
        #expect(BackgroundQuery.ask(input: slave, output: slave) == nil)
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(slave.descriptor, &buffer, buffer.count)
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "make tea\n")
    }

    @Test func pipesAreNeverAsked() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let (input, output) = (StandardStream(descriptor: ends[0]), StandardStream(descriptor: ends[1]))
        #expect(BackgroundQuery.ask(input: input, output: output) == nil)
        #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == -1)
    }
}
