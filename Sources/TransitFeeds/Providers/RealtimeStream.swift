public import TransitModel

/// A connection over which an upstream tells live data by itself, as WebSockets do.
///
/// The source says where to connect and what a connection's conversation is; whoever drives it connects, carries texts to and
/// fro, tells the time and tries again when it ends. The dataset is asked for as any other too: seldom while the connection
/// tells what changes near the places of interest, at its usual pace while the connection cannot be had.
public protocol RealtimeStreamSource: Sendable {
    /// The dataset that it tells.
    var kind: DatasetKind { get }
    /// `ws://…` or `wss://…`.
    var request: UpstreamRequest { get }
    /// The conversation of one new connection.
    ///
    /// - Parameter places: what the live data are wanted around.
    func conversation(around places: [Coordinate]) -> any RealtimeStreamSession
}

/// What is said over one connection: a plain value that decides, and neither waits nor knows the network.
///
/// It begins when the connection is open, and ends with it; the next connection has a new one.
public protocol RealtimeStreamSession: Sendable {
    /// - Parameter now: milliseconds of a clock that never goes back.
    mutating func opened(now: Int64) -> [RealtimeStreamAction]
    /// A text of the upstream.
    mutating func received(_ text: [UInt8], now: Int64) -> [RealtimeStreamAction]
    /// ``wakeAt`` has come, or any other time.
    mutating func timerFired(now: Int64) -> [RealtimeStreamAction]
    /// Other places are of interest from now on.
    mutating func follow(_ places: [Coordinate], now: Int64) -> [RealtimeStreamAction]
    /// When to wake it; `nil` before it was opened.
    var wakeAt: Int64? { get }
}

/// What is to be done next.
public enum RealtimeStreamAction: Hashable, Sendable {
    /// Send this text.
    case send(String)
    /// Use this differential message: a change of what is known of the dataset.
    case apply(DecodedMessage)
    /// The connection is of no use any more, for this reason: end it and try again later.
    case giveUp(RealtimeStreamError)
}

/// Why a conversation gives up.
public enum RealtimeStreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing came for so many seconds, though it was asked for.
    case silent(seconds: Int)
    /// So many texts in a row made no sense.
    case unreadable(count: Int)

    public var description: String {
        switch self {
        case .silent(let seconds): "the upstream has told nothing for \(seconds) s"
        case .unreadable(let count): "\(count) messages in a row could not be read"
        }
    }
}
