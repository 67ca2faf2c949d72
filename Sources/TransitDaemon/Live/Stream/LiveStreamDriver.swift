internal import Glibc
internal import TransitFeeds
internal import TransitModel

/// Holds the conversation of one live connection, on a thread of its own, until it ends.
struct LiveStreamDriver: Sendable {
    /// Why a conversation has ended.
    enum End: Error, Hashable, Sendable {
        /// Nobody wants it any more.
        case stopped
        case failed(FetchFailure)
        case fault(WebSocketFault)
        case gaveUp(LiveStreamFault)
    }

    var source: any LiveStreamSource
    /// What the live data are wanted around; asked at the start and after each ``StreamSignal/ring()``.
    var places: @Sendable () -> [Coordinate]
    var caFile: String?
    /// Set when nobody wants it any more; rings the signal too.
    var flag: CancellationFlag
    var signal: StreamSignal
    /// Takes what is told, in its order.
    var apply: @Sendable (DecodedMessage) -> Void
    /// Seconds for the connection, and again for the server's answer to the handshake.
    var patience = 10

    /// So much may wait to be sent to a server that does not read.
    private static let outputLimit = 1 << 20

    /// Blocks until the conversation has ended.
    func converse() -> End {
        do throws(End) {
            let address = try address()
            let connection: CurlConnection
            do throws(FetchFailure) {
                connection = try CurlConnection(address, caFile: caFile, seconds: patience, flag: flag)
            } catch {
                throw flag.isSet ? End.stopped : End.failed(error)
            }
            var talk = Talk(
                session: WebSocketSession(address, limit: source.request.bodyLimit) {
                    UInt32.random(in: .min ... .max)
                },
                conversation: source.conversation(around: places()), deadline: Self.now() + Int64(patience) * 1000)
            while true { try turn(&talk, connection) }
        } catch { return error }
    }

    /// `ws` is spoken as `http` is: protected, or to this machine.
    private func address() throws(End) -> WebAddress {
        let url = source.request.url
        let text = url.hasPrefix("wss://") ? "https\(url.dropFirst(3))" : "http\(url.dropFirst(2))"
        guard url.hasPrefix("ws"), let address = WebAddress(text), address.isAllowed else { throw .failed(.address) }
        return address
    }

    /// What belongs to one connection.
    private struct Talk {
        var session: WebSocketSession
        var conversation: any LiveConversation
        /// Until then the handshake has to be over.
        var deadline: Int64
    }

    /// Sends and takes what there is, and waits for more.
    private func turn(_ talk: inout Talk, _ connection: CurlConnection) throws(End) {
        if flag.isSet {
            talk.session.close(1001)
            try? flush(&talk, connection)
            throw .stopped
        }
        let hasMore = try receive(&talk, connection)
        if let fault = talk.session.ended {
            try? flush(&talk, connection)
            throw .fault(fault)
        }
        let now = Self.now()
        if talk.session.isOpen {
            try follow(talk.conversation.woke(now: now), &talk)
        } else if now >= talk.deadline {
            throw .failed(.timedOut(seconds: patience))
        }
        try flush(&talk, connection)
        guard talk.session.output.count <= Self.outputLimit else {
            throw .fault(.protocolBroken("it does not read what it is sent"))
        }
        let wakeAt = talk.session.isOpen ? talk.conversation.wakeAt ?? .max : talk.deadline
        let pause = hasMore ? 0 : min(max(0, wakeAt - now), 3_600_000)
        if signal.wait(connection.descriptor, writes: !talk.session.output.isEmpty, milliseconds: Int32(pause)) {
            try follow(talk.conversation.follow(places(), now: now), &talk)
        }
    }

    /// Takes what has come; true when there may be more that no descriptor tells of, within libcurl's TLS.
    private func receive(_ talk: inout Talk, _ connection: CurlConnection) throws(End) -> Bool {
        for _ in 0..<64 {
            let bytes: ArraySlice<UInt8>?
            do throws(FetchFailure) { bytes = try connection.receive() } catch { throw .failed(error) }
            guard let bytes else { return false }
            guard !bytes.isEmpty else { throw .failed(.interrupted) }
            for event in talk.session.receive(bytes) {
                switch event {
                case .opened: try follow(talk.conversation.opened(now: Self.now()), &talk)
                case .text(let text): try follow(talk.conversation.received(text, now: Self.now()), &talk)
                case .pong: break
                }
            }
            if talk.session.ended != nil { return false }
        }
        return true
    }

    private func follow(_ steps: [LiveStreamStep], _ talk: inout Talk) throws(End) {
        for step in steps {
            switch step {
            case .send(let text): talk.session.send(text)
            case .apply(let message): apply(message)
            case .giveUp(let fault): throw .gaveUp(fault)
            }
        }
    }

    private func flush(_ talk: inout Talk, _ connection: CurlConnection) throws(End) {
        do throws(FetchFailure) {
            while !talk.session.output.isEmpty {
                let sent = try connection.send(talk.session.output)
                guard sent > 0 else { return }
                talk.session.sent(sent)
            }
        } catch { throw .failed(error) }
    }

    private static func now() -> Int64 { Moment.read().nanoseconds / 1_000_000 }
}

extension LiveStreamDriver.End: CustomStringConvertible {
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
