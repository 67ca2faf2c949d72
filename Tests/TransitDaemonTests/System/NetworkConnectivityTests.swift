import Foundation
import Glibc
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

@Suite("Network connectivity", .ownThreads)
struct NetworkConnectivityTests {
    private let header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

    @Test("A default route counts if it is up; local routes and routes that are down do not")
    func defaultRouteOfIPv4Counts() {
        let local = "eth0\t0000FEA9\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
        let out = "eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
        let down = "eth0\t00000000\t010011AC\t0002\t0\t0\t0\t00000000\t0\t0\t0\n"
        #expect(!NetworkConnectivity.hasDefault4(header))
        #expect(!NetworkConnectivity.hasDefault4(header + local + down))
        #expect(NetworkConnectivity.hasDefault4(header + local + out))
        #expect(!NetworkConnectivity.hasDefault4("garbage\nmore garbage"))
    }

    @Test("Reject routes of IPv6, which every machine has, do not count")
    func rejectRoutesOfIPv6DoNotCount() {
        let zeros = String(repeating: "0", count: 32)
        let gateway = "fe800000000000000000000000000001"
        let reject = "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo\n"
        let out = "\(zeros) 00 \(zeros) 00 \(gateway) 00000400 00000001 00000000 00450003     eth0\n"
        let local = "fe800000000000000000000000000000 40 \(zeros) 00 \(zeros) 00000100 1 0 00000001     eth0\n"
        #expect(!NetworkConnectivity.hasDefault6(reject + local))
        #expect(NetworkConnectivity.hasDefault6(reject + out))
        #expect(!NetworkConnectivity.hasDefault6(""))
    }

    @Test(
        "If no routing table can be read, the state is unknown and counts as online; without IPv6, the IPv4 table decides"
    )
    func unreadableNetworkStateIsReported() throws {
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
        // The test process does not run in a sandbox.
        if case .unknown(let reason) = NetworkConnectivity.read() { Issue.record("\(reason)") }
    }

    @Test("An offline or unwatched network is polled")
    func offlineOrUnwatchedNetworkIsPolled() {
        #expect(NetworkConnectivity.online.pollInterval(isWatched: true) == nil)
        #expect(NetworkConnectivity.online.pollInterval(isWatched: false) == 30)
        #expect(NetworkConnectivity.offline.pollInterval(isWatched: true) == 30)
        #expect(NetworkConnectivity.offline.pollInterval(isWatched: false) == 30)
        #expect(NetworkConnectivity.unknown(reason: "").pollInterval(isWatched: false) == 30)
    }
}

@Suite("System changes", .ownThreads)
struct SystemChangeMonitorTests {
    @Test("If network changes are unavailable, the reason is reported and the timer still works")
    func unreadableNetworkStateIsReported() async throws {
        let monitor = try SystemChangeMonitor(openNetwork: {
            errno = EAFNOSUPPORT
            return -1
        })
        #expect(monitor.networkFailure?.number == EAFNOSUPPORT)
        let (changes, change) = AsyncStream.makeStream(of: SystemChangeMonitor.Change.self)
        monitor.listen { change.yield($0) }
        monitor.scheduleCheck(after: 0.001)
        for await change in changes {
            #expect(change == .time)
            break
        }
    }

    @Test("Network changes are available outside of a sandbox")
    func networkChangesAreAvailable() throws {
        #expect(try SystemChangeMonitor().networkFailure == nil)
    }
}
