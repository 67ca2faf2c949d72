import Glibc
import Testing
import TransitModel
import TransitSystem
import TransitTestTraits

@Suite("The system's clock", .ownThreads)
struct SystemClockTests {
    @Test("Both readings of a replayed clock advance at its rate")
    func replayedClockAdvancesAtItsRate() async throws {
        let clock = SystemClock(
            replay: SystemClock.Replay("2026-03-29T00:30:00Z/10000"), timer: try BootTimeTimer())
        let first = clock.reading()
        try await clock.sleep(until: first.boot.advanced(by: 600))
        let second = clock.reading()
        #expect(first.boot.milliseconds(to: second.boot) >= 600_000)
        #expect(first.wall.seconds(to: second.wall) >= 599)
        #expect(clock.bootID() == clock.bootID())
    }

    @Test("An unreadable boot ID is reported and replaced by one that differs between processes")
    func unreadableBootIDIsReplaced() throws {
        let clock = SystemClock(replay: nil, timer: try BootTimeTimer())
        var reasons: [String] = []
        #expect(clock.bootID(file: "/nowhere") { reasons.append($0) }.rawValue.hasPrefix("process \(getpid()) "))
        #expect(reasons == ["No such file or directory"])
        _ = clock.bootID { Issue.record("\($0)") }
    }
}
