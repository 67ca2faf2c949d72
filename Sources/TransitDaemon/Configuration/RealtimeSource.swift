internal import TransitModel

/// Where a live dataset of a feed is.
public enum RealtimeSource: Hashable, Sendable {
    /// `https`, or `http` to a loopback address.
    case remote(url: String)
    /// An absolute path of a file that somebody else writes anew from time to time.
    case file(path: String)
    /// The embedded demo city.
    case demo
}

extension RealtimeSource: CustomStringConvertible {
    /// For logs and replies: without the query, which may hold a key.
    public var description: String { "\(asStatic)" }

    private var asStatic: StaticSource {
        switch self {
        case .remote(let url): .remote(url: url)
        case .file(let path): .file(path: path)
        case .demo: .demo
        }
    }
}

extension RealtimeSource {
    /// Every live dataset of the demo city.
    static let demoCity: [DatasetKind: RealtimeSource] = Dictionary(
        uniqueKeysWithValues: DatasetKind.allCases.filter(\.isLive).map { ($0, .demo) })
}
