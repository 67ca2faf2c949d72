internal import Synchronization
internal import TransitModel
internal import TransitStore

/// The files that were found damaged since the daemon started, for `status`: what is mended silently is not trusted.
final class CorruptFileLog: Sendable {
    /// What became of a damaged file.
    enum Remedy: Hashable, Sendable {
        /// It is made anew from what is left, or from the source's next answer.
        case rebuilt
        /// A copy took its place.
        case restored
        /// Nothing was left.
        case lost
    }

    struct Entry: Hashable, Sendable {
        /// What it was: "state", "city timetable", "city trip_updates".
        var name: String
        var remedy: Remedy
        /// A sentence for people.
        var message: String
        var found: Instant
    }

    /// So many are kept, the newest.
    static let most = 32

    private let list = Mutex<[Entry]>([])

    var entries: [Entry] { list.withLock { $0 } }

    func note(_ entry: Entry) {
        list.withLock { list in
            list.append(entry)
            if list.count > Self.most { list.removeFirst() }
        }
    }

    /// What opening the state had to mend.
    func note(_ opening: StateStore.OpenResult, at now: Instant) {
        guard let message = opening.damage(includesPath: false) else { return }
        let isLost = if case .lost = opening { true } else { false }
        note(Entry(name: "state", remedy: isLost ? .lost : .restored, message: message, found: now))
    }
}

extension StateStore.OpenResult {
    /// Why the state file could not be used, and what took its place; `nil` where it could.
    ///
    /// - Parameter isPathShown: whether to say where the file is kept that could not be used.
    func damage(includesPath: Bool) -> String? {
        switch self {
        case .sound, .new: nil
        case .restored(let backup, let damaged, let reason):
            "The state file cannot be used: \(reason). \(Self.kept(damaged, includesPath))The backup of \(backup) takes its place."
        case .lost(let damaged, let reason):
            "The state file cannot be used: \(reason). \(Self.kept(damaged, includesPath))There is no backup, so it begins empty."
        }
    }

    private static func kept(_ path: String?, _ includesPath: Bool) -> String {
        path.map { includesPath ? "It is kept as \($0). " : "It is set aside. " } ?? ""
    }
}
