package import TransitEngine
package import TransitModel
package import TransitStore

/// A feed as queries see it: its timetable, its realtime data and the state of its sources at one moment.
///
/// Immutable; each change of the feed is a new view. This is a class because every part of a result refers to it.
package final class FeedView: Sendable {
    package let id: FeedID
    /// `nil` if the feed was never imported or its file cannot be opened.
    package let timetable: Timetable?
    /// The realtime data; `nil` if none matches this version of the timetable.
    package let realtime: RealtimeDatasets?
    /// The latest response of each realtime source.
    package let snapshot: RealtimeSnapshot?
    package let source: SourceState

    package init(
        id: FeedID, timetable: Timetable?, realtime snapshot: RealtimeSnapshot? = nil,
        source: SourceState = SourceState()
    ) {
        self.id = id
        self.timetable = timetable
        self.snapshot = snapshot
        self.source = source
        realtime = snapshot.flatMap { $0.timetable === timetable ? $0.table : nil }
    }

    /// Returns the same feed with another version of its timetable.
    package func with(_ timetable: Timetable) -> FeedView {
        FeedView(id: id, timetable: timetable, realtime: snapshot, source: source)
    }

    /// What has been learned about the feed's delays; `nil` if nothing has.
    package var history: DelayHistory? { snapshot?.history }
    var publishedHistory: PublishedHistory? { snapshot?.publishedHistory }

    /// The last time at which the source confirmed the timetable.
    package var confirmed: Instant? { source.confirmed }
}

/// The configuration and state of a feed's sources, as far as results depend on them.
package struct SourceState: Sendable {
    /// The feed of the same agency that this feed supplements.
    package var supplements: FeedID?
    /// Whether any realtime dataset is configured.
    package var hasRealtime = false
    /// The number of seconds between two checks of the timetable's source.
    package var refreshInterval = 86_400
    /// The last time at which the source confirmed the timetable.
    package var confirmed: Instant?
    package var lastAttempt: RecordedFeedAttempt?
    /// Why the last attempt since the daemon started failed; `nil` if it did not, or there was none.
    package var failure: AttemptFailure?
    package var isUpdating = false
    /// The reason why the current version cannot be opened.
    package var openFailure: String?
    /// Whether the sources require a key.
    package var hasKey = false
    /// Whether the key is read from a file that the configuration names.
    package var hasKeyFile = false
    /// The time since which the sources reject the feed's key; `nil` if no source is known to reject it.
    package var keyRejectedSince: Instant?
    /// Whether the sources are unreachable because the machine has no network.
    package var isOffline = false
    /// The failures of the realtime sources. A source that responds has no entry.
    package var failures: [DatasetKind: RealtimeSourceFailure] = [:]

    package init() {}
}

/// The kinds of failures to fetch a timetable that have different remedies.
package enum AttemptFailure: Hashable, Sendable {
    /// The key that the request needs is missing or cannot be read.
    case key
    case diskFull
    case other
}

/// The reason why a realtime source has no new data: it could not be fetched, or its response cannot be used.
package struct RealtimeSourceFailure: Hashable, Sendable {
    /// A sentence for the user. It never quotes a response.
    package var reason: String
    /// Whether the source responded with data that cannot be used.
    package var isMalformed: Bool
    /// The end of the first attempt in the current series of failures.
    package var since: Instant

    package init(reason: String, isMalformed: Bool, since: Instant) {
        self.reason = reason
        self.isMalformed = isMalformed
        self.since = since
    }
}
