import Foundation
import Glibc
import Testing
import TransitTestSupport
import TransitTestTraits

@testable import NotificationAgent

/// Runs real scripts. Time is a number that the test gives, so nothing waits for a time limit.
@Suite(.ownThreads) struct HookRunnerTests {
    private let folder: TemporaryFolder
    private let runner = HookRunner(user: geteuid())

    init() throws { folder = try TemporaryFolder(copiesFiles: true) }

    private func start(_ path: String, input: [UInt8] = Array("{}\n".utf8), run: Int = 1) -> HookOutcome? {
        runner.start(
            run: run, hook: Hook(path: path), input: input, environment: ["PATH=/usr/bin:/bin", "A=b c"], now: 0)
    }

    /// Waits for the end of a run, at a time.
    private func end(at now: Int64 = 0) throws -> HookRunner.Ended {
        var ended: [HookRunner.Ended] = []
        eventually {
            ended = runner.advance(now: now)
            return !ended.isEmpty
        }
        return try #require(ended.first)
    }

    @Test(.enabled(if: BuiltProgram.hook != nil, "transitctl is not built"))
    func hookOfTheInstallationRunsUnderTheNameOfALink() throws {
        let link = try folder.link("hooks.d/desktop", to: try #require(BuiltProgram.hook))
        #expect(start(link, input: Array("no JSON\n".utf8)) == nil)
        let output = String(decoding: try end().output, as: UTF8.self)
        #expect(output.hasPrefix("transitd-notify-send: "), "\(output)")
    }

    private func outcome(_ body: String) throws -> HookOutcome {
        let path = try folder.script("hooks.d/hook", body)
        if let failure = start(path) { return failure }
        return try end().outcome
    }

    @Test func hookReadsTheEventAndHasACleanEnvironment() throws {
        let path = try folder.script(
            "hooks.d/hook",
            """
            cat >"\(folder.path)/input"
            /usr/bin/env | sort >"\(folder.path)/environment"
            ls /proc/self/fd | tr '\\n' ' ' >"\(folder.path)/descriptors"
            echo "$# $0 $(pwd)" >"\(folder.path)/arguments"
            grep -E 'Sig(Blk|Ign)' /proc/self/status >"\(folder.path)/signals"
            """)
        let event = Array(String(repeating: "x", count: 200_000).utf8)
        #expect(start(path, input: event) == nil)
        #expect(try end() == HookRunner.Ended(run: 1, outcome: .succeeded, output: []))
        #expect(folder.text("input")?.utf8.count == 200_000)
        let environment = try #require(folder.text("environment")).split(separator: "\n")
        #expect(environment.contains("A=b c"))
        #expect(
            environment.allSatisfy { ["A", "PATH", "PWD", "OLDPWD", "SHLVL", "_"].contains($0.prefix { $0 != "=" }) })
        // The last descriptor is that of the folder that ls reads.
        #expect(folder.text("descriptors")?.split(separator: " ").count == 4)
        #expect(folder.text("arguments") == "0 \(path) /\n")
        let masks = try #require(folder.text("signals")).split(separator: "\n").map { $0.split(separator: "\t")[1] }
        // The C library ignores two signals of its own, 32 and 33.
        #expect(masks.compactMap { UInt64($0, radix: 16) }.map { $0 & ~0x1_8000_0000 } == [0, 0])
    }

    @Test func hookCannotChangeTheEvent() throws {
        #expect(try outcome("{ echo x >/proc/self/fd/0; } 2>/dev/null && exit 9; exit 0") != .failed("exit status 9"))
    }

