internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// A timetable at the time of a request, with the state of its feed.
///
/// This is a class because every part of a reply refers to it.
final class FeedView: Sendable {
    let timetable: Timetable
    /// The realtime data; `nil` if none matches this version of the timetable.
    let realtime: RealtimeDatasets?
    let now: Instant
    /// `nil` if the feed was removed from the configuration.
    private let feed: FeedSnapshot?

    init(_ timetable: Timetable, of feed: FeedSnapshot?, now: Instant) {
        self.timetable = timetable
        self.feed = feed
        self.now = now
        realtime = feed?.timetable === timetable ? feed?.realtimeTimetable : nil
    }

    /// The last time at which the source confirmed the timetable.
    var confirmed: Instant? { feed?.confirmed }

    /// The notices for a reply based on the timetable.
    var notices: [Notice] { feed.map { FeedNotices(now: now).about($0) } ?? [] }
}
