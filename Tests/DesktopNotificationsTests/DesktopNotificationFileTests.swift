import Foundation
import Testing
import TransitTestTraits

@testable import DesktopNotifications
@testable import TransitClient

@Suite struct DesktopNotificationFileTests {
    private let server = ServerIdentity(owner: ":1.7", bus: "0123456789abcdef")

    private func notification(_ id: UInt32, expires: Int64 = 100) -> ShownNotification {
        ShownNotification(id: id, server: server, expires: expires, waiter: WaitingProcess(pid: 70, start: 5))
    }

    private func open(_ folder: TemporaryFolder, milliseconds: Int = 2000) throws -> DesktopNotificationFile {
        try DesktopNotificationFile(runtimeDirectory: folder.path, before: Deadline(milliseconds: milliseconds))
    }

    @Test func remembersNotifications() throws {
        let folder = try TemporaryFolder()
        var notifications = ShownNotifications()
        for key in ["leave:a b", "é\n%", "x"] { notifications[key] = notification(3) }
        try open(folder).save(notifications, now: 50)
        #expect(try open(folder).load() == notifications)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/transitd/bubbles")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func forgetsExpiredNotificationsAndTooMany() throws {
        var notifications = ShownNotifications()
        notifications["old"] = notification(1, expires: 10)
        #expect(notifications.text(now: 69).contains("old"))
        #expect(notifications.text(now: 70) == "")
        for number in 0..<500 { notifications["k\(number)"] = notification(2, expires: 1000 + Int64(number)) }
        let kept = ShownNotifications(notifications.text(now: 500))
        #expect(kept.byKey.count == ShownNotifications.maximumCount)
        #expect(kept["k499"] != nil)
    }

    @Test func thoseThatExpireFirstAreRemovedWhenThereAreTooMany() {
        var notifications = ShownNotifications()
        for number in 0..<ShownNotifications.maximumCount {
            notifications["k\(number)"] = notification(UInt32(number + 1), expires: 1000)
        }
        #expect(notifications.removeExcess(except: "k0") == [])
        notifications["first"] = notification(900, expires: 10)
        notifications["new"] = notification(901, expires: 5)
        #expect(notifications.removeExcess(except: "new").map(\.id) == [900, 1])
        #expect(notifications.byKey.count == ShownNotifications.maximumCount)
        #expect(notifications["new"] != nil)
    }

    @Test(arguments: [
        "x", "0 :1.1 ab 9 0 0 k", "-1 :1.1 ab 9 0 0 k", "4294967295 :1.1 ab 9 0 0 k", "1 :1.1 ab 9 0 0 ",
        "1 :1.1 ab 9 0 0 %ff", "1 :1.1 ab 9 0 0 %4", "1  ab 9 0 0 k", "1 :1.1 ab 9 0 0 k k", "1 :1.1 ab x 0 0 k",
        "1 :1.1 ab 9 99999999999 0 k", String(repeating: " ", count: 1000), "\u{0}\u{1}\u{2}",
    ])
    func ignoresInvalidLines(_ line: String) {
        #expect(ShownNotifications(line + "\n") == ShownNotifications())
        #expect(ShownNotifications("5 :1.7 ab 9 0 0 k\n" + line + "\n").byKey.count == 1)
    }

    /// Numbers that would signal the own group or all processes.
    @Test(arguments: [0, 1, -1, -7]) func ignoresSpecialProcesses(_ pid: Int) {
        #expect(ShownNotifications("5 :1.7 ab 9 \(pid) 0 k\n")["k"]?.waiter == nil)
    }

    @Test func damagedFileCountsAsEmpty() throws {
        let folder = try TemporaryFolder()
        let name = folder.path + "/transitd/bubbles"
        var notifications = ShownNotifications()
        notifications["k"] = notification(3)
        func check() throws {
            let file = try open(folder)
            #expect(file.load() == ShownNotifications())
            try file.save(notifications, now: 0)
            #expect(file.load() == notifications)
            try FileManager.default.removeItem(atPath: name)
        }
        _ = try open(folder)
        mkfifo(name, 0o600)
        try check()
        symlink("/etc/passwd", name)
        try check()
        try Data(repeating: 0x35, count: 1 << 20).write(to: URL(fileURLWithPath: name))
        try check()
        try Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ 7) }).write(
            to: URL(fileURLWithPath: name))
        try check()
    }

    @Test func refusesFolderOfOthers() throws {
        let folder = try TemporaryFolder()
        mkdir(folder.path + "/transitd", 0o777)
        chmod(folder.path + "/transitd", 0o777)
        #expect {
            _ = try open(folder)
        } throws: { ($0 as? DesktopNotificationFailure)?.kind == .unavailable }
        rmdir(folder.path + "/transitd")
        symlink("/tmp", folder.path + "/transitd")
        #expect {
            _ = try open(folder)
        } throws: { ($0 as? DesktopNotificationFailure)?.kind == .unavailable }
    }

    @Test func waitsForLockForLimitedTime() throws {
        let folder = try TemporaryFolder()
        let first = try open(folder)
        #expect {
            _ = try open(folder, milliseconds: 50)
        } throws: { ($0 as? DesktopNotificationFailure)?.kind == .temporary }
        withExtendedLifetime(first) {}
    }

    @Test func processIsIdentifiedByItsStart() throws {
        let own = try #require(WaitingProcess(pid: getpid()))
        #expect(own.start > 0)
        // Neither ends this process.
        WaitingProcess(pid: getpid(), start: own.start + 1).end()
        WaitingProcess(pid: 1, start: 0).end()
        #expect(WaitingProcess(pid: Int32.max) == nil)
    }
}

@Suite struct DBusStringsTests {
    private let message = DBusMessage(
        kind: .reply, serial: 7, replySerial: 3, body: [.strings(["body", "", "actions"]), .uint32(5), .strings([])])

    @Test func messageIsReadBackUnchanged() throws {
        #expect(message.signature == "asuas")
        #expect(try DBusMessage(message.bytes) == message)
        #expect(message.body[0].texts == ["body", "", "actions"])
    }

    /// The expected bytes are those of the specification: each entry of a dictionary begins at a multiple of 8 bytes, and
    /// the length does not count the padding before the first one (D-Bus Specification, "Marshaling").
    @Test func writesDictionary() {
        var writer = DBusWriter()
        writer.write(.dictionary(["b": .byte(2), "a": .int32(-1)]))
        #expect(
            writer.bytes == [26, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 0, 0, 0x61, 0, 1, 0x69, 0, 0, 0, 0, 255, 255, 255, 255]
                + [1, 0, 0, 0, 0x62, 0, 1, 0x79, 0, 2])
        var empty = DBusWriter()
        empty.write(.dictionary([:]))
        #expect(empty.bytes == [0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func rejectsCorruptArrays() {
        let bytes = message.bytes
        for place in bytes.indices {
            for value in [UInt8(0), 1, 0x61, 0x7F, 0xFF] {
                var corrupt = bytes
                corrupt[place] = value
                _ = try? DBusMessage(corrupt)
            }
        }
        for end in bytes.indices { _ = try? DBusMessage(Array(bytes[..<end])) }
    }

    @Test func sessionBusAddress() {
        #expect(DBusAddress.session { ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"][$0] } == "unix:path=/x")
        let runtime = DBusAddress.session { ["XDG_RUNTIME_DIR": "/run/a b"][$0] }
        #expect(runtime == "unix:path=/run/a%20b/bus")
        #expect(DBusAddress.socket(runtime ?? "") == Array("/run/a b/bus".utf8))
        #expect(DBusAddress.session { _ in nil } == nil)
    }
}
