import Dispatch
import Foundation
import Synchronization
import Testing
import TransitFeeds
import TransitFetch
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

@Suite("Streaming connections over a WebSocket", .enabled(if: UpstreamServer.isAvailable), .ownThreads)
struct RealtimeStreamDriverTests {
    /// Collects messages and ends the connection after a given number of them.
    private final class Listener: Sendable {
        let flag = CancellationFlag()
        let signal: StreamWakeup
        private let messages = Mutex<[DecodedMessage]>([])
        private let enough: Int

        init(enough: Int) throws {
            self.enough = enough
            signal = try StreamWakeup()
            flag.onSet { [signal] in signal.ring() }
        }

        var all: [DecodedMessage] { messages.withLock { $0 } }

        func take(_ message: DecodedMessage) {
            let count = messages.withLock { messages in
                messages.append(message)
                return messages.count
            }
            if count >= enough { flag.set() }
        }
    }

    private func run(
        _ base: String, _ listener: Listener, caFile: String? = nil, timeout: Int = 60
    ) throws -> RealtimeStreamDriver.End {
        let source = try #require(WaBusProvider(ProviderOptions(base: base)).stream)
        let center = try #require(Coordinate(latitude: 52.2297, longitude: 21.0122))
        var driver = RealtimeStreamDriver(
            source: source, places: { [center] }, caFile: caFile, flag: listener.flag, signal: listener.signal,
            apply: { listener.take($0) })
        driver.timeout = timeout
        return driver.run()
    }

    @Test("a snapshot is followed by changes, with and without TLS", arguments: [UpstreamServer.Listener.plain, .good])
    func snapshotIsFollowedByChanges(listener kind: UpstreamServer.Listener) throws {
        let upstream = try UpstreamServer()
        let listener = try Listener(enough: 3)
        let end = try run(upstream.url("/wabus", kind), listener, caFile: upstream.caFile)
        #expect(end == .stopped)
        #expect(listener.all.first?.entities.map(\.id) == ["1:1000", "1:1001"])
        #expect(listener.all.allSatisfy { $0.header.incrementality == .differential && $0.header.timestamp != nil })
        let said = try upstream.log().map(\.target).filter { $0.contains("#") }
        #expect(said.first?.hasPrefix(#"/wabus/v1/ws#{"type":"subscribe","payload":{"tileIds":["14/"#) == true)
    }

    @Test("fragmented messages with pings between them are reassembled") func fragmentedMessagesAreReassembled() throws
    {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=fragmented&every=0.05")
        let listener = try Listener(enough: 4)
        #expect(try run(upstream.url("/wabus", .plain), listener) == .stopped)
        #expect(listener.all.first?.entities.count == 2)
        // The upstream reads the pong after the driver has sent it.
        #expect(try eventually { try upstream.log().contains { $0.target.hasSuffix("#pong between") } })
    }

    @Test("a close frame and a dropped connection are distinguished") func closeFrameDiffersFromDroppedConnection()
        throws
    {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=close&every=0.05")
        let listener = try Listener(enough: .max)
        #expect(try run(upstream.url("/wabus", .plain), listener) == .fault(.closed(code: 1001)))
        #expect(listener.all.count == 2)
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=drop&every=0.05")
        #expect(try run(upstream.url("/wabus", .plain), listener) == .failed(.interrupted))
    }

    @Test(
        "a protocol violation ends the connection with a close code",
        arguments: [
            ("huge", 1009), ("masked", 1002), ("reserved", 1002), ("utf8", 1007),
        ] as [(String, UInt16)])
    func protocolViolationEndsConnection(mode: String, code: UInt16) throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=\(mode)&every=0.05")
        let listener = try Listener(enough: .max)
        guard case .fault(let fault) = try run(upstream.url("/wabus", .plain), listener) else {
            Issue.record("no fault")
            return
        }
        #expect(fault.closeCode == code)
        // The message that precedes the violation was applied.
        #expect(listener.all.count == 1)
    }

    @Test("single invalid messages are ignored; five in a row end the connection")
    func singleInvalidMessagesAreIgnored() throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=garbage&every=0.02")
        let listener = try Listener(enough: 3)
        #expect(try run(upstream.url("/wabus", .plain), listener) == .stopped)
    }

    @Test("a failed handshake ends the connection", arguments: ["ws=accept", "fault=loading", "ws=silent"])
    func failedHandshakeEndsConnection(fault: String) throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?\(fault)")
        let listener = try Listener(enough: .max)
        let end = try run(upstream.url("/wabus", .plain), listener, timeout: fault == "ws=silent" ? 1 : 60)
        switch fault {
        case "fault=loading": #expect(end == .fault(.refused(status: 503, retryAfter: "30")))
        case "ws=silent": #expect(end == .failed(.timedOut(seconds: 1)))
        default: #expect(end == .fault(.handshake("Sec-WebSocket-Accept does not match the request")))
        }
    }

    @Test("an untrusted certificate, a closed port and a disallowed URL fail") func connectionFailureIsReported()
        throws
    {
        let upstream = try UpstreamServer()
        let listener = try Listener(enough: .max)
        guard case .failed(.tls) = try run(upstream.url("/wabus", .selfSigned), listener) else {
            Issue.record("the certificate was trusted")
            return
        }
        #expect(try run("http://127.0.0.1:1", listener) == .failed(.connect))
        #expect(try run("http://bus.example.org", listener) == .failed(.address))
    }
}
