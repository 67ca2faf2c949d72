import Dispatch
import Foundation
import Synchronization
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

@Suite("Live connections over a WebSocket", .enabled(if: UpstreamServer.isAvailable))
struct RealtimeStreamDriverTests {
    /// Takes what is told, and ends the conversation when there is enough.
    private final class Listener: Sendable {
        let flag = CancellationFlag()
        let signal: StreamSignal
        private let messages = Mutex<[DecodedMessage]>([])
        private let enough: Int

        init(enough: Int) throws {
            self.enough = enough
            signal = try StreamSignal()
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

    private func converse(
        _ base: String, _ listener: Listener, caFile: String? = nil, timeout: Int = 5
    ) throws -> RealtimeStreamDriver.End {
        let source = try #require(WaBusProvider(ProviderOptions(base: base)).stream)
        let center = try #require(Coordinate(latitude: 52.2297, longitude: 21.0122))
        var driver = RealtimeStreamDriver(
            source: source, places: { [center] }, caFile: caFile, flag: listener.flag, signal: listener.signal,
            apply: { listener.take($0) })
        driver.timeout = timeout
        return driver.converse()
    }

    @Test("a snapshot and then what changes, over TLS as without", arguments: [UpstreamServer.Listener.plain, .good])
    func telling(listener kind: UpstreamServer.Listener) throws {
        let upstream = try UpstreamServer()
        let listener = try Listener(enough: 3)
        let end = try converse(upstream.url("/wabus", kind), listener, caFile: upstream.caFile)
        #expect(end == .stopped)
        #expect(listener.all.first?.entities.map(\.id) == ["1:1000", "1:1001"])
        #expect(listener.all.allSatisfy { $0.header.incrementality == .differential && $0.header.timestamp != nil })
        let said = try upstream.log().map(\.target).filter { $0.contains("#") }
        #expect(said.first?.hasPrefix(#"/wabus/v1/ws#{"type":"subscribe","payload":{"tileIds":["14/"#) == true)
    }

    @Test("messages in fragments with pings between them are the same") func fragments() throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=fragmented&every=0.05")
        let listener = try Listener(enough: 4)
        #expect(try converse(upstream.url("/wabus", .plain), listener) == .stopped)
        #expect(listener.all.first?.entities.count == 2)
        #expect(try upstream.log().contains { $0.target.hasSuffix("#pong between") })
    }

    @Test("the server's goodbye and its silent end are told apart") func ends() throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=close&every=0.05")
        let listener = try Listener(enough: .max)
        #expect(try converse(upstream.url("/wabus", .plain), listener) == .fault(.closed(code: 1001)))
        #expect(listener.all.count == 2)
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=drop&every=0.05")
        #expect(try converse(upstream.url("/wabus", .plain), listener) == .failed(.interrupted))
    }

    @Test(
        "what a server must not send ends it, and the server is told why",
        arguments: [
            ("huge", 1009), ("masked", 1002), ("reserved", 1002), ("utf8", 1007),
        ] as [(String, UInt16)])
    func broken(mode: String, code: UInt16) throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=\(mode)&every=0.05")
        let listener = try Listener(enough: .max)
        guard case .fault(let fault) = try converse(upstream.url("/wabus", .plain), listener) else {
            Issue.record("no fault")
            return
        }
        #expect(fault.closeCode == code)
        // What came before was taken.
        #expect(listener.all.count == 1)
    }

    @Test("five messages in a row that make no sense are too many; single ones are passed over") func garbage() throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?ws=garbage&every=0.02")
        let listener = try Listener(enough: 3)
        #expect(try converse(upstream.url("/wabus", .plain), listener) == .stopped)
    }

    @Test("a server that does not open the conversation", arguments: ["ws=accept", "fault=loading", "ws=silent"])
    func refused(fault: String) throws {
        let upstream = try UpstreamServer()
        try upstream.answer("/wabus/v1/ws", with: "/wabus/v1/ws?\(fault)")
        let listener = try Listener(enough: .max)
        let end = try converse(upstream.url("/wabus", .plain), listener, timeout: 1)
        switch fault {
        case "fault=loading": #expect(end == .fault(.refused(status: 503, retryAfter: "30")))
        case "ws=silent": #expect(end == .failed(.timedOut(seconds: 1)))
        default: #expect(end == .fault(.handshake("Sec-WebSocket-Accept does not match the request")))
        }
    }

    @Test("a certificate that is not trusted, nobody there, and an address that may not be asked") func unreachable()
        throws
    {
        let upstream = try UpstreamServer()
        let listener = try Listener(enough: .max)
        guard case .failed(.tls) = try converse(upstream.url("/wabus", .selfSigned), listener) else {
            Issue.record("the certificate was trusted")
            return
        }
        #expect(try converse("http://127.0.0.1:1", listener) == .failed(.connect))
        #expect(try converse("http://bus.example.org", listener) == .failed(.address))
    }
}
