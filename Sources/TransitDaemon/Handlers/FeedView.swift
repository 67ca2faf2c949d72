internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// A timetable as a question sees it: with what is known of its feed at that moment.
///
/// An object, since each part of an answer needs it.
final class FeedView: Sendable {
    let timetable: Timetable
    /// `nil`: nothing is live that fits the timetable.
    let live: RealtimeTimetable?
    let now: Instant
    /// `nil`: the feed left the configuration.
    private let feed: FeedSnapshot?

    init(_ timetable: Timetable, of feed: FeedSnapshot?, now: Instant) {
        self.timetable = timetable
        self.feed = feed
        self.now = now
        live = feed?.timetable === timetable ? feed?.realtimeTimetable : nil
    }

    /// When the source last confirmed the timetable.
    var confirmed: Instant? { feed?.confirmed }

    /// What a reader of an answer from it must know.
    var notices: [Notice] { feed.map { FeedNotices(now: now).about($0) } ?? [] }
}
