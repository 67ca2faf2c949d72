import Testing

@testable import TransitClient
@testable import transitctl

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

    @Test func startCommandMatchesPath() {
        #expect(SocketPath(option: nil, environment: { _ in nil }).startLine == "sudo systemctl start transitd")
        #expect(
            SocketPath(option: "/run/user/7/x", environment: { _ in nil }).startLine
                == "systemctl --user start transitd")
    }
}
