internal import TransitModel

/// The source of a realtime dataset of a feed.
public enum RealtimeSource: Hashable, Sendable {
    /// `https`, or `http` to a loopback address.
    case remote(url: String)
    /// The absolute path of a file that another program rewrites from time to time.
    case file(path: String)
}

extension RealtimeSource: CustomStringConvertible {
    /// Text for logs and replies. Omits the query, which may contain a key.
    public var description: String { "\(staticSource)" }

    private var staticSource: StaticSource {
        switch self {
        case .remote(let url): .remote(url: url)
        case .file(let path): .file(path: path)
        }
    }
}
