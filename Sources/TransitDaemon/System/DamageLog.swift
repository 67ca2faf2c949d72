internal import Synchronization
internal import TransitModel
internal import TransitStore

/// The files that were found damaged since the daemon started, for `status`: what is mended silently is not trusted.
final class DamageLog: Sendable {
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
    func note(_ opening: StateStore.Opening, at now: Instant) {
        switch opening {
        case .sound, .new: break
        case .restored(let backup, let damaged, let reason):
            let kept = damaged == nil ? "" : " and is set aside"
            note(
                Entry(
                    name: "state", remedy: .restored,
                    message: "It was damaged (\(reason))\(kept); the backup of \(backup) is in use.",
                    found: now))
        case .lost(let damaged, let reason):
            let kept = damaged == nil ? "" : " and is set aside"
            note(
                Entry(
                    name: "state", remedy: .lost,
                    message: "It was damaged (\(reason))\(kept); there was no backup.", found: now))
        }
    }
}
