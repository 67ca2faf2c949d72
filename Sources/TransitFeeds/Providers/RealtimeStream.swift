public import TransitModel

/// A connection over which an upstream pushes realtime data, such as a WebSocket.
///
/// The source provides the URL and the protocol of a connection. Its driver connects, transfers messages, provides the
/// time, and reconnects when the connection ends. The dataset is also polled: rarely while the connection reports the
/// changes near the places of interest, and at its usual interval while there is no connection.
public protocol RealtimeStreamSource: Sendable {
    /// The dataset that the stream updates.
    var kind: DatasetKind { get }
    /// `ws://…` or `wss://…`.
    var request: UpstreamRequest { get }
    /// Returns the session of a new connection.
    ///
    /// - Parameter places: The places around which realtime data is needed.
    func session(around places: [Coordinate]) -> any RealtimeStreamSession
}

/// The protocol of one connection. It is a plain value that makes decisions and neither waits nor accesses the network.
///
/// A session begins when its connection opens and ends with it. Each connection has its own session.
public protocol RealtimeStreamSession: Sendable {
    /// - Parameter now: Milliseconds of a monotonic clock.
    mutating func opened(now: Int64) -> [RealtimeStreamAction]
    /// Handles a text message from the upstream.
    mutating func received(_ text: [UInt8], now: Int64) -> [RealtimeStreamAction]
    /// Handles timeouts. Can be called at any time, and must be called at ``wakeAt``.
    mutating func timerFired(now: Int64) -> [RealtimeStreamAction]
    /// Replaces the places of interest.
    mutating func follow(_ places: [Coordinate], now: Int64) -> [RealtimeStreamAction]
    /// The time at which to call ``timerFired(now:)``; `nil` until the connection is open.
    var wakeAt: Int64? { get }
}

/// An action that a session requests from its driver.
public enum RealtimeStreamAction: Hashable, Sendable {
    /// Send this text.
    case send(String)
    /// Apply this differential message to the dataset.
    case apply(DecodedMessage)
    /// Close the connection for this reason and reconnect later.
    case giveUp(RealtimeStreamError)
}

/// The reason why a session closes its connection.
public enum RealtimeStreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing was received for this number of seconds, although a reply was due.
    case silent(seconds: Int)
    /// This number of consecutive messages could not be parsed.
    case unreadable(count: Int)

    public var description: String {
        switch self {
        case .silent(let seconds): "the upstream sent nothing for \(seconds) s"
        case .unreadable(let count): "\(count) consecutive messages could not be parsed"
        }
    }
}
