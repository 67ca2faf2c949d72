import Foundation
import Testing
import TransitTestTraits

/// Tests of contrib/hooks/log.
@Suite(.enabled(if: TestPath.has(["python3"], for: "contrib/hooks"), "needs python3"), .ownThreads)
struct LogHookTests {
    private let name = ".local/state/transitd/notifications.jsonl"

    @Test func appendsOneLinePerEvent() throws {
        let home = try HookHome()
        #expect(try home.run("log").status == 0)
        #expect(try home.run("log", ["body": "a\nb\u{2028}c", "op": "withdraw"]).status == 0)
        let lines = (home.folder.read(name) ?? "").split(separator: "\n")
        #expect(lines.count == 2)
        let event = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8)) as? [String: Any]
        #expect(event?["body"] as? String == "a\nb\u{2028}c")
        let attributes = try FileManager.default.attributesOfItem(atPath: home.folder.path + "/" + name)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func rotatesBySize() throws {
        let home = try HookHome()
        try home.configure("log.conf", "maximum_bytes = 1024\nkeep = 2\npath = \(home.folder.path)/log\n")
        // Each event is longer than half of the maximum.
        for number in 0..<5 { #expect(try home.run("log", ["id": "n\(number)"]).status == 0) }
        func ids(_ name: String) -> [String] {
            (home.folder.read(name) ?? "").split(separator: "\n").compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["id"] as? String
            }
        }
        #expect([ids("log"), ids("log.1"), ids("log.2")] == [["n4"], ["n3"], ["n2"]])
        #expect(home.folder.read("log.3") == nil)
    }

    @Test func concurrentEventsAreComplete() throws {
        let home = try HookHome()
        let programs = try (0..<8).map { number in
            let program = try RunningProgram(
                [TestPath.contributed("log")], environment: ["PATH": TestPath.path, "HOME": home.folder.path])
            try program.send(SampleEvent(["id": "n\(number)"]).json)
            program.closeInput()
            return program
        }
        #expect(eventually { !programs.contains(where: \.isRunning) })
        #expect((home.folder.read(name) ?? "").split(separator: "\n").count == 8)
    }

    @Test(arguments: [("ENOSPC", 75), ("EDQUOT", 75), ("EIO", 1)])
    func fullDiskIsATemporaryFailure(_ error: String, _ status: Int32) throws {
        let home = try HookHome()
        let code = """
            import errno, os, runpy, sys
            def write(*_): raise OSError(errno.\(error), "no room")
            os.write = write
            runpy.run_path(sys.argv[1], run_name="__main__")
            """
        let outcome = try ProgramOutcome.run(
            ["python3", "-c", code, TestPath.contributed("log")],
            environment: ["PATH": TestPath.path, "HOME": home.folder.path], input: SampleEvent([:]).json)
        #expect(outcome.status == status)
        #expect(outcome.error.contains("no room"))
    }

    @Test func doesNotFollowLinksAndFifos() throws {
        let home = try HookHome()
        let path = home.folder.path + "/log"
        try home.configure("log.conf", "path = \(path)\n")
        symlink(home.folder.path + "/target", path)
        #expect(try home.run("log").status == 1)
        #expect(home.folder.read("target") == nil)
        unlink(path)
        mkfifo(path, 0o600)
        #expect(try home.run("log").status == 1)
        try home.configure("log.conf", "path = relative\n")
        #expect(try home.run("log").status == 78)
        #expect(try home.run("log", input: "{").status == 78)
        try home.configure("log.conf", "")
        #expect(try home.run("log", input: "{").status == 65)
    }
}
