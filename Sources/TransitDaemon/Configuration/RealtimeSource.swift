internal import TransitModel

/// Where a live dataset of a feed is.
public enum RealtimeSource: Hashable, Sendable {
    /// `https`, or `http` to a loopback address.
    case remote(url: String)
    /// An absolute path of a file that somebody else writes anew from time to time.
    case file(path: String)
}

extension RealtimeSource: CustomStringConvertible {
    /// For logs and replies: without the query, which may hold a key.
    public var description: String { "\(asStatic)" }

    private var asStatic: StaticSource {
        switch self {
        case .remote(let url): .remote(url: url)
        case .file(let path): .file(path: path)
        }
    }
}
