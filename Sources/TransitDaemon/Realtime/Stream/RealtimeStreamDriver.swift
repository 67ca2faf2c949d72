internal import Glibc
internal import TransitFeeds
internal import TransitModel

/// Holds the conversation of one live connection, on a thread of its own, until it ends.
struct RealtimeStreamDriver: Sendable {
    /// Why a conversation has ended.
    enum End: Error, Hashable, Sendable {
        /// Nobody wants it any more.
        case stopped
        case failed(FetchFailure)
        case fault(WebSocketError)
        case gaveUp(RealtimeStreamError)
    }

    var source: any RealtimeStreamSource
    /// What the live data are wanted around; asked at the start and after each ``StreamSignal/ring()``.
    var places: @Sendable () -> [Coordinate]
    var caFile: String?
    /// Set when nobody wants it any more; rings the signal too.
    var flag: CancellationFlag
    var signal: StreamSignal
    /// Takes what is told, in its order.
    var apply: @Sendable (DecodedMessage) -> Void
    /// Seconds for the connection, and again for the server's answer to the handshake.
    var timeout = 10

    /// So much may wait to be sent to a server that does not read.
    private static let outputLimit = 1 << 20

    /// Blocks until the conversation has ended.
    func converse() -> End {
        do throws(End) {
            let address = try address()
            let connection: CurlConnection
            do throws(FetchFailure) {
                connection = try CurlConnection(address, caFile: caFile, seconds: timeout, flag: flag)
            } catch {
                throw flag.isSet ? End.stopped : End.failed(error)
            }
            var stream = StreamContext(
                session: WebSocketSession(address, limit: source.request.bodyLimit) {
                    UInt32.random(in: .min ... .max)
                },
                conversation: source.conversation(around: places()), deadline: Self.now() + Int64(timeout) * 1000)
            while true { try turn(&stream, connection) }
        } catch { return error }
    }

    /// `ws` is spoken as `http` is: protected, or to this machine.
    private func address() throws(End) -> WebURL {
        let url = source.request.url
        let text = url.hasPrefix("wss://") ? "https\(url.dropFirst(3))" : "http\(url.dropFirst(2))"
        guard url.hasPrefix("ws"), let address = WebURL(text), address.isAllowed else { throw .failed(.address) }
        return address
    }

    /// What belongs to one connection.
    private struct StreamContext {
        var session: WebSocketSession
        var conversation: any RealtimeStreamSession
        /// Until then the handshake has to be over.
        var deadline: Int64
    }

    /// Sends and takes what there is, and waits for more.
    private func turn(_ stream: inout StreamContext, _ connection: CurlConnection) throws(End) {
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
            try follow(stream.conversation.timerFired(now: now), &stream)
        } else if now >= stream.deadline {
            throw .failed(.timedOut(seconds: timeout))
        }
        try flush(&stream, connection)
        guard stream.session.output.count <= Self.outputLimit else {
            throw .fault(.protocolViolation("it does not read what it is sent"))
        }
        let wakeAt = stream.session.isOpen ? stream.conversation.wakeAt ?? .max : stream.deadline
        let pause = hasMore ? 0 : min(max(0, wakeAt - now), 3_600_000)
        if signal.wait(connection.descriptor, writes: !stream.session.output.isEmpty, milliseconds: Int32(pause)) {
            try follow(stream.conversation.follow(places(), now: now), &stream)
        }
    }

    /// Takes what has come; true when there may be more that no descriptor tells of, within libcurl's TLS.
    private func receive(_ stream: inout StreamContext, _ connection: CurlConnection) throws(End) -> Bool {
        for _ in 0..<64 {
            let bytes: ArraySlice<UInt8>?
            do throws(FetchFailure) { bytes = try connection.receive() } catch { throw .failed(error) }
            guard let bytes else { return false }
            guard !bytes.isEmpty else { throw .failed(.interrupted) }
            for event in stream.session.receive(bytes) {
                switch event {
                case .opened: try follow(stream.conversation.opened(now: Self.now()), &stream)
                case .text(let text): try follow(stream.conversation.received(text, now: Self.now()), &stream)
                case .pong: break
                }
            }
            if stream.session.ended != nil { return false }
        }
        return true
    }

    private func follow(_ steps: [RealtimeStreamAction], _ stream: inout StreamContext) throws(End) {
        for step in steps {
            switch step {
            case .send(let text): stream.session.send(text)
            case .apply(let message): apply(message)
            case .giveUp(let fault): throw .gaveUp(fault)
            }
        }
    }

    private func flush(_ stream: inout StreamContext, _ connection: CurlConnection) throws(End) {
        do throws(FetchFailure) {
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
    /// A sentence without a capital and a full stop.
    var description: String {
        switch self {
        case .stopped: "nobody wants it any more"
        case .failed(let failure): "\(failure)"
        case .fault(let fault): "\(fault)"
        case .gaveUp(let fault): "\(fault)"
        }
    }
}
