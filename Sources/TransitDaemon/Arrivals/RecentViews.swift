internal import Synchronization
internal import TransitControl
internal import TransitModel

/// What users looked at that may be kept ready for when they look again. ``ArrivalsPreloader`` writes it down.
final class RecentViews: Sendable {
    /// What can be kept ready: a question about now, of one user.
    enum View: Hashable, Sendable {
        case favorites
        case commute(String)

        var request: ControlRequest {
            switch self {
            case .favorites: .favoriteShow(FavoriteShowParameters())
            case .commute(let name): .next(NextParameters(commute: name))
            }
        }
    }

    struct RecentView: Hashable, Sendable {
        var uid: UInt32
        var view: View
        var at: ClockReading
    }

    /// The maximum number of recent views per user. One user's views never displace another's.
    static let maximumPerUser = 16
    /// The maximum number of views of all users together; higher than the number of users of a machine.
    static let most = 1024

    /// Seconds between two times at which looks are written down.
    static let writeInterval = 3600

    /// The newest first, each view of a user once.
    private let known = Mutex<[RecentView]>([])
    private let written = Mutex(Written())
    private let wake = WakeTimer()

    /// What lies on the disk.
    private struct Written {
        var looks: [RecentView] = []
        var at: ClockReading?
    }

    /// A user looks at a view, or will soon.
    func note(_ view: View, of uid: UInt32, at now: ClockReading) {
        let isNews = known.withLock { known in
            let last = known.first { $0.uid == uid && $0.view == view }
            known.removeAll { $0.uid == uid && $0.view == view }
            known.insert(RecentView(uid: uid, view: view, at: now), at: 0)
            Self.limit(&known)
            return last.map { now.age(of: $0.at) >= ArrivalsPreloader.retention } ?? true
        }
        // Who looks again and again is followed already.
        if isNews { wake.set(now.boot) }
    }

    /// Removes the oldest views of each user beyond their limit, then the oldest of all.
    private static func limit(_ known: inout [RecentView]) {
        var counts: [UInt32: Int] = [:]
        known.removeAll { look in
            counts[look.uid, default: 0] += 1
            return counts[look.uid, default: 0] > maximumPerUser
        }
        known.removeLast(max(0, known.count - most))
    }

    /// The views within the last `seconds`: the newest of each user first, then the second of each, so that every user
    /// gets a share.
    func looks(within seconds: Int, at now: ClockReading) -> [RecentView] {
        var counts: [UInt32: Int] = [:]
        let ranked = known.withLock { $0 }.filter { now.age(of: $0.at) < seconds }.enumerated().map { position, look in
            counts[look.uid, default: 0] += 1
            return (rank: counts[look.uid, default: 0], position: position, look: look)
        }
        return ranked.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.look)
    }

    // MARK: Over a restart

    /// Takes up what was known before a restart.
    func recall(_ looks: [RecentView], at now: ClockReading) {
        let looks = looks.filter { now.age(of: $0.at) < ArrivalsPreloader.retentionInWindow }
        known.withLock { known in
            known += looks.filter { look in !known.contains { $0.uid == look.uid && $0.view == look.view } }
            Self.limit(&known)
        }
        written.withLock { $0.looks = looks }
    }

    /// What is to be written down now; `nil` when nothing is new, or when something was written within the hour.
    ///
    /// - Parameter isLast: the hour does not count.
    func pendingWrite(at now: ClockReading, isLast: Bool = false) -> [RecentView]? {
        let known = known.withLock { $0 }
        return written.withLock { written in
            guard known != written.looks, isLast || written.at.map({ now.age(of: $0) >= Self.writeInterval }) ?? true
            else { return nil }
            written = Written(looks: known, at: now)
            return known
        }
    }

    /// Where to wait for the next look from.
    func begin() -> WakeTimer.Look {
        let look = wake.look
        wake.clear(look)
        return look
    }

    /// Returns at a moment, and as soon as somebody looks at something that nobody looked at lately.
    func wait(since look: WakeTimer.Look, until moment: BootTime, by clock: any DaemonClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await clock.sleep(until: moment) }
            group.addTask { await self.wake.changed(since: look) }
            await group.next()
            group.cancelAll()
        }
    }
}
