/// An anomaly of a message as a whole that users should know about.
public enum RealtimeMessageNotice: Hashable, Sendable {
    /// The header has no timestamp. The time of receipt is used instead.
    case withoutTimestamp
    /// The timestamp of the header is in the future by this number of seconds.
    case ahead(seconds: Int)
    /// The timestamp of the header is this number of seconds before that of the previous message.
    case backwards(seconds: Int)
    /// A full dataset without entities, so there is no realtime data.
    case empty
    /// A full dataset with entities, none of which belongs to the dataset for which the message was fetched.
    case otherDatasets
    /// The first message was differential, so earlier data is missing.
    case differentialWithoutBase
    /// A full dataset that lacks this number of trips, which were reported before, are not over, and disappeared together
    /// with nearly all others. Their last known data stays in use.
    case lacksReportedTrips(Int)
    /// The message exceeds ``RealtimeLimits`` by this number of entities, which are not used.
    case tooLarge(leftOut: Int)
}

/// Whether a message is accepted, based on its header.
public enum MessageAcceptance: Hashable, Sendable {
    /// The message is not known to be older than the current dataset.
    case accept([RealtimeMessageNotice])
    /// The message is older than the current dataset, which stays in use.
    case refuse([RealtimeMessageNotice])

    /// Decides whether to accept a message, based on the timestamp of its header. A message older than the current dataset is refused, unless the
    /// dataset is stale or its timestamp is in the future. Older messages come from lagging servers behind load
    /// balancers, but they must be accepted again after a publisher corrects its clock.
    ///
    /// - Parameter kept: the timestamp of the current dataset's header; `nil` if there is no dataset or no timestamp.
    public static func of(
        _ header: RealtimeHeader, after kept: Instant?, now: Instant, policy: FreshnessPolicy
    ) -> MessageAcceptance {
        guard let time = header.timestamp else { return .accept([.withoutTimestamp]) }
        var notes: [RealtimeMessageNotice] = []
        let ahead = Int(clamping: time.secondsSince1970 &- now.secondsSince1970)
        if policy.age(of: time, at: now).isAhead { notes.append(.ahead(seconds: ahead)) }
        guard let kept, time < kept else { return .accept(notes) }
        notes.append(.backwards(seconds: Int(clamping: kept.secondsSince1970 &- time.secondsSince1970)))
        let age = policy.age(of: kept, at: now)
        return age.freshness == .stale || age.isAhead ? .accept(notes) : .refuse(notes)
    }
}