    @Test func failureHasTheLastLineOfTheOutput() throws {
        #expect(
            try outcome("echo one; echo 'no route\u{1B}[2J' >&2; echo; exit 3")
                == .failed("exit status 3 (no route?[2J)"))
    }

    @Test func temporaryFailureIsRecognized() throws {
        #expect(try outcome("echo busy; exit 75") == .failedTemporarily("exit status 75 (busy)"))
    }

    @Test func crashIsAFailure() throws {
        #expect(try outcome("kill -SEGV $$") == .failed("signal 11 ended it"))
    }

    @Test func hookThatClosesItsInputSucceeds() throws {
        let path = try folder.script("hooks.d/hook", "exec <&-; exit 0")
        #expect(start(path, input: [UInt8](repeating: 0x78, count: 256 << 10)) == nil)
        #expect(try end().outcome == .succeeded)
    }

    @Test func hookThatIgnoresSIGTERMIsKilled() throws {
        let path = try folder.script(
            "hooks.d/hook", "trap '' TERM; echo $$ >\"\(folder.path)/pid\"; while :; do sleep 1000; done")
        #expect(start(path) == nil)
        #expect(eventually { folder.text("pid")?.hasSuffix("\n") == true })
        #expect(runner.wakeTime == 10_000)
        #expect(runner.advance(now: 9_999).isEmpty)
        #expect(runner.advance(now: 10_000).isEmpty)
        #expect(runner.wakeTime == 12_000)
        #expect(runner.advance(now: 11_999).isEmpty)
        let pid = try #require(pid_t(folder.text("pid")!.dropLast()))
        #expect(kill(pid, 0) == 0)
        #expect(try end(at: 12_000).outcome == .failedTemporarily("it did not finish within 10 s"))
        #expect(runner.isIdle)
        #expect(eventually { kill(-pid, 0) != 0 })
    }

    @Test func hookThatHangsIsAskedToEnd() throws {
        let path = try folder.script(
            "hooks.d/hook",
            "trap 'echo asked >\"\(folder.path)/asked\"; exit 0' TERM; echo >\"\(folder.path)/ready\"; while :; do sleep 0.05; done"
        )
        #expect(start(path) == nil)
        #expect(eventually { folder.text("ready") != nil })
        #expect(try end(at: 10_000).outcome == .failedTemporarily("it did not finish within 10 s"))
        #expect(folder.text("asked") == "asked\n")
    }

    @Test func grandchildrenThatKeepTheOutputOpenAreEnded() throws {
        let path = try folder.script(
            "hooks.d/hook",
            """
            for n in 1 2 3 4 5; do
                (trap '' TERM HUP; sh -c 'while :; do sleep 1000; done' & sleep 1000) &
                echo $! >>"\(folder.path)/pids"
            done
            echo started
            """)
        #expect(start(path) == nil)
        let ended = try end()
        #expect(ended.outcome == .succeeded)
        #expect(String(decoding: ended.output, as: UTF8.self) == "started\n")
        let pids = try #require(folder.text("pids")).split(separator: "\n").compactMap { pid_t($0) }
        #expect(pids.count == 5)
        #expect(eventually { pids.allSatisfy { kill($0, 0) != 0 || isZombie($0) } })
    }

    /// Whether a process has ended and its parent, which is not the test, has not noticed.
    private func isZombie(_ pid: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        return status.isEmpty || status.split(separator: ")").last?.hasPrefix(" Z") == true
    }

    /// A process that is to outlive the hook starts a session of its own.
    @Test func processInItsOwnSessionOutlivesTheHook() throws {
        let path = try folder.script(
            "hooks.d/hook",
            """
            setsid sh -c 'echo $$ >"\(folder.path)/pid"; exec sleep 1000' </dev/null >/dev/null 2>&1 &
            while ! [ -s "\(folder.path)/pid" ]; do sleep 0.01; done
            """)
        #expect(start(path) == nil)
        #expect(try end().outcome == .succeeded)
        let pid = try #require(pid_t(folder.text("pid")!.dropLast()))
        #expect(kill(pid, 0) == 0)
        kill(pid, SIGKILL)
    }

    @Test func floodOfOutputIsStopped() throws {
        let path = try folder.script("hooks.d/hook", "echo first; while :; do echo flood; done")
        #expect(start(path) == nil)
        let ended = try end()
        #expect(ended.outcome == .failed("it wrote more than 64 KiB"))
        #expect(ended.output.count == 64 << 10)
        #expect(String(decoding: ended.output.suffix(12), as: UTF8.self).contains("flood"))
    }

    @Test func floodThatIgnoresSignalsIsKilled() throws {
        let path = try folder.script(
            "hooks.d/hook", "trap '' TERM PIPE; while :; do echo flood 2>/dev/null; done")
        #expect(start(path) == nil)
        eventually {
            _ = runner.advance(now: 0)
            return runner.wakeTime == 2_000
        }
        #expect(try end(at: 2_000).outcome == .failed("it wrote more than 64 KiB"))
    }

    @Test func hookThatVanishesIsReported() throws {
        let path = folder.path + "/hooks.d/hook"
        #expect(start(path) == .failed("not run: \(folder.path)/hooks.d does not exist"))
        try folder.folder("hooks.d")
        #expect(start(path) == .failed("not run: \(path) does not exist"))
    }

    @Test func hookThatBecameWritableIsNotRun() throws {
        let path = try folder.script("hooks.d/hook", "touch \"\(folder.path)/ran\"", mode: 0o777)
        #expect(start(path) == .failed("not run: other users can write to \(path); run: chmod o-w \(path)"))
        #expect(folder.text("ran") == nil)
    }

    @Test func missingInterpreterIsNamed() throws {
        let path = try folder.file("hooks.d/hook", "#!/absent/python -u\n", mode: 0o755)
        #expect(start(path) == .failed("not run: its interpreter /absent/python does not exist"))
    }

    @Test func interpreterThatIsNotExecutableIsReported() throws {
        let path = try folder.file("hooks.d/hook", "#!/etc/passwd\n", mode: 0o755)
        #expect(
            start(path)
                == .failed("not run: its interpreter /etc/passwd is not executable"))
    }

    @Test(arguments: ["echo without an interpreter\n", "", "\u{7F}ELF"])
    func fileThatIsNoProgramIsReported(text: String) throws {
        let path = try folder.file("hooks.d/hook", text, mode: 0o755)
        #expect(start(path) == .failed("not run: it is neither a program nor a script that begins with #!"))
    }

    @Test func linkRunsItsTarget() throws {
        try folder.script("share/hook", "echo \"$0\"")
        let link = try folder.link("hooks.d/hook", to: "../share/hook")
        #expect(start(link) == nil)
        #expect(String(decoding: try end().output, as: UTF8.self) == "\(folder.path)/share/hook\n")
    }

    @Test func hooksRunAtTheSameTime() throws {
        let path = try folder.script("hooks.d/hook", "echo $$ >>\"\(folder.path)/pids\"; exec sleep 1000")
        for run in 1...4 { #expect(start(path, run: run) == nil) }
        #expect(eventually { folder.text("pids")?.split(separator: "\n").count == 4 })
        runner.stop(now: 0)
        var ended: [HookRunner.Ended] = []
        eventually {
            ended += runner.advance(now: 0)
            return ended.count == 4
        }
        #expect(ended.map(\.run).sorted() == [1, 2, 3, 4])
        #expect(ended.allSatisfy { $0.outcome == .failedTemporarily("the agent was stopped") })
        #expect(runner.descriptors.isEmpty)
    }

    @Test func environmentHasNoTextOfSources() throws {
        let delivery = try Sample.delivery("e1", key: "leave/() { :;};\nx é", op: "sh ow")
        let own = ["HOME": "/home/anna", "LANG": "de_AT.UTF-8", "LD_PRELOAD": "/x.so", "SECRET": "s"]
        let variables = HookEnvironment.variables(
            for: delivery, socket: "/run/s.sock", programFolder: "/opt/bin"
        ) { own[$0] }
        #expect(
            variables == [
                "HOME=/home/anna", "LANG=de_AT.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin:/opt/bin",
                "TRANSITD_EVENT=notification", "TRANSITD_ID=e1",
                "TRANSITD_KEY=leave/%28%29%20%7B%20:%3B%7D%3B%0Ax%20%C3%A9", "TRANSITD_RULE=leave",
                "TRANSITD_OP=sh%20ow", "TRANSITD_URGENCY=high", "TRANSITD_SOCKET=/run/s.sock",
            ])
    }
}
