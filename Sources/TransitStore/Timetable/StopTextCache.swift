internal import Synchronization
internal import TransitModel

/// The searched texts of all stops of a timetable file, in memory. The first search by name adds them, and later searches
/// neither read the file nor fold a name again.
///
/// The texts of a network with many stops would take much memory, so they are not kept; each search reads them.
final class StopTextCache: Sendable {
    private enum State {
        case unread
        case kept(StopTextTable)
        case tooLarge
    }

    private let limit: Int
    private let state = Mutex(State.unread)

    init(limit: Int) { self.limit = limit }

    /// The texts, if a search has kept them.
    var kept: StopTextTable? {
        guard case .kept(let table) = state.withLock({ $0 }) else { return nil }
        return table
    }

    /// Returns the texts, and keeps them; `nil` if there are too many.
    ///
    /// - Parameter read: Reads the texts of all stops for the first search. Searches that begin during the first one also
    ///   read them, rather than hold a lock.
    func table(
        reading read: (inout StopTextTable) throws(StoreError) -> Void
    ) throws(StoreError) -> StopTextTable? {
        switch state.withLock({ $0 }) {
        case .kept(let table): return table
        case .tooLarge: return nil
        case .unread: break
        }
        var table = StopTextTable(limit: limit)
        try read(&table)
        table.trim()
        let result = table.isComplete ? table : nil
        state.withLock { $0 = result.map { .kept($0) } ?? .tooLarge }
        return result
    }
}

/// The searched texts of stops, one after the other.
struct StopTextTable: Sendable {
    /// The rows, each a ``Header`` and then the folded name, the code, the identifier and the platform in UTF-8.
    private var bytes: [UInt8] = []
    private let limit: Int
    private var count = 0
    /// False after a row for which there was no room, or a missing one.
    private(set) var isComplete = true

    /// The numbers at the beginning of a row.
    private struct Header {
        var parent: UInt32
        var name: UInt16
        var code: UInt16
        var id: UInt16
        var platform: UInt16
        var kind: UInt8
        var isKept: Bool

        /// The value of ``parent``, ``code`` and ``platform`` for none.
        static let noParent = UInt32.max
        static let noText = UInt16.max

        var textSize: Int { Int(name) + Self.size(code) + Int(id) + Self.size(platform) }

        static func size(_ text: UInt16) -> Int { text == noText ? 0 : Int(text) }
    }

    /// - Parameter limit: The maximum size of the rows in bytes.
    init(limit: Int) { self.limit = limit }

    /// Appends the texts of the next stop.
    mutating func append(_ row: TimetableFile.StopRow) {
        guard isComplete else { return }
        guard row.index.position == count else { return discard() }
        count += 1
        let texts = row.texts
        guard let name = Self.size(texts.foldedName), let code = Self.size(texts.code), let id = Self.size(texts.id),
            let platform = Self.size(row.platform)
        else { return discard() }
        let header = Header(
            parent: row.parent?.rawValue ?? Header.noParent, name: name, code: code, id: id, platform: platform,
            kind: texts.kind.rawValue, isKept: row.isKept)
        guard bytes.count + MemoryLayout<Header>.size + header.textSize <= limit else { return discard() }
        withUnsafeBytes(of: header) { bytes.append(contentsOf: $0) }
        for text in [texts.foldedName, texts.code, texts.id, row.platform] {
            if let text { bytes.append(contentsOf: text) }
        }
    }

    private mutating func discard() {
        bytes = []
        isComplete = false
    }

    /// Releases the memory that was reserved for further rows.
    mutating func trim() { bytes = bytes.withUnsafeBufferPointer { Array($0) } }

    /// Returns `nil` for a text that is too long for a row.
    private static func size(_ text: UnsafeBufferPointer<UInt8>?) -> UInt16? {
        guard let text else { return Header.noText }
        return text.count < Int(Header.noText) ? UInt16(text.count) : nil
    }

    /// Calls `body` for all stops, in index order.
    func passAll(_ body: (TimetableFile.StopRow) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var position = 0
            func text(_ size: UInt16) -> UnsafeBufferPointer<UInt8>? {
                if size == Header.noText { return nil }
                let text = UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(size)])
                position += Int(size)
                return text.assumingMemoryBound(to: UInt8.self)
            }
            var index = 0
            while position < bytes.count {
                let header = bytes.loadUnaligned(fromByteOffset: position, as: Header.self)
                position += MemoryLayout<Header>.size
                let (name, code, id, platform) = (
                    text(header.name), text(header.code), text(header.id), text(header.platform)
                )
                guard let name, let id, let kind = Stop.Kind(rawValue: header.kind) else { return }
                body(
                    TimetableFile.StopRow(
                        index: StopIndex(index),
                        texts: TimetableFile.StopTexts(foldedName: name, code: code, id: id, kind: kind),
                        platform: platform,
                        parent: header.parent == Header.noParent ? nil : StopIndex(Int(header.parent)),
                        isKept: header.isKept))
                index += 1
            }
        }
    }
}
