/// The reason why a WebSocket ended, other than a general connection failure (``TransportFailure``).
enum WebSocketError: Error, Hashable, Sendable {
    /// The server violated RFC 6455. The value describes the violation.
    case protocolViolation(String)
    /// A text message is not UTF-8 (section 8.1).
    case notUTF8
    /// A message exceeds the limit in bytes.
    case tooLarge(limit: Int)
    /// The server responded to the upgrade request with a status other than 101. `retryAfter` is the raw value of the
    /// header.
    case refused(status: Int, retryAfter: String?)
    /// The response to the upgrade request is invalid.
    case handshake(String)
    /// The server closed the WebSocket; the code is `nil` if it sent none (section 7.4).
    case closed(code: UInt16?)

    /// The close code to send to the server (section 7.4.1); `nil` if there is no open WebSocket.
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
    /// Begins with a lowercase letter and has no final period.
    var description: String {
        switch self {
        case .protocolViolation(let place): "the server violates the WebSocket protocol: \(place)"
        case .notUTF8: "the server sent a text message that is not UTF-8"
        case .tooLarge(let limit): "the server sent a message of more than \(limit) bytes"
        case .refused(let status, _): "the server responded with status \(status) instead of opening a WebSocket"
        case .handshake(let reason): "the WebSocket handshake failed: \(reason)"
        case .closed(let code?): "the server closed the WebSocket with code \(code)"
        case .closed(nil): "the server closed the WebSocket"
        }
    }
}
