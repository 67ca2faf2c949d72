import Foundation
import Glibc
import Testing
import TransitModel

@testable import TransitDaemon

@Suite("Whether the machine is online")
struct NetworkConnectivityTests {
    private let header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

    @Test("A default route that is up leads out; a local network, or a route that is down, does not")
    func version4() {
        let local = "eth0\t0000FEA9\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
        let out = "eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
        let down = "eth0\t00000000\t010011AC\t0002\t0\t0\t0\t00000000\t0\t0\t0\n"
        #expect(!NetworkConnectivity.hasDefault4(header))
        #expect(!NetworkConnectivity.hasDefault4(header + local + down))
        #expect(NetworkConnectivity.hasDefault4(header + local + out))
        #expect(!NetworkConnectivity.hasDefault4("garbage\nmore garbage"))
    }

    @Test("Of version 6, the routes that every machine has to refuse what it cannot reach do not count")
    func version6() {
        let zeros = String(repeating: "0", count: 32)
        let gateway = "fe800000000000000000000000000001"
        let refusing = "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo\n"
        let out = "\(zeros) 00 \(zeros) 00 \(gateway) 00000400 00000001 00000000 00450003     eth0\n"
        let local = "fe800000000000000000000000000000 40 \(zeros) 00 \(zeros) 00000100 1 0 00000001     eth0\n"
        #expect(!NetworkConnectivity.hasDefault6(refusing + local))
        #expect(NetworkConnectivity.hasDefault6(refusing + out))
        #expect(!NetworkConnectivity.hasDefault6(""))
    }

    @Test("What cannot be read is not known, and sources are asked; without version 6 the other one decides")
    func sandbox() throws {
        let folder = try TestFolder()
        let (four, six) = (folder("route"), folder("ipv6_route"))
        let unknown = NetworkConnectivity.read(four: four, six: six)
        #expect(unknown == .unknown(reason: "No such file or directory"))
        #expect(unknown.isOnline)
        try Data(header.utf8).write(to: URL(fileURLWithPath: four))
        #expect(NetworkConnectivity.read(four: four, six: six) == .offline)
        let out = "eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
        try Data((header + out).utf8).write(to: URL(fileURLWithPath: four))
        #expect(NetworkConnectivity.read(four: four, six: six) == .online)
        // This process is in no sandbox.
        if case .unknown(let reason) = NetworkConnectivity.read() { Issue.record("\(reason)") }
    }

    @Test("Who is offline looks again, and so does everybody to whom nothing is told")
    func lookingAgain() {
        #expect(NetworkConnectivity.online.pollInterval(isWatched: true) == nil)
        #expect(NetworkConnectivity.online.pollInterval(isWatched: false) == 30)
        #expect(NetworkConnectivity.offline.pollInterval(isWatched: true) == 30)
        #expect(NetworkConnectivity.offline.pollInterval(isWatched: false) == 30)
        #expect(NetworkConnectivity.unknown(reason: "").pollInterval(isWatched: false) == 30)
    }
}

@Suite("The watch over the machine")
struct SystemChangeMonitorTests {
    @Test("Where the system tells nothing of the network that is said, and the time is still told")
    func sandbox() async throws {
        let watch = try SystemChangeMonitor(openNetwork: {
            errno = EAFNOSUPPORT
            return -1
        })
        #expect(watch.networkFailure?.number == EAFNOSUPPORT)
        let (changes, change) = AsyncStream.makeStream(of: SystemChangeMonitor.Change.self)
        watch.listen { change.yield($0) }
        watch.scheduleCheck(after: 0.001)
        for await change in changes {
            #expect(change == .time)
            break
        }
    }

    @Test("Outside of a sandbox it is told")
    func allowed() throws {
        #expect(try SystemChangeMonitor().networkFailure == nil)
    }
}

@Suite("The alarm")
struct BootTimeTimerTests {
    @Test("Sleepers wake in the order of their times, whoever came first; a canceled one does not wait")
    func order() async throws {
        let alarm = try BootTimeTimer()
        let (woken, wake) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, seconds) in [(3, 0.15), (1, 0.0), (2, 0.05)] {
                group.addTask {
                    try await alarm.sleep(seconds: seconds)
                    wake.yield(number)
                }
            }
            let endless = Task { try await alarm.sleep(seconds: .infinity) }
            endless.cancel()
            await #expect(throws: CancellationError.self) { try await endless.value }
            try await group.waitForAll()
        }
        wake.finish()
        var order: [Int] = []
        for await number in woken { order.append(number) }
        #expect(order == [1, 2, 3])
    }
}

@Suite("The system's clock")
struct SystemClockTests {
    @Test("A replayed clock goes at its rate by both readings")
    func replay() async throws {
        let clock = SystemClock(
            replay: SystemClock.Replay("2026-03-29T00:30:00Z/10000"), alarm: try BootTimeTimer())
        let first = clock.reading()
        try await clock.sleep(until: first.boot.advanced(by: 600))
        let second = clock.reading()
        #expect(first.boot.milliseconds(to: second.boot) >= 600_000)
        #expect(first.wall.seconds(to: second.wall) >= 599)
        #expect(clock.bootID() == clock.bootID())
    }

    @Test("A boot whose number cannot be read is said, and is another one in each process")
    func hiddenBoot() throws {
        let clock = SystemClock(replay: nil, alarm: try BootTimeTimer())
        var reasons: [String] = []
        #expect(clock.bootID(file: "/nowhere") { reasons.append($0) }.rawValue.hasPrefix("process \(getpid()) "))
        #expect(reasons == ["No such file or directory"])
        _ = clock.bootID { Issue.record("\($0)") }
    }
}
