internal import CLinux
internal import Glibc
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitSystem

/// Runs one streaming connection on a dedicated thread until the connection ends.
struct RealtimeStreamDriver: Sendable {
    /// The reason why a connection ended.
    enum End: Error, Hashable, Sendable {
        /// The connection is no longer needed.
        case stopped
        case failed(TransportFailure)
        case fault(WebSocketError)
        case gaveUp(RealtimeStreamError)
    }

    var source: any RealtimeStreamSource
    /// Returns the positions around which realtime data is needed. Called at the start and after each
    /// ``StreamWakeup/ring()``.
    var places: @Sendable () -> [Coordinate]
    var caFile: String?
    /// Set when the connection is no longer needed. Setting it also rings the signal.
    var flag: CancellationFlag
    var signal: StreamWakeup
    /// Applies the received messages in order.
    var apply: @Sendable (DecodedMessage) -> Void
    /// The timeout in seconds, which applies separately to the connection and to the handshake.
    var timeout = 10

    /// The maximum number of unsent bytes when the server does not read.
    private static let outputLimit = 1 << 20

    /// Runs the connection until it ends. Blocks.
    func run() -> End {
        do throws(End) {
            let address = try address()
            let connection: CurlConnection
            do throws(TransportFailure) {
                connection = try CurlConnection(address, caFile: caFile, seconds: timeout, flag: flag)
            } catch {
                throw flag.isSet ? End.stopped : End.failed(error)
            }
            var stream = StreamContext(
                session: WebSocketSession(address, limit: source.request.bodyLimit) {
                    UInt32.random(in: .min ... .max)
                },
                conversation: source.session(around: places()), deadline: Self.now() + Int64(timeout) * 1000)
            while true { try runOnce(&stream, connection) }
        } catch { return error }
    }

    /// Returns the URL with an HTTP scheme. As with HTTP, only TLS and connections to this machine are allowed.
    private func address() throws(End) -> WebURL {
        let url = source.request.url
        let text = url.hasPrefix("wss://") ? "https\(url.dropFirst(3))" : "http\(url.dropFirst(2))"
        guard url.hasPrefix("ws"), let address = WebURL(text), address.isAllowed else { throw .failed(.address) }
        return address
    }

    /// The state of one connection.
    private struct StreamContext {
        var session: WebSocketSession
        var conversation: any RealtimeStreamSession
        /// The time by which the handshake must be complete.
        var deadline: Int64
    }

    /// Sends pending data, receives available data, and waits for more.
    private func runOnce(_ stream: inout StreamContext, _ connection: CurlConnection) throws(End) {
        if flag.isSet {
            stream.session.close(1001)
            try? flush(&stream, connection)
            throw .stopped
        }
        let hasMore = try receive(&stream, connection)
        if let fault = stream.session.ended {
            try? flush(&stream, connection)
            throw .fault(fault)
        }
        let now = Self.now()
        if stream.session.isOpen {
            try perform(stream.conversation.timerFired(now: now), &stream)
        } else if now >= stream.deadline {
            throw .failed(.timedOut(seconds: timeout))
        }
        try flush(&stream, connection)
        guard stream.session.output.count <= Self.outputLimit else {
            throw .fault(.protocolViolation("it does not read the messages sent to it"))
        }
        let wakeAt = stream.session.isOpen ? stream.conversation.wakeAt ?? .max : stream.deadline
        let pause = hasMore ? 0 : min(max(0, wakeAt - now), 3_600_000)
        if signal.wait(connection.descriptor, writes: !stream.session.output.isEmpty, milliseconds: Int32(pause)) {
            try perform(stream.conversation.follow(places(), now: now), &stream)
        }
    }

    /// Receives available data. Returns true if libcurl's TLS layer may have buffered data that the descriptor does not
    /// signal.
    private func receive(_ stream: inout StreamContext, _ connection: CurlConnection) throws(End) -> Bool {
        for _ in 0..<64 {
            let bytes: ArraySlice<UInt8>?
            do throws(TransportFailure) { bytes = try connection.receive() } catch { throw .failed(error) }
            guard let bytes else { return false }
            guard !bytes.isEmpty else { throw .failed(.interrupted) }
            for event in stream.session.receive(bytes) {
                switch event {
                case .opened: try perform(stream.conversation.opened(now: Self.now()), &stream)
                case .text(let text): try perform(stream.conversation.received(text, now: Self.now()), &stream)
                case .pong: break
                }
            }
            if stream.session.ended != nil { return false }
        }
        return true
    }

    private func perform(_ actions: [RealtimeStreamAction], _ stream: inout StreamContext) throws(End) {
        for action in actions {
            switch action {
            case .send(let text): stream.session.send(text)
            case .apply(let message): apply(message)
            case .giveUp(let fault): throw .gaveUp(fault)
            }
        }
    }

    private func flush(_ stream: inout StreamContext, _ connection: CurlConnection) throws(End) {
        do throws(TransportFailure) {
            while !stream.session.output.isEmpty {
                let sent = try connection.send(stream.session.output)
                guard sent > 0 else { return }
                stream.session.sent(sent)
            }
        } catch { throw .failed(error) }
    }

    private static func now() -> Int64 { MonotonicInstant.read().nanoseconds / 1_000_000 }
}

extension RealtimeStreamDriver.End: CustomStringConvertible {
    /// A clause without a capital letter or a final period.
    var description: String {
        switch self {
        case .stopped: "it is no longer needed"
        case .failed(let failure): "\(failure)"
        case .fault(let fault): "\(fault)"
        case .gaveUp(let fault): "\(fault)"
        }
    }
}

/// Wakes a thread that is waiting for its connection.
final class StreamWakeup: Sendable {
    private let event: Descriptor

    /// - Throws: An error if no file descriptor is available.
    init() throws(SystemFailure) { event = try Descriptor(opening: "eventfd", linux_event_create()) }

    /// Wakes the thread. Can be called on any thread.
    func ring() {
        var one: UInt64 = 1
        _ = write(event.number, &one, 8)
    }

    /// Waits until the connection is ready, the signal is rung, or the timeout expires.
    ///
    /// - Returns: Whether the signal was rung.
    func wait(_ connection: Int32, writes: Bool, milliseconds: Int32) -> Bool {
        let events = Int16(POLLIN) | (writes ? Int16(POLLOUT) : 0)
        // poll(2) ignores a negative descriptor.
        var descriptors = [
            pollfd(fd: event.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection, events: events, revents: 0),
        ]
        guard poll(&descriptors, 2, milliseconds) > 0, descriptors[0].revents != 0 else { return false }
        linux_drain(event.number)
        return true
    }
}
