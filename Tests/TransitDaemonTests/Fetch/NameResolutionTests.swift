import Foundation
import Synchronization
import Testing
import TransitFetch
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Tests that a machine with a network route but without name resolution is recognized.
@Suite(.ownThreads) struct NameResolutionTests {
    /// Answers every request with the outcome of its host.
    private final class Upstreams: Transport {
        let outcomes = Mutex<[String: FetchResult.Outcome]>([:])

        func start(
            _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
        ) {
            let host = WebURL(request.url)?.host ?? ""
            let outcome = outcomes.withLock { $0[host] } ?? .failed(.dns)
            if case .failed(let failure) = outcome { return completion(FetchResult(failure: failure)) }
            completion(FetchResult(outcome: outcome))
        }
    }

    private let upstreams = Upstreams()
    private let clock = ManualClock("2026-11-23T08:00:00Z")
    private let monitor: NameResolutionMonitor

    init() { monitor = NameResolutionMonitor(upstreams, clock: clock) }

    private func fetch(_ host: String) async { _ = await monitor.fetch(FetchRequest(url: "https://\(host)/feed")) }

    private func answer(_ host: String, _ outcome: FetchResult.Outcome) {
        upstreams.outcomes.withLock { $0[host] = outcome }
    }

    @Test func failingNamesAreReportedUntilOneResolves() async {
        #expect(!monitor.current.isFailing)
        let start = clock.now()
        await fetch("api.example.org")
        clock.advance(by: 60)
        await fetch("other.example.org")
        #expect(monitor.current.failingSince == start)
        #expect(monitor.current.hosts == ["api.example.org", "other.example.org"])
        #expect(monitor.current.sentence.contains("no host name can be resolved: api.example.org, other.example.org."))
        // A host that refuses connections has a name that resolves.
        answer("api.example.org", .failed(.connect))
        await fetch("api.example.org")
        #expect(monitor.current == NameResolution())
    }

    @Test func misspelledNameAmongWorkingOnesIsNotAFailureOfTheResolver() async {
        answer("api.example.org", .http(status: 304, retryAfter: nil))
        await fetch("api.example.org")
        await fetch("apj.example.org")
        #expect(!monitor.current.isFailing)
        // A name that resolved before is no misspelling.
        answer("api.example.org", .failed(.dns))
        await fetch("api.example.org")
        #expect(monitor.current.hosts == ["api.example.org"])
    }

    @Test(arguments: ["127.0.0.1", "[::1]", "192.0.2.7", "localhost"])
    func addressNeedsNoNameServer(host: String) async {
        await fetch(host)
        #expect(!monitor.current.isFailing)
    }

    @Test(
        arguments: [
            (nil, "Create "), ("search example.org\n", "Add a name server to "),
            ("nameserver 127.0.0.53\noptions edns0\n", "sudo systemctl restart systemd-resolved"),
            ("# home\nnameserver 192.0.2.1\nnameserver 192.0.2.2\n", "192.0.2.1, 192.0.2.2"),
        ] as [(String?, String)])
    func remedyFollowsTheResolversFile(contents: String?, remedy: String) throws {
        let folder = try TestFolder()
        if let contents { try contents.write(toFile: folder("resolv.conf"), atomically: true, encoding: .utf8) }
        let text = NameServers.remedy(path: folder("resolv.conf"))
        #expect(text.contains(remedy) && text.hasSuffix("`transitctl refresh`."), "\(text)")
    }
}
