internal import TransitEngine
internal import TransitModel

/// A fetch as the simulated daemon carries it out.
struct ClientFetch {
    var order: DatasetFetch
    var ordered: TrueTime
    /// How far the wall clock was ahead then.
    var wallClockError: Int64
    /// When the upstream had it.
    var arrived: TrueTime?
    /// What the client will hear.
    var outcome: FetchOutcome?
    /// Which content comes with it, for success.
    var version: Int64?
    /// The time that comes with live data.
    var stamp: ContentTimestamp?
    /// Whether it is the first of its dataset since the process began.
    var isFirst: Bool
    /// Until when the host wants to be left alone, as the answer says.
    var notBefore: TrueTime?
}

/// What the daemon has of one dataset.
struct StoredContent: Hashable {
    /// When the upstream said that this is its content, and when it was asked.
    var confirmed: TrueTime
    var ordered: TrueTime
    var version: Int64
    /// How far the wall clock was ahead when it was asked.
    var wallClockError: Int64
    /// Of live data.
    var told: ServedContent?
    /// Whether its age can still be told: a machine that was off knows only what its wall clock says.
    var isAgeKnown = true
}

/// Live data as questions see them.
struct ServedContent: Hashable {
    var endpoint: EndpointID
    var stamp: ContentTimestamp
    /// When they came, by the daemon's clock and in truth, with how far that clock was ahead.
    var received: Instant
    var came: TrueTime
    var wallClockError: Int64
}

/// A request of a user that waits.
struct WaitingUser {
    var asked: TrueTime
    var open: Set<DatasetID>
}
