internal import Glibc
internal import TransitModel
internal import TransitSystem
internal import TransitWire

/// A recording opened for reading. Keeps its index in memory and leaves bodies in their files.
package struct Recording: Sendable {
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case unreadable(folder: String, reason: String)
        case empty(folder: String)

        package var description: String {
            switch self {
            case .unreadable(let folder, let reason): "The recording \(folder) cannot be read: \(reason)."
            case .empty(let folder): "The recording \(folder) has no exchanges."
            }
        }
    }

    /// The parsed lines of the index.
    struct Index {
        var exchanges: [RecordedExchange] = []
        /// Number of lines that could not be parsed.
        var damaged = 0
        /// The size of the index in bytes.
        var size: UInt64 = 0
        /// Whether the last line ends with a line break.
        var isComplete = true
    }

    let folder: String
    /// Number of lines in the index that could not be parsed.
    package let damaged: Int
    /// The exchanges for each request in chronological order.
    private let exchanges: [RecordedRequest: [RecordedExchange]]

    /// Maximum size of the index in bytes.
    private static let maximumIndex = 256 << 20

    package init(_ folder: String) throws(Failure) {
        let index = try Self.readIndex(folder)
        guard !index.exchanges.isEmpty else { throw .empty(folder: folder) }
        self.folder = folder
        damaged = index.damaged
        exchanges = Dictionary(grouping: index.exchanges, by: \.key)
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

    /// Returns the latest exchange for a request that started at or before a moment, and the exchange with the body that
    /// the client had at that time.
    ///
    /// - Returns: `nil` if there is no exchange. `content` is `exchange` itself or, if that is "not modified", the last
    ///   earlier exchange with a body; `nil` if no such exchange was recorded.
    func latest(_ request: RecordedRequest, at moment: Instant) -> (
        exchange: RecordedExchange, content: RecordedExchange?
    )? {
        guard let past = exchanges[request]?.prefix(while: { $0.time <= moment }), let last = past.last else {
            return nil
        }
        guard last.outcome == .notModified else { return (last, last) }
        return (last, past.last { $0.hasBody })
    }
}

extension RecordedExchange {
    fileprivate var hasBody: Bool { if case .fetched = outcome { true } else { false } }
}
