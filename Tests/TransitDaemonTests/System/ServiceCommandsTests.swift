import Testing

@testable import TransitDaemon

@Suite struct ServiceCommandsTests {
    private func commands(_ group: String, hasSystemd: Bool = true) -> ServiceCommands {
        ServiceCommands(controlGroup: group, hasSystemd: hasSystemd, process: 7)
    }

    private static let user = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/transitd.service\n"
    private static let system = "0::/system.slice/transitd.service\n"
    private static let shell = "0::/user.slice/user-1000.slice/session-2.scope\n"

    @Test func restartIsThatOfTheUnit() {
        #expect(commands(Self.user).restart == "Run `systemctl --user restart transitd`.")
        #expect(commands(Self.system).restart == "Run `sudo systemctl restart transitd`.")
        #expect(commands(Self.shell).restart == "Run `kill 7`, then start `transitd` again.")
        #expect(commands(Self.user, hasSystemd: false).restart == "Run `kill 7`, then start `transitd` again.")
    }

    @Test func agentIsStartedBySystemdWhereItRuns() {
        #expect(commands(Self.shell).startAgent == "systemctl --user enable --now transitd-notify")
        #expect(commands(Self.shell, hasSystemd: false).startAgent == "transitd-notify")
        #expect(
            commands(Self.system).replaceAgent(9).hasSuffix(
                "`sudo systemctl restart transitd; systemctl --user restart transitd-notify`."))
        #expect(
            commands(Self.shell, hasSystemd: false).replaceAgent(9).hasSuffix("run `kill 9`, and `transitd-notify`."))
        #expect(commands(Self.shell, hasSystemd: false).replaceAgent(nil).hasSuffix("run `transitd-notify`."))
    }
}
