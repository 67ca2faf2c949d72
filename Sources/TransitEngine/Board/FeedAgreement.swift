/// What the other feed of an agency states about a departure.
public enum FeedAgreement: UInt8, Hashable, Sendable {
    /// The other feed does not have the departure.
    case alone
    /// Both feeds have about the same scheduled time, which confirms nothing.
    case agreed
    /// Both feeds state the same within ``DeparturePairing/agreementTolerance``, at least one of them with current
    /// realtime data.
    case confirmed
    /// The feeds differ, but not both have current realtime data, or each time is within the uncertainty of the other
    /// one.
    case differs
    /// The departure runs according to the realtime data of one feed and does not run according to that of the other.
    case contradictsStatus
    /// The current predictions differ by more than ``DeparturePairing/agreementTolerance``.
    case contradictsTime
    /// The current predictions differ by more than ``DeparturePairing/maximumTimeDifference``.
    case contradictsTimeWidely
}

/// Why the data of one feed is shown rather than that of the other.
public enum FeedPreference: UInt8, Hashable, Sendable {
    /// The data of both feeds is of the same kind. The first feed's is shown.
    case equal
    /// The other feed has only a scheduled time.
    case otherIsScheduled
    /// The other feed has only the last prediction of a silent source.
    case otherIsSilent
    /// A prediction is shown rather than an estimate.
    case predictionOverEstimate
    /// The last cancellation of a silent source is shown rather than an estimate.
    case cancellationOverEstimate
}
