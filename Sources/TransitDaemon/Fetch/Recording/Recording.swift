internal import Glibc
internal import TransitControl
internal import TransitModel

/// A recording as it is read: its index in memory, its bodies in their files.
struct Recording: Sendable {
    enum Failure: Error, Hashable, CustomStringConvertible {
        case unreadable(folder: String, reason: String)
        case empty(folder: String)

        var description: String {
            switch self {
            case .unreadable(let folder, let reason): "The recording \(folder) cannot be read: \(reason)."
            case .empty(let folder): "The recording \(folder) has no exchanges."
            }
        }
    }

    /// The lines of the index.
    struct Index {
        var exchanges: [RecordedExchange] = []
        /// Lines that are none.
        var damaged = 0
        /// In bytes.
        var size: UInt64 = 0
        /// Whether the last line has its end.
        var isComplete = true
    }

    let folder: String
    /// Lines that could not be read.
    let damaged: Int
    /// By their URL, in the order of their time.
    private let exchanges: [String: [RecordedExchange]]

    /// A longer index is not read.
    private static let maximumIndex = 256 << 20

    init(_ folder: String) throws(Failure) {
        let index = try Self.readIndex(folder)
        guard !index.exchanges.isEmpty else { throw .empty(folder: folder) }
        self.folder = folder
        damaged = index.damaged
        exchanges = Dictionary(grouping: index.exchanges, by: \.url)
            .mapValues { $0.sorted { ($0.time, $0.number) < ($1.time, $1.number) } }
    }

    static func readIndex(_ folder: String) throws(Failure) -> Index {
        let bytes: [UInt8]
        switch FileContents.read("\(folder)/\(RecordingFolder.indexName)", limit: maximumIndex) {
        case .success(let contents): bytes = contents
        case .failure(let failure): throw .unreadable(folder: folder, reason: "\(failure)")
        }
        var index = Index()
        index.size = UInt64(bytes.count)
        index.isComplete = bytes.isEmpty || bytes.last == 0x0A
        for line in bytes.split(separator: 0x0A) {
            if let json = try? JSONValue(parsing: Array(line)), let exchange = RecordedExchange(json: json) {
                index.exchanges.append(exchange)
            } else {
                index.damaged += 1
            }
        }
        return index
    }

    /// The latest exchange of a URL that had begun at a moment, and the one whose body was then known to the client.
    ///
    /// - Returns: `nil` when there is none yet. `content` is `exchange` itself, or for an answer "not modified" the last
    ///   whole one before it; `nil` when that was not recorded.
    func latest(_ url: String, at moment: Instant) -> (exchange: RecordedExchange, content: RecordedExchange?)? {
        guard let past = exchanges[url]?.prefix(while: { $0.time <= moment }), let last = past.last else { return nil }
        guard last.answer == .notModified else { return (last, last) }
        return (last, past.last { $0.hasBody })
    }
}

extension RecordedExchange {
    fileprivate var hasBody: Bool { if case .fetched = answer { true } else { false } }
}
