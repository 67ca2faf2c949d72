public import TransitModel

/// A connection over which an upstream tells live data by itself, as WebSockets do.
///
/// The source says where to connect and what a connection's conversation is; whoever drives it connects, carries texts to and
/// fro, tells the time and tries again when it ends. The dataset is asked for as any other too: seldom while the connection
/// tells what changes near the places of interest, at its usual pace while the connection cannot be had.
public protocol LiveStreamSource: Sendable {
    /// The dataset that it tells.
    var kind: DatasetKind { get }
    /// `ws://…` or `wss://…`.
    var request: UpstreamRequest { get }
    /// The conversation of one new connection.
    ///
    /// - Parameter places: what the live data are wanted around.
    func conversation(around places: [Coordinate]) -> any LiveConversation
}

/// What is said over one connection: a plain value that decides, and neither waits nor knows the network.
///
/// It begins when the connection is open, and ends with it; the next connection has a new one.
public protocol LiveConversation: Sendable {
    /// - Parameter now: milliseconds of a clock that never goes back.
    mutating func opened(now: Int64) -> [LiveStreamStep]
    /// A text of the upstream.
    mutating func received(_ text: [UInt8], now: Int64) -> [LiveStreamStep]
    /// ``wakeAt`` has come, or any other time.
    mutating func woke(now: Int64) -> [LiveStreamStep]
    /// Other places are of interest from now on.
    mutating func follow(_ places: [Coordinate], now: Int64) -> [LiveStreamStep]
    /// When to wake it; `nil` before it was opened.
    var wakeAt: Int64? { get }
}

/// What is to be done next.
public enum LiveStreamStep: Hashable, Sendable {
    /// Send this text.
    case send(String)
    /// Use this differential message: a change of what is known of the dataset.
    case apply(DecodedMessage)
    /// The connection is of no use any more, for this reason: end it and try again later.
    case giveUp(LiveStreamFault)
}

/// Why a conversation gives up.
public enum LiveStreamFault: Error, Hashable, Sendable, CustomStringConvertible {
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
