public import TransitModel

/// Something about a message as a whole that people should hear of.
public enum RealtimeMessageNotice: Hashable, Sendable {
    /// The header has no timestamp; the time of receipt stands in for it.
    case withoutTimestamp
    /// The header's time lies so many seconds ahead of the clock.
    case ahead(seconds: Int)
    /// The header's time is so many seconds before that of the message before.
    case backwards(seconds: Int)
    /// A full dataset without any entity: nothing live is known.
    case empty
    /// A full dataset with entities, none of which belongs to the dataset that it was fetched for.
    case otherDatasets
    /// A differential message came first: what was before it is not known.
    case differentialWithoutBase
    /// The message exceeds ``RealtimeLimits`` by this number of entities, which are not used.
    case tooLarge(leftOut: Int)
}

/// What to do with a message by its header.
public enum MessageAcceptance: Hashable, Sendable {
    /// Newer, as new, or not known to be older.
    case accept([RealtimeMessageNotice])
    /// Older than what is kept, which stays.
    case refuse([RealtimeMessageNotice])

    /// Decides by the time of the header. A message that goes back in time is refused as long as what is kept is usable
    /// and its own time can be true: a server behind a balancer may lag, and yet a publisher whose clock was put right
    /// must be heard again.
    ///
    /// - Parameter kept: the time of the header of what is kept; `nil` when nothing is, or it had none.
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
