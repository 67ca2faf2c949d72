internal import Synchronization
internal import TransitModel
internal import TransitStore

/// The corrupt files found since the daemon started, for `status`. Repaired files are listed too, so that users
/// notice them.
final class CorruptFileLog: Sendable {
    /// The result of handling a corrupt file.
    enum Remedy: Hashable, Sendable {
        /// The file is rebuilt from the remaining data or from the source's next response.
        case rebuilt
        /// A backup replaced the file.
        case restored
        /// Nothing could be recovered.
        case lost
    }

    struct Entry: Hashable, Sendable {
        /// The file's role, such as "state", "city timetable" or "city trip_updates".
        var name: String
        var remedy: Remedy
        /// A sentence for users.
        var message: String
        var found: Instant
    }

    /// Maximum number of entries. The oldest are dropped.
    static let maximumCount = 32

    private let list = Mutex<[Entry]>([])

    var entries: [Entry] { list.withLock { $0 } }

    func add(_ entry: Entry) {
        list.withLock { list in
            list.append(entry)
            if list.count > Self.maximumCount { list.removeFirst() }
        }
    }

    /// Records that the state file was restored or lost when it was opened.
    func add(_ opening: StateStore.OpenResult, at now: Instant) {
        guard let message = opening.corruptionMessage(includesPath: false) else { return }
        let isLost = if case .lost = opening { true } else { false }
        add(Entry(name: "state", remedy: isLost ? .lost : .restored, message: message, found: now))
    }
}

extension StateStore.OpenResult {
    /// Returns why the state file could not be used and what replaced it; `nil` if it is intact.
    ///
    /// - Parameter includesPath: Whether to include the path to which the corrupt file was moved.
    func corruptionMessage(includesPath: Bool) -> String? {
        switch self {
        case .intact, .new: nil
        case .restored(let backup, let damaged, let reason):
            "The state file cannot be used: \(reason). \(Self.setAsideText(damaged, includesPath))The backup of \(backup) was restored."
        case .lost(let damaged, let reason):
            "The state file cannot be used: \(reason). \(Self.setAsideText(damaged, includesPath))There is no backup, so the state is empty."
        }
    }

    private static func setAsideText(_ path: String?, _ includesPath: Bool) -> String {
        path.map { includesPath ? "It is kept as \($0). " : "It is set aside. " } ?? ""
    }
}
