import Foundation
import Glibc
import Testing

@testable import NotificationAgent

/// Scripts whose interpreter could be exchanged by others are not run.
@Suite struct ScriptInterpreterTests {
    private let folder: TemporaryFolder
    private let user = geteuid()

    init() throws { folder = try TemporaryFolder() }

    private func distrust(_ path: String, searchPath: String = HookEnvironment.path) -> Distrust? {
        do throws(Distrust) {
            _ = try HookTrust.file(path, user: user, searchPath: searchPath)
            return nil
        } catch { return error }
    }

    /// Writes a hook with a first line.
    private func hook(_ firstLine: String, _ name: String = "hooks.d/log") throws -> String {
        try folder.file(name, firstLine + "\ntrue\n", mode: 0o755)
        return folder.path + "/" + name
    }

    @Test(arguments: [
        ("/bin/sh", "/bin/sh", ""), ("  /bin/sh -e -u \t", "/bin/sh", "-e -u"), ("\t/a/b\tc d", "/a/b", "c d"),
        ("", "", ""),
    ])
    func lineHasPathAndOneArgument(line: String, path: String, argument: String) {
        let interpreter = ScriptInterpreter(line: Array(line.utf8))
        #expect(interpreter.path == path)
        #expect(interpreter.argument == argument)
    }

    @Test(arguments: [
        ("/usr/bin/env python3", "python3", nil as String?), ("/usr/bin/env python3 -u", "python3 -u", nil),
        ("/usr/bin/env -S python3 -u", "python3", nil), ("/usr/bin/env -Spython3 -u", "python3", nil),
        ("/usr/bin/env -i -S A=1 PATH=/x:/y bash -e", "bash", "/x:/y"), ("/usr/bin/env -vS -u HOME perl", "perl", nil),
        ("/usr/bin/env --split-string=ruby -w", "ruby", nil), ("/usr/bin/env", nil, nil), ("/usr/bin/env -i", nil, nil),
        ("/bin/sh env", nil, nil), ("/opt/environment x", nil, nil),
    ])
    func programOfEnvIsFound(line: String, name: String?, searchPath: String?) {
        let program = ScriptInterpreter(line: Array(line.utf8)).programOfEnv
        #expect(program?.name == name)
        #expect(program?.searchPath == searchPath)
    }

    @Test func programsAndScriptsOfTheSystemAreTrusted() throws {
        #expect(distrust(try hook("#!/bin/sh")) == nil)
        #expect(distrust(try hook("#!/usr/bin/env sh", "hooks.d/env"), searchPath: "/usr/bin:/bin") == nil)
        #expect(distrust("/usr/bin/true") == nil)
    }

    @Test func interpreterThatOthersCanWriteIsRefused() throws {
        let interpreter = try folder.script("bin/interpreter", "true", mode: 0o757)
        #expect(distrust(try hook("#!\(interpreter) -x")) == .interpreter(.writableByOthers(interpreter)))
        #expect(distrust(try hook("#!\(interpreter)"))?.reason.contains("run: chmod o-w \(interpreter)") == true)
        // The remedy that the message names.
        try #require(chmod(interpreter, 0o755) == 0)
        #expect(distrust(try hook("#!\(interpreter)")) == nil)
    }

    @Test func interpreterOfTheInterpreterIsChecked() throws {
        let last = try folder.script("bin/last", "true", mode: 0o775)
        try folder.file("bin/middle", "#!\(last)\n", mode: 0o755)
        #expect(distrust(try hook("#!\(folder.path)/bin/middle")) == .interpreter(.writableByGroup(last)))
    }

    @Test func scriptsThatInterpretEachOtherAreRefused() throws {
        let path = try hook("#!\(folder.path)/hooks.d/log")
        #expect(distrust(path) == .interpreter(.tooManyInterpreters))
    }

    @Test func programThatEnvFindsIsChecked() throws {
        let path = try hook("#!/usr/bin/env our-shell")
        let program = try folder.script("tools/our-shell", "true", mode: 0o757)
        #expect(distrust(path, searchPath: folder.path + "/tools") == .interpreter(.writableByOthers(program)))
        #expect(distrust(path, searchPath: "/bin") == .interpreter(.notInPath("our-shell")))
        try #require(chmod(program, 0o755) == 0)
        #expect(distrust(path, searchPath: "/absent:" + folder.path + "/tools") == nil)
        #expect(distrust(try hook("#!/usr/bin/env -S PATH=\(folder.path)/tools our-shell")) == nil)
    }

    @Test func folderInWhichOthersCouldAddTheProgramIsRefused() throws {
        let path = try hook("#!/usr/bin/env our-shell")
        _ = try folder.script("tools/our-shell", "true")
        try folder.folder("open", mode: 0o777)
        let searchPath = "\(folder.path)/open:\(folder.path)/tools"
        #expect(distrust(path, searchPath: searchPath) == .interpreter(.writableByOthers(folder.path + "/open")))
    }

    /// The hook of the installation under the name of a user's link: its program is the interpreter, so it is checked too.
    @Test func hookOfTheInstallationIsTrustedOnlyWithItsProgram() throws {
        let repository = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/")
        let text = try String(contentsOfFile: repository + "/contrib/notify-send", encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2)
        let program = try folder.script("bin/transitctl", "true")
        let bin = try folder.folder("bin", mode: 0o777)
        try folder.file(
            "lib/transitd/hooks.d/notify-send", text.replacing("@BINDIR@", with: bin), mode: 0o755)
        let link = try folder.link("hooks.d/desktop", to: folder.path + "/lib/transitd/hooks.d/notify-send")
        #expect(distrust(link) == .interpreter(.writableByOthers(bin)))
        chmod(bin, 0o755)
        chmod(program, 0o775)
        #expect(distrust(link) == .interpreter(.writableByGroup(program)))
        chmod(program, 0o755)
        #expect(try HookTrust.file(link, user: user) == folder.path + "/lib/transitd/hooks.d/notify-send")
    }

    @Test func missingAndRelativeInterpretersAreNamed() throws {
        #expect(distrust(try hook("#!/no/such"))?.reason == "its interpreter /no/such does not exist")
        #expect(distrust(try hook("#!python3")) == .interpreter(.relativeInterpreter("python3")))
    }
}
