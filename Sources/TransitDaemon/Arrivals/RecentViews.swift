internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitSystem

/// The users' recent views, which are preloaded in case the users return. ``ArrivalsPreloader`` saves them.
final class RecentViews: Sendable {
    /// A view that can be preloaded: a request of one user for current departures.
    enum View: Hashable, Sendable {
        case favorites
        case commute(String)
    }

    struct RecentView: Hashable, Sendable {
        var uid: UInt32
        var view: View
        var at: ClockReading
    }

    /// The maximum number of recent views per user. One user's views never displace another's.
    static let maximumPerUser = 16
    /// The maximum number of views for all users together. No machine is expected to have as many users.
    static let maximumViews = 1024

    /// Seconds between two writes to disk.
    static let writeInterval = 3600

    /// The views, newest first. No user has the same view twice.
    private let known = Mutex<[RecentView]>([])
    private let written = Mutex(Written())
    private let wake = WakeTimer()

    /// The views that were last written to disk; `nil` if the last write failed.
    private struct Written {
        var views: [RecentView]? = []
        var at: ClockReading?
    }

    /// Records that a user requested a view, or is about to.
    func record(_ view: View, of uid: UInt32, at now: ClockReading) {
        let isNew = known.withLock { known in
            let last = known.first { $0.uid == uid && $0.view == view }
            known.removeAll { $0.uid == uid && $0.view == view }
            known.insert(RecentView(uid: uid, view: view, at: now), at: 0)
            Self.limit(&known)
            return last.map { now.age(of: $0.at) >= ArrivalsPreloader.retention } ?? true
        }
        // A repeated view is preloaded already.
        if isNew { wake.set(now.boot) }
    }

    /// Removes the oldest views of each user beyond their limit, then the oldest of all.
    private static func limit(_ known: inout [RecentView]) {
        var counts: [UInt32: Int] = [:]
        known.removeAll { view in
            counts[view.uid, default: 0] += 1
            return counts[view.uid, default: 0] > maximumPerUser
        }
        known.removeLast(max(0, known.count - maximumViews))
    }

    /// Returns the views within the last `seconds`: the newest of each user first, then the second of each, so that
    /// every user's views are preloaded.
    func views(within seconds: Int, at now: ClockReading) -> [RecentView] {
        var counts: [UInt32: Int] = [:]
        let ranked = known.withLock { $0 }.filter { now.age(of: $0.at) < seconds }.enumerated().map { position, view in
            counts[view.uid, default: 0] += 1
            return (rank: counts[view.uid, default: 0], position: position, view: view)
        }
        return ranked.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.view)
    }

    // MARK: Restart

    /// Restores the views from before a restart.
    func restore(_ views: [RecentView], at now: ClockReading) {
        let views = views.filter { now.age(of: $0.at) < ArrivalsPreloader.retentionInWindow }
        known.withLock { known in
            known += views.filter { view in !known.contains { $0.uid == view.uid && $0.view == view.view } }
            Self.limit(&known)
        }
        written.withLock { $0.views = views }
    }

    /// Returns the views to save now; `nil` if they are unchanged, or if the last write was within the hour.
    ///
    /// - Parameter isLast: Whether this is the last write before shutdown. If so, the time of the previous write is
    ///   ignored.
    func pendingWrite(at now: ClockReading, isLast: Bool = false) -> [RecentView]? {
        let known = known.withLock { $0 }
        return written.withLock { written in
            guard known != written.views, isLast || written.at.map({ now.age(of: $0) >= Self.writeInterval }) ?? true
            else { return nil }
            written = Written(views: known, at: now)
            return known
        }
    }

    /// Records that the views of ``pendingWrite(at:isLast:)`` were not written. They are pending again after the usual
    /// interval, or at the stop.
    func keepUnsaved() { written.withLock { $0.views = nil } }

    /// Returns the position from which to wait for the next view.
    func startWaiting() -> WakeTimer.Snapshot {
        let snapshot = wake.snapshot
        wake.clear(snapshot)
        return snapshot
    }

    /// Returns at a moment, or earlier if a user requests a view that is not recent.
    func wait(since snapshot: WakeTimer.Snapshot, until moment: BootTime, by clock: any DaemonClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await clock.sleep(until: moment) }
            group.addTask { await self.wake.changed(since: snapshot) }
            await group.next()
            group.cancelAll()
        }
    }
}
