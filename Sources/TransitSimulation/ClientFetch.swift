internal import TransitModel
internal import TransitRefresh

/// A fetch in the simulated daemon.
struct ClientFetch {
    var order: DatasetFetch
    var ordered: TrueTime
    /// The number of milliseconds by which the wall clock was fast when the fetch was ordered.
    var wallClockError: Int64
    /// The time at which the request reached the upstream.
    var arrived: TrueTime?
    /// The outcome that the client will receive.
    var outcome: FetchOutcome?
    /// The version of the fetched content; `nil` for a failure.
    var version: Int64?
    /// The timestamps of fetched realtime data.
    var stamp: ContentTimestamp?
    /// Whether this is the dataset's first fetch since the process started.
    var isFirst: Bool
    /// The end of the `Retry-After` pause in the response.
    var notBefore: TrueTime?
}

/// The daemon's content for one dataset.
struct StoredContent: Hashable {
    /// The time at which the upstream confirmed this content, and the time at which that fetch was ordered.
    var confirmed: TrueTime
    var ordered: TrueTime
    var version: Int64
    /// The number of milliseconds by which the wall clock was fast when that fetch was ordered.
    var wallClockError: Int64
    /// The served realtime data; `nil` for timetables.
    var served: ServedContent?
    /// Whether the age of the content is still known. After the machine was off, only its wall clock is available.
    var isAgeKnown = true
}

/// Realtime data as shown to clients.
struct ServedContent: Hashable {
    var endpoint: EndpointID
    var stamp: ContentTimestamp
    /// The time of receipt according to the daemon's clock, the true time, and the daemon's clock error.
    var received: Instant
    var receivedAt: TrueTime
    var wallClockError: Int64
}

/// A waiting user request.
struct WaitingUser {
    var requested: TrueTime
    var open: Set<DatasetID>
}
