import Glibc
import Testing
import TransitSystem
import TransitTestSupport

/// What systemd and journald receive. The tests of the daemon's process cover the variables, and `scripts/boot` a real
/// systemd.
@Suite struct SystemdTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// A socket that receives datagrams, as those of systemd and journald do.
    private func receiver(_ path: String) throws -> Descriptor {
        let descriptor = try Descriptor(opening: "socket", socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
        #expect(UnixSocketAddress.bind(descriptor.number, to: path) == 0)
        return descriptor
    }

    private func received(_ descriptor: Descriptor) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(descriptor.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return Array(buffer.prefix(max(0, count)))
    }

    @Test func recordHasFieldPerLine() throws {
        let journal = try receiver(folder("journal"))
        #expect(Systemd.log([("PRIORITY", "6"), ("MESSAGE", "a=b é")], to: folder("journal")))
        #expect(String(decoding: received(journal), as: UTF8.self) == "PRIORITY=6\nMESSAGE=a=b é\n")
    }

    @Test func valueWithSeveralLinesHasItsSize() throws {
        let journal = try receiver(folder("journal"))
        #expect(Systemd.log([("MESSAGE", "a\nPRIORITY=0"), ("X", "1")], to: folder("journal")))
        #expect(
            received(journal)
                == Array("MESSAGE\n".utf8) + [12, 0, 0, 0, 0, 0, 0, 0] + Array("a\nPRIORITY=0\nX=1\n".utf8))
    }

    @Test func endOfLargeRecordIsLeftOut() throws {
        let journal = try receiver(folder("journal"))
        let text = String(repeating: "0123456789", count: 100_000)
        #expect(Systemd.log([("PRIORITY", "3"), ("MESSAGE", text)], to: folder("journal")))
        let record = String(decoding: received(journal), as: UTF8.self)
        #expect(record.hasPrefix("PRIORITY=3\nMESSAGE=01234567890"))
        #expect(record.utf8.count > 100_000)
    }

    @Test func recordWithoutJournalIsReported() {
        #expect(!Systemd.log([("MESSAGE", "a")], to: folder("missing")))
        #expect(!Systemd.log([("MESSAGE", "a")], to: "/" + String(repeating: "x", count: 200)))
    }

    @Test func abstractAddressesAreReached() throws {
        let name = "@transitd-test-\(getpid())"
        let manager = try receiver(name)
        #expect(UnixSocketAddress.sendDatagram(Array("READY=1".utf8), to: name))
        #expect(String(decoding: received(manager), as: UTF8.self) == "READY=1")
    }

    /// The queue of such a socket holds few datagrams.
    @Test func receiverThatDoesNotReadDelaysOnlyForTheTimeout() throws {
        let manager = try receiver(folder("manager"))
        var count = 0
        while count < 10_000, UnixSocketAddress.sendDatagram([0x31], to: folder("manager"), timeout: 1) { count += 1 }
        #expect(errno == EAGAIN && count < 10_000)
        #expect(received(manager) == [0x31])
        #expect(UnixSocketAddress.sendDatagram([0x31], to: folder("manager"), timeout: 1))
    }
}
