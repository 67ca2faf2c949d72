internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitReplies
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
        /// Whether a program may have received the event.
        var isListed: Bool

        init(_ event: NotificationEvent, stage: SavedNotificationEvent.Stage, validUntil: Instant, isListed: Bool) {
            self.event = event
            self.stage = stage
            // A withdrawal of an earlier release was valid until the moment at which it was decided.
            self.validUntil =
                event.op == .withdraw
                ? max(validUntil, event.at.instant.advanced(by: NotificationOutbox.minimumWithdrawalTime)) : validUntil
            self.isListed = isListed
        }

        /// Whether the hooks of the event have to run: it was not handed out, or it was, was not finished, and is urgent
        /// or a withdrawal. No newer event with its key may be there.
        fileprivate func isUnfinished(at now: Instant) -> Bool {
            guard now < validUntil else { return false }
            switch stage {
            case .decided: return true
            case .handedOut:
                return event.op == .withdraw || NotificationRule(rawValue: event.rule)?.isUrgent ?? false
            case .done, .failed, .suppressed, .replaced: return false
            }
        }

        /// Whether a hook may have run for the event.
        fileprivate var mayHaveRun: Bool {
            switch stage {
            case .decided, .replaced: isListed
            case .handedOut, .done, .failed: true
            case .suppressed: false
            }
        }

        /// Whether the event is kept: it may be listed, or the desktop may still show it and its buttons.
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
    /// The minimum time for which a withdrawal is valid, in seconds.
    static let minimumWithdrawalTime = 600

    func account(of uid: UInt32) -> Account { accounts.withLock { $0[uid] ?? Account() } }

    /// The events that a user's programs have to know now, oldest first, with those whose hooks have to run. The program
    /// that asks is assumed to receive them.
    func current(of uid: UInt32, at now: Instant) -> (events: [NotificationEvent], unfinished: [String]) {
        accounts.withLock { accounts in
            guard var account = accounts[uid] else { return ([], []) }
            let positions = account.entries.indices.filter { account.isUnfinished($0, at: now) }
            let unfinished = Set(positions)
            var events: [NotificationEvent] = []
            for (position, entry) in account.entries.enumerated()
            where entry.isRecent(at: now) || unfinished.contains(position) {
                var event = entry.event
                event.expiresIn = max(0, now.seconds(to: entry.validUntil))
                let elapsed = event.at.instant.seconds(to: now)
                event.departure?.countDown(elapsed)
                for position in event.next.indices { event.next[position].countDown(elapsed) }
                events.append(event)
            }
            for position in positions { account.entries[position].isListed = true }
            accounts[uid] = account
            return (events, positions.map { account.entries[$0].event.id })
        }
    }

    /// Adds events.
    ///
    /// A notification that was replaced before any program received it is not shown first, and its withdrawal is needless.
    /// If a program may have received it, the withdrawal is handed out, because only that program knows whether it has
    /// started a hook.
    ///
    /// - Returns: The identifiers of the events that do not have to be handed out because of later ones.
    @discardableResult
    func add(_ events: [NotificationEvent], of uid: UInt32, at now: Instant) -> [String] {
        accounts.withLock { accounts in
            var replaced: [String] = []
            var account = accounts[uid] ?? Account()
            account.entries.removeAll { !$0.isKept(at: now) }
            for event in events {
                account.entries.removeAll { $0.event.id == event.id }
                let isNeedless = event.op == .withdraw && account.isUnseen(event.key)
                for position in account.entries.indices
                where account.entries[position].event.key == event.key && account.entries[position].stage == .decided {
                    account.entries[position].stage = .replaced
                    replaced.append(account.entries[position].event.id)
                }
                if isNeedless { replaced.append(event.id) }
                account.entries.append(
                    Entry(
                        event, stage: isNeedless ? .replaced : .decided, validUntil: event.validUntil.instant,
                        isListed: false))
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
                // An event that was decided may have been received before the restart.
                let entry = Entry(
                    event, stage: one.stage, validUntil: one.validUntil, isListed: one.stage == .decided)
                // Less urgent events that were handed out before a restart are not handed out again.
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
                account.entries[position].isListed = true
                if account.entries[position].stage.advances(to: stage) { account.entries[position].stage = stage }
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
    /// Whether the hooks of an event have to run, and no newer event has its key.
    fileprivate func isUnfinished(_ position: Int, at now: Instant) -> Bool {
        let entry = entries[position]
        return entry.isUnfinished(at: now)
            && !entries[(position + 1)...].contains { $0.event.key == entry.event.key && $0.stage != .replaced }
    }

    /// Whether no program has received any of the events with a key since the hooks of its last withdrawal ran. Without
    /// such an event, nothing is known.
    fileprivate func isUnseen(_ key: String) -> Bool {
        let end = entries.lastIndex { $0.event.key == key && $0.event.op == .withdraw && $0.stage == .done }
        let start = end.map { $0 + 1 } ?? 0
        let events = entries[start...].filter { $0.event.key == key }
        return !events.isEmpty && events.allSatisfy { !$0.mayHaveRun }
    }

    fileprivate mutating func fail(_ message: String, at now: Instant) {
        failures.append((now, message))
        failures.removeFirst(max(0, failures.count - 100))
    }
}

extension Departure {
    /// Takes the seconds since the event was decided off the time that is left.
    fileprivate mutating func countDown(_ elapsed: Int) { leaveIn = leaveIn.map { $0 - elapsed } }
}
