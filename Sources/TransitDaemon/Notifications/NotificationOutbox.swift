internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitStore
internal import TransitWire

/// The notifications that may have to be handed out, by user, and how far each was handled. Requests read it without
/// waiting for an evaluation or for the disk.
final class NotificationOutbox: Sendable {
    /// An event with the stage that it has reached.
    struct Entry: Sendable {
        var event: NotificationEvent
        var stage: SavedNotificationEvent.Stage
        var validUntil: Instant

        /// Whether the hooks of the event have to run: it was not handed out, or it was, is urgent and was not finished.
        func isUnfinished(at now: Instant) -> Bool {
            guard now < validUntil else { return false }
            switch stage {
            case .decided: return true
            case .handedOut: return NotificationRule(rawValue: event.rule)?.isUrgent ?? false
            case .done, .failed, .suppressed: return false
            }
        }

        /// Whether the event is kept: it may be listed, or its bubble may still be shown and have its buttons pressed.
        func isKept(at now: Instant) -> Bool { now < validUntil || isRecent(at: now) }

        func isRecent(at now: Instant) -> Bool {
            (-NotificationOutbox.recent...NotificationOutbox.recent).contains(event.at.instant.seconds(to: now))
        }
    }

    /// What is known about one user's notifications.
    struct Account: Sendable {
        fileprivate(set) var entries: [Entry] = []
        /// When a program last confirmed a notification.
        fileprivate(set) var lastContact: Instant?
        /// The failures of the last week, oldest first.
        fileprivate(set) var failures: [(at: Instant, message: String)] = []
        /// Why notifications cannot be saved; `nil` if they can.
        fileprivate(set) var saveFailure: String?
        /// When a state that could not be read was set aside.
        fileprivate(set) var setAside: Instant?
    }

    private let accounts = Mutex<[UInt32: Account]>([:])

    /// The time for which an event is listed after it was decided, in seconds.
    static let recent = 120
    /// The time for which failures are counted, in seconds.
    private static let failureAge = 7 * 86_400
    /// The maximum number of events of one user that are kept in memory.
    private static let maximumEntries = 256

    func account(of uid: UInt32) -> Account { accounts.withLock { $0[uid] ?? Account() } }

    /// The events that a user's programs have to know now, oldest first, with those whose hooks have to run.
    func current(of uid: UInt32, at now: Instant) -> (events: [NotificationEvent], unfinished: [String]) {
        let entries = account(of: uid).entries.filter { $0.isRecent(at: now) || $0.isUnfinished(at: now) }
        let events = entries.map { entry in
            var event = entry.event
            event.expiresIn = max(0, now.seconds(to: entry.validUntil))
            return event
        }
        return (events, entries.filter { $0.isUnfinished(at: now) }.map(\.event.id))
    }

    /// Adds events.
    ///
    /// - Returns: The identifiers of earlier events that were not handed out and are replaced by these.
    @discardableResult
    func add(_ events: [NotificationEvent], of uid: UInt32, at now: Instant) -> [String] {
        accounts.withLock { accounts in
            var replaced: [String] = []
            var account = accounts[uid] ?? Account()
            account.entries.removeAll { !$0.isKept(at: now) }
            for event in events {
                account.entries.removeAll { $0.event.id == event.id }
                // A bubble that was replaced before it was shown is not shown first.
                for position in account.entries.indices
                where account.entries[position].event.key == event.key && account.entries[position].stage == .decided {
                    account.entries[position].stage = .done
                    replaced.append(account.entries[position].event.id)
                }
                account.entries.append(
                    Entry(event: event, stage: .decided, validUntil: event.validUntil.instant))
            }
            account.entries.removeFirst(max(0, account.entries.count - Self.maximumEntries))
            accounts[uid] = account
            return replaced
        }
    }

    /// Restores events from before a restart.
    func restore(_ saved: [SavedNotificationEvent], of uid: UInt32, at now: Instant) {
        accounts.withLock { accounts in
            var account = accounts[uid] ?? Account()
            for one in saved where one.stage != .suppressed {
                if one.stage == .failed { account.fail(one.failure ?? "unknown", at: one.decided) }
                guard let event = NotificationEvent(json: one.event) else { continue }
                let entry = Entry(event: event, stage: one.stage, validUntil: one.validUntil)
                // What is not urgent and was handed out before a restart is not handed out again.
                if entry.isKept(at: now) { account.entries.append(entry) }
            }
            accounts[uid] = account
        }
    }

    /// Records the stage that events have reached.
    ///
    /// - Returns: The number of events that are listed.
    func record(
        _ stage: SavedNotificationEvent.Stage, ofEvents ids: [String], message: String?, of uid: UInt32, at now: Instant
    ) -> Int {
        accounts.withLock { accounts in
            var account = accounts[uid] ?? Account()
            account.lastContact = now
            var count = 0
            for position in account.entries.indices where ids.contains(account.entries[position].event.id) {
                count += 1
                // A late "handed out" does not undo "done".
                if account.entries[position].stage.rawValue < stage.rawValue {
                    account.entries[position].stage = stage
                }
            }
            if stage == .failed { account.fail(message ?? "A hook failed.", at: now) }
            account.failures.removeAll { $0.at.seconds(to: now) > Self.failureAge }
            accounts[uid] = account
            return count
        }
    }

    func event(_ id: String, of uid: UInt32) -> NotificationEvent? {
        account(of: uid).entries.last { $0.event.id == id || $0.event.key == id }?.event
    }

    func setSaveFailure(_ reason: String?, of uid: UInt32) {
        accounts.withLock { $0[uid, default: Account()].saveFailure = reason }
    }

    func setSetAside(of uid: UInt32, at now: Instant) {
        accounts.withLock { $0[uid, default: Account()].setAside = now }
    }

    func removeAll(of uid: UInt32) { _ = accounts.withLock { $0.removeValue(forKey: uid) } }
}

extension NotificationOutbox.Account {
    fileprivate mutating func fail(_ message: String, at now: Instant) {
        failures.append((now, message))
        failures.removeFirst(max(0, failures.count - 100))
    }
}

extension NotificationEvent {
    /// Returns `nil` if the text is not an event that this release can read.
    init?(json: String) {
        guard let value = try? JSONValue(parsing: Array(json.utf8)),
            let event = try? NotificationEvent(reading: value, as: .result)
        else { return nil }
        self = event
    }

    /// The event as a JSON document.
    var json: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
