import Testing

@testable import TransitClient

@Suite struct SocketPathTests {
    private func candidates(_ option: String?, _ environment: [String: String]) -> [String] {
        SocketPath(option: option, environment: { environment[$0] }).candidates
    }

    @Test func explicitPathIsOnlyCandidate() {
        let environment = ["TRANSITD_SOCKET": "/b", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(candidates("/a", environment) == ["/a"])
        #expect(candidates(nil, environment) == ["/b"])
    }

    @Test func userDaemonPrecedesSystemDaemon() {
        #expect(
            candidates(nil, ["TRANSITD_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/1"])
                == ["/run/user/1/transitd/transitd.sock", "/run/transitd/transitd.sock"])
        #expect(candidates(nil, [:]) == ["/run/transitd/transitd.sock"])
    }

    @Test func choosesFirstExistingPath() {
        let path = SocketPath(option: nil, environment: { $0 == "XDG_RUNTIME_DIR" ? "/u" : nil })
        #expect(path.chosen { _ in true } == "/u/transitd/transitd.sock")
        #expect(path.chosen { $0.hasPrefix("/run/") } == "/run/transitd/transitd.sock")
        #expect(path.chosen { _ in false } == nil)
    }

    private func remedies(_ option: String?, _ environment: [String: String], _ files: Set<String>) -> [String] {
        let start = DaemonStart(variable: { environment[$0] }, exists: { files.contains($0) })
        return start.remedies(SocketPath(option: option, environment: { environment[$0] }))
    }

    @Test func startCommandIsThatOfTheInstalledUnit() {
        let runtime = ["XDG_RUNTIME_DIR": "/run/user/7", "PATH": "/bin"]
        let unit = "/usr/lib/systemd/user/transitd.service"
        let system = "/etc/systemd/system/transitd.service"
        let booted = "/run/systemd/system"
        #expect(remedies(nil, runtime, [booted, unit, system]) == ["start it with: systemctl --user start transitd"])
        #expect(remedies(nil, runtime, [booted, system]) == ["start it with: sudo systemctl start transitd"])
        #expect(remedies(nil, [:], [booted, unit, system]) == ["start it with: sudo systemctl start transitd"])
        // Neither a unit nor systemd.
        #expect(remedies(nil, runtime, [booted, "/bin/transitd"]) == ["start it with: transitd"])
        #expect(remedies(nil, runtime, [unit, "/bin/transitd"]) == ["start it with: transitd"])
        #expect(
            remedies(nil, runtime, [booted]) == ["transitd is not installed; its README explains the installation"])
    }

    @Test func sourceOfAWrongPathIsNamed() {
        let named = ["TRANSITD_SOCKET": "/wrong", "PATH": "/bin"]
        #expect(
            remedies(nil, named, ["/bin/transitd"])
                == [
                    "start it with: transitd",
                    "TRANSITD_SOCKET names the path; to use the default path, run `unset TRANSITD_SOCKET`",
                ])
        #expect(
            remedies(nil, named, ["/bin/transitd", "/run/transitd/transitd.sock"])
                == [
                    "TRANSITD_SOCKET names another path than the usual socket, /run/transitd/transitd.sock: "
                        + "run `unset TRANSITD_SOCKET`",
                    "start it with: transitd",
                ])
        #expect(
            remedies("/x", named, ["/bin/transitd"])
                == [
                    "start it with: transitd --socket /x",
                    "--socket names the path; to use the default path, omit --socket",
                ])
    }
}
