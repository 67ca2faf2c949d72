/// Why a WebSocket is of no use any more, besides the failures of every connection (``FetchFailure``).
enum WebSocketError: Error, Hashable, Sendable {
    /// The server does not speak the protocol as RFC 6455 wants it; the words say where.
    case protocolViolation(String)
    /// A text is not UTF-8 (section 8.1).
    case notUTF8
    /// A message has more bytes than are taken.
    case tooLarge(limit: Int)
    /// The server answers the request to change the protocol with another status; seconds where it says when to come back.
    case refused(status: Int, retryAfter: String?)
    /// The answer to that request is none of the protocol.
    case handshake(String)
    /// The server has ended the conversation, with its code where it gives one (section 7.4).
    case closed(code: UInt16?)

    /// What is told to the server (section 7.4.1); `nil` where there is no conversation to end.
    var closeCode: UInt16? {
        switch self {
        case .protocolViolation: 1002
        case .notUTF8: 1007
        case .tooLarge: 1009
        case .refused, .handshake, .closed: nil
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    /// A sentence without a capital and a full stop.
    var description: String {
        switch self {
        case .protocolViolation(let place): "the server breaks the WebSocket protocol: \(place)"
        case .notUTF8: "the server sends a text that is not UTF-8"
        case .tooLarge(let limit): "the server sends a message of more than \(limit) bytes"
        case .refused(let status, _): "the server answers with status \(status) instead of opening a WebSocket"
        case .handshake(let reason): "the server opens no WebSocket: \(reason)"
        case .closed(let code?): "the server ended the conversation with code \(code)"
        case .closed(nil): "the server ended the conversation"
        }
    }
}
