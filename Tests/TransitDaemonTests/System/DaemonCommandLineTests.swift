import Testing
import TransitModel
import TransitSystem

@testable import TransitDaemon

@Suite struct DaemonCommandLineTests {
    private func problem(_ arguments: String...) -> String? {
        do throws(DaemonCommandLine.Problem) {
            _ = try DaemonCommandLine(arguments)
            return nil
        } catch { return error.message }
    }

    @Test func withoutArgumentsTheDaemonRunsWithDefaults() throws {
        let line = try DaemonCommandLine([])
        #expect(line.action == .run && !line.isDemo)
        #expect(line.configuration == nil && line.socket == nil && line.clock == nil && line.recording == nil)
    }

    @Test(arguments: [
        ["--config", "a.toml", "--socket", "/run/s", "--check-config"],
        ["--config=a.toml", "--check-config", "--socket=/run/s"],
    ]) func valuesFollowTheOptionOrAnEqualsSign(arguments: [String]) throws {
        let line = try DaemonCommandLine(arguments)
        #expect(line.configuration == "a.toml" && line.socket == "/run/s" && line.action == .checkConfiguration)
    }

    @Test func recordingHasItsFolderAndLimit() throws {
        #expect(try DaemonCommandLine(["--record", "r"]).recording == .record(folder: "r", limit: 1024 << 20))
        let limited = try DaemonCommandLine(["--record-limit", "2", "--record", "a=b"])
        #expect(limited.recording == .record(folder: "a=b", limit: 2 << 20))
    }

    @Test func replayTakesTheClockOfTheRecording() throws {
        let line = try DaemonCommandLine(["--replay", "r", "--replay-clock", "2026-03-29T00:30:00Z/60"])
        #expect(line.recording == .replay(folder: "r"))
        #expect(line.clock == SystemClock.Replay("2026-03-29T00:30:00Z/60"))
    }

    @Test func helpIsAnsweredWhateverElseIsAsked() throws {
        #expect(try DaemonCommandLine(["--demo-folder", "f", "-h", "--version"]).action == .help)
        #expect(try DaemonCommandLine(["--version"]).action == .version)
        for line in DaemonCommandLine.help.split(separator: "\n") where !line.hasPrefix("Usage:") {
            #expect(line.count <= 120)
        }
    }

    @Test func invalidCommandLinesSayWhatIsWrong() {
        #expect(problem("--nonsense") == "Unknown option '--nonsense'")
        #expect(problem("extra") == "Unexpected argument 'extra'")
        #expect(problem("--config") == "Missing value for '--config <file>'")
        #expect(problem("--config", "--demo") == "Missing value for '--config <file>'")
        #expect(problem("--socket=") == "Missing value for '--socket <path>'")
        #expect(problem("--demo=1") == "Unknown option '--demo=1'")
        #expect(problem("--replay-clock", "noon")?.hasPrefix("\"noon\" is not an instant") == true)
        #expect(problem("--record-limit", "0") == "--record-limit must be between 1 and 1048576 MiB.")
    }

    @Test func contradictingOptionsAreRefused() {
        #expect(problem("--demo", "--config", "x") == "--demo has its own configuration. Omit --config.")
        #expect(problem("--demo-folder", "x") == "--demo-folder requires --demo.")
        #expect(
            problem("--replay", "r") == "--replay requires --replay-clock, the start time within the recording.")
        #expect(
            problem("--replay", "r", "--replay-clock", "2026-03-29T00:30:00Z", "--record", "s")
                == "--record and --replay cannot be combined.")
    }
}
